/** Started by a run that ends by a signal: removes the stacks of its processes, each once it is dead. */
import { setTimeout as sleep } from 'node:timers/promises'
import { removeAbandonedStacks } from './abandoned-stacks.ts'

/** Workers of the test runner end with it, or a moment later. */
const endMs = performance.now() + 5_000
while (performance.now() < endMs) {
  await removeAbandonedStacks()
  await sleep(200)
}
