// Says which days a run folds, so that each conversion comes into the stats of its day whenever it was received (domain.md 4.3), and notes
// up to when all of them have.
import type { Loaded } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import { firstLateMs, firstOccurredMs, foldedMs, writeFolded } from '../conversions/store-conversions.ts'
import type { RunOrder, SyncRunState } from '../sync-runs/domain/sync-run.ts'
import type { IntegrationState } from './domain/integration.ts'
import { defaultWindow } from './domain/run-window.ts'

const dayMs = 86_400_000
/** A conversion is seen by others only with the commit of its transaction, which began this long before at most: statements and waits of one are limited to seconds. */
const commitMs = 3_600_000

/** The window of a run that nobody named one for; of postbacks it reaches back to the first day that may lack a conversion. */
export async function windowOfRun(
  tx: Transaction,
  { id, state, nowMs }: Loaded<IntegrationState>,
): Promise<{ from: string; to: string }> {
  const { fields } = state
  if (fields === null) throw new Error('an integration without fields')
  const window = defaultWindow(state, fields, nowMs)
  if (fields.provider !== 'postback') return window
  const lacking = await lackingFrom(tx, id, { zone: fields.source_time_zone, receivedBeforeMs: nowMs })
  return lacking !== null && lacking < window.from ? { ...window, from: lacking } : window
}

/** After a run that succeeded: where it folded each day that may have lacked a conversion when it started, none does. */
export async function noteFolded(tx: Transaction, run: Loaded<SyncRunState>, order: RunOrder): Promise<void> {
  const startedMs = run.state.started_ms
  const { window, integration_id: id } = order
  if (startedMs === null || window === null) return
  const zone = order.basis.source_time_zone
  const lacking = await lackingFrom(tx, id, { zone, receivedBeforeMs: startedMs })
  const isWhole = (lacking === null || window.from <= lacking) && window.to >= localDate(order.queued_ms, zone)
  if (isWhole) await writeFolded(tx, id, startedMs)
}

/** The first day whose stats may lack a conversion that was received before the instant; null where none may. */
async function lackingFrom(
  tx: Transaction,
  integrationId: string,
  { zone, receivedBeforeMs: toMs }: { zone: string; receivedBeforeMs: number },
): Promise<string | null> {
  const folded = await foldedMs(tx, integrationId)
  if (folded === null) {
    const first = await firstOccurredMs(tx, integrationId)
    return first === null ? null : localDate(first, zone)
  }
  const fromMs = folded - commitMs
  const late = await firstLateMs(tx, integrationId, { fromMs, toMs })
  // Those that did not come late occurred no earlier than a day before they were received.
  return localDate(Math.min(late ?? fromMs, fromMs - dayMs), zone)
}
