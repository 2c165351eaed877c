// Bounds the answers in parts that are sent at a time. Each holds a part in memory for as long as its client takes to read it, but no place
// among the requests in work (load-shedding.ts): so they are counted by themselves.

import { exceeded } from './admission.ts'
import { Counts } from './counts.ts'
import { Problem } from './problem.ts'

/** Of one workspace: files that are fetched beside each other. */
export const downloadsPerWorkspace = 16
/** Of all; a workspace below its share of them is let in up to twice as many. A part of an export has some 100 KiB. */
export const downloadsMax = 128

const restSeconds = 10

export class Downloads {
  readonly #counts = new Counts()

  /** One more until the function given back is called. Throws Problem `quota_exceeded` for the workspace's own, `unavailable` for all. */
  enter(workspaceId: string): () => void {
    if (this.#counts.of(workspaceId) >= downloadsPerWorkspace)
      throw exceeded('downloads', `At most ${downloadsPerWorkspace} downloads at a time.`, restSeconds)
    if (!this.#counts.hasRoom(workspaceId, downloadsMax))
      throw new Problem('unavailable', { headers: { 'retry-after': String(restSeconds) } })
    return this.#counts.add(workspaceId)
  }
}
