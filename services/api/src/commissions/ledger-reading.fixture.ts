// Reads ledgers through the public door, as far as suites do so over and over.
import assert from 'node:assert/strict'
import type { Fixture } from '../api-service.fixture.ts'

export interface Entry {
  kind: string
  reason: string | null
  rate_bps: number | null
  amount: number
  day: string | null
  row_currency: string
  row_amount: number
  month: string
  balance_after: number
}

export function readingLedgers(fixture: Fixture) {
  const ledgerOf = async (sub: string): Promise<Entry[]> => {
    const entries: Entry[] = []
    for (let cursor = ''; ; ) {
      const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/ledger?limit=100${cursor}`)
      entries.unshift(...(body.data as Entry[]).toReversed())
      if (body.next_cursor == null) return entries
      cursor = `&cursor=${body.next_cursor}`
    }
  }

  /** The balance is the sum of all entries; what is available is never less than nothing. */
  const expectBalance = async (sub: string, wanted: { available: number; paidTotal: number }): Promise<Entry[]> => {
    const entries = await ledgerOf(sub)
    let balance = 0
    for (const one of entries) {
      balance += one.amount
      assert.equal(one.balance_after, balance)
    }
    const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/balance`)
    assert.deepEqual([body.available, body.paid_total], [wanted.available, wanted.paidTotal])
    assert.ok(Number(body.available) >= 0)
    assert.equal(Number(body.available) + Number(body.pending), balance)
    return entries
  }

  return { ledgerOf, expectBalance }
}
