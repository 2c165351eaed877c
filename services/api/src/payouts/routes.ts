// What people do with a payout beside what its resource declares, and how one is made (domain.md 3.9).
import { load } from '@wds/aggregate/aggregate'
import { list } from '@wds/aggregate/list'
import { change, create, invalidState, loadOr404 } from '@wds/aggregate/resource'
import { moneyText } from '@wds/contracts/currencies'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import { readBalances } from '../ledger/store-ledger.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { readSettings } from '../settings/read-settings.ts'
import { allowedActions, type SubAffiliateState } from '../sub-affiliates/domain/sub-affiliate.ts'
import { subAffiliates } from '../sub-affiliates/resource.ts'
import { countScheduled, scheduledMax } from '../sub-affiliates/store-open-payouts.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { coveredMonths } from './domain/covered-months.ts'
import { amountRefusal, type PayoutCommand } from './domain/payout.ts'
import { pastFaults, scheduledFaults } from './domain/payout-form.ts'
import { payouts } from './resource.ts'
import { readClosedMonths } from './store-closed-months.ts'

export function payoutRoutes({ cursors }: Pick<ApiDependencies, 'cursors'>): RouteOf<paths>[] {
  const { read, write: scope } = payouts.scopes
  const one = '/v1/payouts/{id}'
  const action = { method: 'POST', scope } as const
  const moneyAction = { ...action, idempotencyKeyRequired: true } as const
  return [
    { ...moneyAction, path: '/v1/payouts', handle: createPayout },
    { ...moneyAction, path: `${one}/mark-paid`, handle: markPaid },
    { ...moneyAction, path: `${one}/mark-failed`, handle: markFailed },
    { ...moneyAction, path: `${one}/record-return`, handle: recordReturn },
    { ...action, path: `${one}/cancel`, handle: cancel },
    { ...action, path: `${one}/hold`, handle: hold },
    { ...action, path: `${one}/release`, handle: release },
    {
      method: 'GET',
      path: '/v1/sub-affiliates/{id}/payouts',
      scope: read,
      filters: ['status', 'held'],
      handle: listOfSubAffiliate(cursors),
    },
  ]
}

/** One at a time of a sub-affiliate, so that what is available is spent once. */
const createPayout: Handle<operations['createPayout']> = (request) =>
  create(request, payouts, () => {
    const { sub_affiliate_id: id, amount = null, scheduled_for = null } = request.body
    return async (tx, { nowMs }): Promise<PayoutCommand> => {
      const { time_zone } = await readSettings(tx)
      const today = localDate(nowMs, time_zone)
      const faults = scheduledFaults(scheduled_for ?? today, today)
      if (faults.length > 0) throw problemOfFaults(faults)
      const ofSub = await lockActive(tx, id)
      await lockSubAffiliates(tx)
      if ((await countScheduled(tx, id)) >= scheduledMax)
        throw new Problem('limit_reached', { detail: `A sub-affiliate has at most ${scheduledMax} payouts that wait.` })
      const available = (await readBalances(tx, [id])).get(id)?.available ?? 0n
      const asked = judgeAmount(amount === null ? available : BigInt(amount), available, ofSub)
      const months = await readClosedMonths(tx, id)
      const earned = months.reduce((sum, month) => sum + month.amount, 0n)
      const covered = coveredMonths(months, { paid: earned - available, amount: asked })
      const { payout_currency: currency } = ofSub
      const place = { sub_affiliate_id: id, amount: Number(asked), currency, ...covered }
      return { type: 'create', fields: { ...place, scheduled_for: scheduled_for ?? today, time_zone } }
    }
  }) as ReturnType<Handle<operations['createPayout']>>

async function lockActive(tx: Transaction, id: string): Promise<NonNullable<SubAffiliateState['fields']>> {
  const found = await load(tx, subAffiliates, id, { lock: true })
  if (found === null || found.state.fields === null) {
    const detail = 'No sub-affiliate has this id.'
    throw problemOfFaults([{ pointer: '/sub_affiliate_id', code: 'invalid_value', detail }])
  }
  const { status, fields } = found.state
  if (status === 'active') return fields
  const detail = `The sub-affiliate is ${status}; a payout needs an active one.`
  throw invalidState({ code: 'invalid_state', current_status: status, allowed: allowedActions(found.state) }, detail)
}

function judgeAmount(
  amount: bigint,
  available: bigint,
  { minimum_payout, payout_currency: currency }: NonNullable<SubAffiliateState['fields']>,
): bigint {
  const code = amountRefusal({ amount, available, minimum: BigInt(minimum_payout.amount) })
  if (code === null) return amount
  const text = (minor: number | bigint) => `${moneyText(minor, currency)} ${currency}`
  const least = code === 'below_minimum' ? `A payout is ${text(minimum_payout.amount)} at least; ` : ''
  const detail = `${least}${text(available)} is available.`
  throw new Problem(code, { detail, errors: [{ pointer: '/amount', code, detail }] })
}

const markPaid: Handle<operations['markPayoutPaid']> = (request) =>
  change(request, payouts, async (tx, { state, nowMs }) => {
    const { paid, reference = null } = request.body
    const ofSub = await load(tx, subAffiliates, state.fields?.sub_affiliate_id ?? '', { lock: false })
    const isSuspended = ofSub?.state.status === 'suspended'
    const paidMs = instantWithin(paid, '/paid', { paidMs: null, nowMs })
    return { type: 'mark_paid', paidMs, reference, isSuspended }
  })

const markFailed: Handle<operations['markPayoutFailed']> = (request) =>
  change(request, payouts, () => ({ type: 'mark_failed', code: request.body.failure_code }))

const recordReturn: Handle<operations['recordPayoutReturn']> = (request) =>
  change(request, payouts, (_tx, { state: { paid_ms: paidMs }, nowMs }) => ({
    type: 'record_return',
    returnedMs: instantWithin(request.body.returned, '/returned', { paidMs, nowMs }),
  }))

const cancel: Handle<operations['cancelPayout']> = (request) => change(request, payouts, () => ({ type: 'cancel' }))

const hold: Handle<operations['holdPayout']> = (request) =>
  change(request, payouts, () => ({ type: 'hold', hold: { by_rule_id: null, reason: request.body.reason } }))

const release: Handle<operations['releasePayout']> = (request) => change(request, payouts, () => ({ type: 'release' }))

function listOfSubAffiliate(cursors: ApiDependencies['cursors']): Handle<operations['listPayoutsOfSubAffiliate']> {
  return async (request) => {
    const { id } = request.params
    await request.read((tx) => loadOr404(tx, subAffiliates, id))
    return list(request, payouts, { cursors, within: { sub_affiliate_id: id } })
  }
}

/** Now, where nobody says when. */
function instantWithin(
  given: string | undefined,
  pointer: string,
  o: { paidMs: number | null; nowMs: number },
): number {
  if (given === undefined) return o.nowMs
  const ms = Date.parse(given)
  const atMs = Number.isNaN(ms) ? null : ms
  const faults = pastFaults(pointer, { atMs, ...o })
  if (atMs === null || faults.length > 0) throw problemOfFaults(faults)
  return atMs
}
