// Declares the payout: its stream, its row, its place in the API (domain.md 3.9). Its entries of the ledger are posted with its events.
import { type Change, type Loaded, load } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, invalidState, type Resource } from '@wds/aggregate/resource'
import type { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import { presentMonth } from '../ledger/present-month.ts'
import { appendEntry } from '../ledger/store-ledger.ts'
import type { Payout } from '../openapi.generated.ts'
import { subAffiliates } from '../sub-affiliates/resource.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { setWork } from '../sub-affiliates/store-work.ts'
import {
  dueMs,
  type PayoutCommand,
  type PayoutEvent,
  type PayoutRejection,
  type PayoutState,
  paidAmountOf,
  payoutDecider,
  postingOf,
} from './domain/payout.ts'
import { payoutPublicEvent } from './domain/public-events.ts'

export const payouts: Resource<PayoutState, PayoutCommand, PayoutEvent, PayoutRejection, Payout> = {
  streamType: 'payout',
  idPrefix: 'pyo',
  table: 'payouts',
  path: '/v1/payouts',
  scopes: { read: 'invoices:read', write: 'invoices:write' },
  isMatchRequired: true,
  decider: payoutDecider,
  columns: (state) => ({
    status: state.status,
    sub_affiliate_id: state.fields?.sub_affiliate_id,
    held: String(state.held !== null),
    paid_amount: paidAmountOf(state),
  }),
  filters: { status: 'status', sub_affiliate_id: 'sub_affiliate_id', held: 'held' },
  announce: publicEvents(payoutPublicEvent),
  project: follow,
  // The worker finds those whose day comes by a row beside them.
  async beforeRebuild(tx, rows) {
    for (const { id, state } of rows) await setWork(tx, { id, atMs: dueMs(state) })
  },
  // Whether it may be paid hangs on its sub-affiliate, whose row comes first wherever both are locked.
  async lockFirst(tx, { state }) {
    await load(tx, subAffiliates, state.fields?.sub_affiliate_id ?? '', { lock: true })
  },
  toApi: (rows) => rows.map(toApiPayout),
  toProblem,
}

async function follow(tx: Transaction, { before, after, events }: Change<PayoutState, PayoutEvent>): Promise<void> {
  const atMs = dueMs(after.state)
  if (atMs !== dueMs(before)) await setWork(tx, { id: after.id, atMs })
  for (const event of events) await post(tx, after, event)
}

async function post(tx: Transaction, { id, state, nowMs }: Loaded<PayoutState>, event: PayoutEvent): Promise<void> {
  const sign = postingOf(event)
  if (sign === 0) return
  if (state.fields === null) throw new Error('a payout without fields')
  const { sub_affiliate_id: subAffiliateId, amount, currency } = state.fields
  await lockSubAffiliates(tx)
  const kind = sign < 0 ? 'payout' : 'payout_reversal'
  await appendEntry(tx, {
    subAffiliateId,
    kind,
    reason: null,
    amount: BigInt(sign * amount),
    currency,
    note: null,
    about: null,
    month: await presentMonth(tx, nowMs),
    source: kind,
    sourceId: id,
    nowMs,
  })
}

function toProblem(rejection: PayoutRejection): Problem {
  if (rejection.code === 'invalid_state') return invalidState(rejection)
  const detail = 'Its sub-affiliate is suspended and is not paid meanwhile; reactivate it first.'
  return invalidState({ ...rejection, code: 'invalid_state' }, detail)
}

const instantOf = (ms: number | null) => (ms === null ? null : toInstant(ms))

function toApiPayout(row: Loaded<PayoutState>): Payout {
  const { status, fields, held, paid_ms, returned_ms, failure_code, reference } = row.state
  if (fields === null || status === 'none') throw new Error('a payout without fields')
  return {
    ...commonFields('payout', row),
    status,
    ...fields,
    held,
    paid: instantOf(paid_ms),
    returned: instantOf(returned_ms),
    failure_code,
    reference,
  }
}
