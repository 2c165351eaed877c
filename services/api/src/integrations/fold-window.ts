// Says which days a run folds, so that each conversion comes into the stats of its day whenever it was received (domain.md 4.3), and notes
// up to when all of them have. What is too much for one run is carried out by several, one after the other: a pass.
import type { Loaded } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate, startOfDayMs } from '../calendar/domain/calendar.ts'
import { backMs } from '../conversions/domain/conversion.ts'
import type { Fold } from '../conversions/fold.ts'
import { firstLate, firstOccurredMs } from '../conversions/store-conversions.ts'
import { firstMendedDay, readFolded, writeFolded, writePass, writeRejectedDays } from '../conversions/store-folds.ts'
import type { RunOrder, SyncRunState } from '../sync-runs/domain/sync-run.ts'
import type { IntegrationState } from './domain/integration.ts'
import { defaultWindow } from './domain/run-window.ts'
import { queueRun } from './queue-run.ts'

const dayMs = 86_400_000
/** A conversion, or a campaign, is seen by others only with the commit of its transaction, which began this long before at most: statements and waits of one are limited to seconds. */
const commitMs = 3_600_000
/** So many are read within the time of a statement; those of days may not be. */
const lateLookedAt = 200_000

export interface RunWindow {
  window: { from: string; to: string }
  fold: RunOrder['fold']
}

/**
 * The window of a run that nobody named one for; of postbacks it reaches back to the first day that may lack a conversion, or goes on with
 * the pass under way.
 */
export async function windowOfRun(tx: Transaction, { id, state, nowMs }: Loaded<IntegrationState>): Promise<RunWindow> {
  const { fields } = state
  if (fields === null) throw new Error('an integration without fields')
  const window = defaultWindow(state, fields, nowMs)
  if (fields.provider !== 'postback') return { window, fold: null }
  const zone = fields.source_time_zone
  const { pass } = await readFolded(tx, id)
  if (pass !== null) {
    const fold = { from_ms: pass.atMs, pass_ms: pass.startedMs }
    return { window: { from: localDate(pass.atMs, zone), to: window.to }, fold }
  }
  const rejectsUnknown = fields.on_unknown_campaign === 'reject'
  const lacking = await lackingFrom(tx, id, { zone, receivedBeforeMs: nowMs })
  const mended = await firstMendedDay(tx, id, { rejectsUnknown })
  const [from = window.from] = [window.from, lacking, mended].filter((day) => day !== null).sort()
  return { window: { ...window, from }, fold: null }
}

interface EndedFold {
  context: AppendContext
  integration: Loaded<IntegrationState>
  run: Loaded<SyncRunState>
  order: RunOrder
  fold: Fold
}

/**
 * After a run that succeeded: where it, or the pass that it ends, folded each day that may have lacked a conversion at its start, none does.
 * What is left of its window the next run takes, at once.
 */
export async function endFold(tx: Transaction, o: EndedFold): Promise<void> {
  const { order, fold, integration } = o
  const startedMs = o.run.state.started_ms
  const { window, integration_id: id } = order
  const zone = order.basis.source_time_zone
  if (startedMs === null || window === null) throw new Error('a fold that has not begun')
  const passMs = order.fold?.pass_ms ?? startedMs
  await writeRejectedDays(tx, id, {
    covered: fold.coveredDays,
    goesOnIn: fold.goesOnIn,
    rejected: fold.rejectedDays,
    knownMs: startedMs - commitMs,
    knownToPassMs: passMs - commitMs,
  })
  const lacksNone = await lacksNothingBefore(tx, { ...o, startedMs })
  // It may have waited for days before it began: what was received on those since its last day is not in the stats.
  const endMs = startOfDayMs(addDays(window.to, 1), zone)
  if (lacksNone && fold.isWhole) await writeFolded(tx, id, Math.min(passMs, endMs))
  if (lacksNone && !fold.isWhole) await writePass(tx, id, { startedMs: passMs, atMs: fold.toMs })
  if (fold.isWhole) return
  const { context, trigger, allow_empty: allowEmpty, max_attempts: attemptsMax } = { context: o.context, ...order }
  // A pass ends with the day on which it ends.
  const to = lacksNone ? localDate(integration.nowMs, zone) : window.to
  const next = { window: { from: localDate(fold.toMs, zone), to }, fold: { from_ms: fold.toMs, pass_ms: passMs } }
  await queueRun(tx, { context, integration, trigger, allowEmpty, importId: null, attemptsMax, ...next })
}

/** Whether all days from the first that may have lacked something up to where the run began are folded, and its window ends with its day. */
async function lacksNothingBefore(
  tx: Transaction,
  { order, startedMs }: Pick<EndedFold, 'order'> & { startedMs: number },
): Promise<boolean> {
  const { window, integration_id: id, fold } = order
  const zone = order.basis.source_time_zone
  if (window === null || window.to < localDate(order.queued_ms, zone)) return false
  if (fold) {
    const { pass } = await readFolded(tx, id)
    return pass?.startedMs === fold.pass_ms && pass.atMs === fold.from_ms
  }
  const lacking = await lackingFrom(tx, id, { zone, receivedBeforeMs: startedMs })
  return lacking === null || window.from <= lacking
}

interface LackingOptions {
  zone: string
  receivedBeforeMs: number
  /** Late conversions that are looked at; where there are more, the oldest may be as old as any that is taken. */
  lateMax?: number
}

/** The first day whose stats may lack a conversion that was received before the instant; null where none may. */
export async function lackingFrom(
  tx: Transaction,
  integrationId: string,
  { zone, receivedBeforeMs: toMs, lateMax = lateLookedAt }: LackingOptions,
): Promise<string | null> {
  const { foldedMs } = await readFolded(tx, integrationId)
  if (foldedMs === null) {
    const first = await firstOccurredMs(tx, integrationId)
    return first === null ? null : localDate(first, zone)
  }
  const fromMs = foldedMs - commitMs
  const late = await firstLate(tx, integrationId, { fromMs, toMs, limit: lateMax })
  if (!late.isAll) return localDate(fromMs - backMs, zone)
  // Those that did not come late occurred no earlier than a day before they were received.
  return localDate(Math.min(late.ms ?? fromMs, fromMs - dayMs), zone)
}
