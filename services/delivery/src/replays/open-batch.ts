// Opens one batch of a bulk replay: what it selects, its epochs and how far it came, in one transaction. So a worker that is killed in
// the middle of it has opened nothing, and the next one begins where the last batch ended.
import { type Change, execute, type Loaded, load } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { deliveryMetrics } from '../metrics.ts'
import { subscriptions } from '../subscriptions/resource.ts'
import { beginOwnChange } from '../workspaces/own-change.ts'
import { leftOutBecause } from './count-matched.ts'
import {
  batchSize,
  type FailedReason,
  type ReplayCommand,
  type ReplayEvent,
  type ReplayOrder,
  type ReplayState,
} from './domain/replay.ts'
import type { Place } from './domain/selection.ts'
import { replays } from './resource.ts'
import { keepEpochs, makeMissing, openEpochs, priorities, type ReplayPlace, tryLockReplay } from './store.ts'
import { type Page, readPage } from './walk.ts'

/** Pages looked at for one batch, where few rows are selected. */
const looksMax = 10

/** True when it came further. `onDue` runs after a commit that made something due. */
export async function openBatch(pool: Pool, { workspaceId, id }: ReplayPlace, o: { onDue(): void }): Promise<boolean> {
  return withReplay(pool, { workspaceId, id }, async (tx, loaded, run) => {
    const { status, order, place, next_ms } = loaded.state
    const isDue = (status === 'queued' || status === 'running') && next_ms <= loaded.nowMs
    if (!isDue || order === null || place === null) return false
    const atMs = loaded.nowMs
    const reason = await whyItFails(tx, order)
    if (reason !== null) {
      await run({ type: 'fail', atMs, reason })
      return true
    }
    const page = await nextPage(tx, order, place)
    const rows = page.rows.filter((row) => leftOutBecause(row, atMs) === null)
    const opened = await open(tx, id, order, { ...page, rows })
    // Its subscription changed meanwhile: matched again next time.
    if (opened === null) return true
    const skipped = rows.length - opened
    await run({ type: 'advance', atMs, opened, skipped, place: page.next })
    tx.afterCommit(() => {
      deliveryMetrics.replayed.add(opened, { result: 'opened' })
      deliveryMetrics.replayed.add(skipped, { result: 'skipped' })
      if (opened > 0) o.onDue()
    })
    return true
  })
}

/**
 * Runs in a transaction that holds the row of the replay, or returns false where another worker has it. `run` carries out a command on it; at most one.
 * Lock order: the row of the replay comes before all others.
 */
export async function withReplay(
  pool: Pool,
  { workspaceId, id }: ReplayPlace,
  fn: (
    tx: Transaction,
    loaded: Loaded<ReplayState>,
    run: (command: ReplayCommand) => Promise<Pick<Change<ReplayState, ReplayEvent>, 'events'>>,
  ) => Promise<boolean>,
): Promise<boolean> {
  const { context, end } = beginOwnChange('replay', { workspaceId })
  return withTransaction(pool, { workspaceId }, async (tx) => {
    if (!(await tryLockReplay(tx, id))) return false
    const loaded = await load(tx, replays, id, { lock: true })
    if (loaded === null) return false
    return fn(tx, loaded, async (command) => {
      const outcome = await execute(tx, replays, { context, loaded, command })
      if (!outcome.ok) throw new Error(`a replay refused ${command.type}`)
      return outcome
    })
  }).finally(end)
}

/** One of a single subscription needs it enabled. */
async function whyItFails(tx: Transaction, { webhook_id }: ReplayOrder): Promise<FailedReason | null> {
  if (webhook_id === null) return null
  const found = await load(tx, subscriptions, webhook_id, { lock: false })
  if (found === null || found.state.status === 'deleted') return 'subscription_deleted'
  return found.state.status === 'disabled' ? 'subscription_disabled' : null
}

/** The first page from `place` on in which something is selected. */
async function nextPage(tx: Transaction, order: ReplayOrder, place: Place): Promise<Page> {
  const rows = batchSize(order)
  const walked = { webhookId: order.webhook_id, selection: order.selection }
  let page = await readPage(tx, walked, place, { look: 4 * rows + 100, rows })
  for (let looks = 1; page.rows.length === 0 && page.next !== null && looks < looksMax; looks += 1)
    page = await readPage(tx, walked, page.next, { look: 5_000, rows })
  return page
}

/** How many were opened; null: nothing can be said, the subscription changed. */
async function open(tx: Transaction, id: string, order: ReplayOrder, page: Page): Promise<number | null> {
  if (page.rows.length === 0) return 0
  const requestedBy = order.requested_by
  const ids = page.rows.map(({ deliveryId }) => deliveryId)
  const opened =
    page.version === null
      ? await openEpochs(tx, { ids, priority: priorities.bulk, requestedBy })
      : await makeMissing(tx, {
          subscriptionId: order.webhook_id ?? '',
          version: page.version,
          deliveries: page.rows,
          requestedBy,
        })
  if (opened === null) return null
  if (opened.length > 0) tx.withCommit(() => keepEpochs(tx, id, opened))
  return opened.length
}
