// Opens bulk replays round by round: one batch of one replay of each workspace, so that a workspace with many or large ones does not keep
// the others waiting.
import type { Pool } from '@wds/postgres/pool'
import { PausedWorkspaces } from '../workspaces/paused-workspaces.ts'
import { openBatch } from './open-batch.ts'
import { listDueReplays } from './store.ts'

const workspacesMax = 100
/** How long a workspace rests after a batch that failed, ms. */
const failurePauseMs = 5_000

/** One round; true when something came further. A batch that fails does not keep those of others. */
export function createReplayTurn(o: { pool: Pool; onDue(): void; most?: number }): () => Promise<boolean> {
  const { most = workspacesMax } = o
  const paused = new PausedWorkspaces(failurePauseMs)
  /** The workspace behind which the next round begins: some are always due, and would be the first ones for ever. */
  let after = ''
  return async () => {
    const due = await listDueReplays(o.pool, { after, limit: most })
    after = due.length === most ? (due.at(-1)?.workspaceId ?? '') : ''
    const faults: unknown[] = []
    let hasMoved = false
    for (const replay of due.filter(({ workspaceId }) => !paused.has(workspaceId))) {
      try {
        if (await openBatch(o.pool, replay, o)) hasMoved = true
      } catch (error) {
        paused.pause([replay.workspaceId])
        faults.push(error)
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'batches of replays failed')
    return hasMoved || after !== ''
  }
}
