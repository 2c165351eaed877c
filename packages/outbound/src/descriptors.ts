// Tells whether a file descriptor is left: c-ares, which asks name servers, calls the lack of one ECONNREFUSED, as if they were out of reach.
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { errorCodeOf } from './attempt-errors.ts'

/** True for an error that says that this process, or its machine, can open no further file. */
export const isOutOfDescriptors = (error: unknown): boolean => ['EMFILE', 'ENFILE'].includes(errorCodeOf(error))

/** False when no further file can be opened now. */
export function hasDescriptor(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    return !isOutOfDescriptors(error)
  }
}
