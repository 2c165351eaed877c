// Finds the month in which is posted what is about no day: the present one of the workspace, or the first open one behind it.
import type { Transaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import { readSettings } from '../settings/read-settings.ts'
import { firstOpenMonth } from './store-ledger.ts'

/** The caller holds the lock of the workspace's sub-affiliates. */
export async function presentMonth(tx: Transaction, nowMs: number): Promise<string> {
  const { time_zone } = await readSettings(tx)
  return firstOpenMonth(tx, localDate(nowMs, time_zone).slice(0, 7))
}
