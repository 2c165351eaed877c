// For tests: leaves this process no descriptor.
import { openSync } from 'node:fs'
import { devNull } from 'node:os'
import { isOutOfDescriptors } from './descriptors.ts'

/** How many were left. */
export function takeDescriptors(): number {
  for (let count = 0; ; count += 1) {
    try {
      openSync(devNull, 'r')
    } catch (error) {
      if (isOutOfDescriptors(error)) return count
      throw error
    }
  }
}
