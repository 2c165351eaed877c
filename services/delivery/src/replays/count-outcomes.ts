// Counts what became of the epochs that bulk replays opened, each once. It only reads deliveries: settling knows nothing of replays.
import type { Pool } from '@wds/postgres/pool'
import { withReplay } from './open-batch.ts'
import { listUncounted, takeEnded } from './store.ts'

/** Replays of one turn. */
const replaysMax = 200
/** Epochs looked at for one replay in one turn. */
const looksMax = 1_000

/**
 * One turn over the next replays with open epochs, from the first one again behind the last: those whose deliveries are retried for days
 * do not keep later ones from being looked at, nor does one that cannot be counted. True while much of it ends, so that the counts keep up.
 */
export function createOutcomesTurn(pool: Pool, most = replaysMax): () => Promise<boolean> {
  let behind = ''
  /** Where the next look begins, by replay: epochs that wait for hours do not keep later ones from being looked at. */
  const places = new Map<string, string>()
  return async () => {
    let hasMore = false
    const from = behind
    const found = await listUncounted(pool, { after: from, limit: most })
    const last = found.length === most ? found.at(-1)?.id : undefined
    behind = last ?? ''
    const isOver = (id: string) => id > from && id <= (last ?? id) && !found.some((one) => one.id === id)
    for (const id of places.keys()) if (isOver(id)) places.delete(id)
    const faults: unknown[] = []
    for (const one of found) {
      await withReplay(pool, one, async (tx, _loaded, run) => {
        const after = places.get(one.id) ?? ''
        const { outcomes, walkedTo } = await takeEnded(tx, { replayId: one.id, after, limit: looksMax })
        await run({ type: 'count', outcomes })
        tx.afterCommit(() => places.set(one.id, walkedTo ?? ''))
        if (outcomes.delivered + outcomes.dead > looksMax / 2) hasMore = true
        return true
      }).catch((error: unknown) => faults.push(error))
    }
    if (faults.length > 0) throw new AggregateError(faults, 'outcomes of replays were not counted')
    return hasMore
  }
}
