// The stored conversions of a window as records of a run, a day at a time (domain.md 4.3). Conversions may be added meanwhile: those that a run
// does not see are seen by the next.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, startOfDayMs } from '../calendar/domain/calendar.ts'
import type { RowRules } from '../sources/domain/check-row.ts'
import { recordsMax } from '../sources/domain/ingest-limits.ts'
import type { SourceRecord } from '../sources/source.ts'
import { foldGroup } from './domain/fold-group.ts'
import { readGroups } from './store-conversions.ts'

export interface Fold {
  integrationId: string
  window: { from: string; to: string }
  /** A transaction of its own for each day. */
  read<T>(fn: (tx: Transaction) => Promise<T>): Promise<T>
}

/** One more than a run may have is read of a day, so that a run of too many is told from one of all. */
export async function* conversionRecords(o: Fold, rules: RowRules): AsyncGenerator<SourceRecord> {
  const { integrationId, window } = o
  let line = 0
  for (let day = window.from; day <= window.to; day = addDays(day, 1)) {
    const fromMs = startOfDayMs(day, rules.zone)
    const toMs = startOfDayMs(addDays(day, 1), rules.zone)
    const part = { integrationId, fromMs, toMs, limit: recordsMax + 1 }
    for (const group of await o.read((tx) => readGroups(tx, part))) {
      line += 1
      yield { line, checked: foldGroup(group, rules) }
    }
  }
}
