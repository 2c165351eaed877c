// Posts a final day anew whose plan, name or rates changed since, by the revision that it has now (domain.md 3.9).
import { dbNow } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { postDay } from './post-day.ts'
import { readRevision } from './store-sums.ts'

export async function postDayAgain(tx: Transaction, o: { day: string; referenceRates: ReferenceRates }): Promise<void> {
  const revision = await readRevision(tx, o.day)
  await postDay(tx, { ...o, revision, nowMs: await dbNow(tx) })
}
