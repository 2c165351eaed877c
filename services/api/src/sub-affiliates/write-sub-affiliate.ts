// POST and PATCH of a sub-affiliate and its plan: what is judged, and what is stored beside its stream (domain.md 3.8).
import { load } from '@wds/aggregate/aggregate'
import { type MergePatch, mergePatch } from '@wds/aggregate/merge-patch'
import { change, create } from '@wds/aggregate/resource'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate, timeZoneName } from '../calendar/domain/calendar.ts'
import { commissionPlans } from '../commission-plans/resource.ts'
import type { ApiDependencies } from '../dependencies.ts'
import { closedMonthsFrom, isMonthClosed, readBalances } from '../ledger/store-ledger.ts'
import type { operations } from '../openapi.generated.ts'
import { readSettings } from '../settings/read-settings.ts'
import { invitationMs } from './domain/invitation.ts'
import type { SubAffiliateFields } from './domain/sub-affiliate.ts'
import { effectiveFaults, isEmail, subAffiliateFaults } from './domain/sub-affiliate-form.ts'
import { InvitationLink } from './invitation-link.ts'
import { subAffiliates } from './resource.ts'
import { countSubAffiliates, findByExternalId, lockSubAffiliates, subAffiliatesMax } from './store-places.ts'
import { readProfiles, removePayoutMethod, storePayoutMethod, storeProfile } from './store-profiles.ts'

type Own = Pick<ApiDependencies, 'envelope' | 'baseUrl'>

export function createSubAffiliate(request: ApiRequest<operations['createSubAffiliate']>, o: Own) {
  const link = new InvitationLink(o.baseUrl)
  return create(
    request,
    subAffiliates,
    () => {
      const { name, email, payout_method = null, plan_id, effective_from, invite = true, ...given } = request.body
      refuseEmail(email)
      if (effective_from !== undefined) refuse(effectiveFaults(effective_from))
      return async (tx, { id, nowMs }) => {
        const { time_zone: workspaceZone } = await readSettings(tx)
        const { external_id = null, country = null, metadata = {}, payout_currency } = given
        const zone = given.time_zone ?? workspaceZone
        const minimum_payout = given.minimum_payout ?? { amount: 0, currency: payout_currency }
        const own = { external_id, country, metadata, payout_currency, minimum_payout, time_zone: zone }
        refuse(subAffiliateFaults(own))
        await lockSubAffiliates(tx)
        if ((await countSubAffiliates(tx)) >= subAffiliatesMax) throw new Problem('limit_reached')
        await refuseKnown(tx, external_id)
        const plan = { plan_id, effective_from: effective_from ?? localDate(nowMs, workspaceZone) }
        await judgePlan(tx, plan, payout_currency)
        await storeProfile(tx, id, { name, email })
        if (payout_method !== null) await storeMethod(tx, o, { id, method: payout_method })
        const expiresMs = invite ? nowMs + invitationMs : null
        if (expiresMs !== null) await link.renew(tx, { subAffiliateId: id, expiresMs })
        const fields = { ...own, time_zone: timeZoneName(zone) ?? zone, plan_history: [plan] }
        return { type: 'create', fields, expiresMs, atMs: nowMs } as const
      }
    },
    link,
  )
}

/** What stands in the stream is patched as of any resource; of what stands beside it the stream is told the names alone. */
export function patchSubAffiliate(request: ApiRequest<operations['updateSubAffiliate']>, o: Own) {
  return change(request, subAffiliates, async (tx, { id, state }) => {
    const { fields } = state
    if (fields === null) throw new Error('a sub-affiliate without fields')
    // What is over is refused by the decider, and nothing of it is stored.
    if (state.status === 'removed') return { type: 'update', patch: {}, beside: [] }
    const { name, email, payout_method, ...given } = request.body
    const { plan_history, ...own } = fields
    const cleared = { external_id: null, country: null, metadata: {} }
    const patch = mergePatch(own, given as MergePatch<typeof own>, cleared)
    if (patch.time_zone !== undefined) patch.time_zone = timeZoneName(patch.time_zone) ?? patch.time_zone
    refuse(subAffiliateFaults({ ...own, ...patch }))
    await refuseFixed(tx, id, { before: fields, patch })
    const beside = [
      ...(await changeProfile(tx, id, { name, email })),
      ...(await changeMethod(tx, o, { id, method: payout_method })),
    ]
    return { type: 'update', patch, beside }
  })
}

export function changePlan(request: ApiRequest<operations['changeSubAffiliatePlan']>) {
  return change(request, subAffiliates, async (tx, { state, nowMs }) => {
    const { plan_id, effective_from } = request.body
    refuse(effective_from === undefined ? [] : effectiveFaults(effective_from))
    const { time_zone } = await readSettings(tx)
    const plan = { plan_id, effective_from: effective_from ?? localDate(nowMs, time_zone) }
    await lockSubAffiliates(tx)
    await judgePlan(tx, plan, state.fields?.payout_currency ?? '')
    const closedMonths = await closedMonthsFrom(tx, plan.effective_from.slice(0, 7))
    return { type: 'change_plan', plan, closedMonths }
  })
}

type Plan = SubAffiliateFields['plan_history'][number]

/** A cap is compared with amounts of the payout currency, so that no month waits for a rate. */
async function judgePlan(tx: Transaction, plan: Plan, payoutCurrency: string): Promise<void> {
  const found = await load(tx, commissionPlans, plan.plan_id, { lock: false })
  const unfit = (detail: string) => problemOfFaults([{ pointer: '/plan_id', code: 'invalid_value', detail }])
  if (found === null || found.state.fields === null) throw unfit('No commission plan has this id.')
  const { cap } = found.state.fields
  if (cap !== null && cap.currency !== payoutCurrency)
    throw unfit(`Its cap is in ${cap.currency}, not in the payout currency ${payoutCurrency}.`)
  if (!(await isMonthClosed(tx, plan.effective_from))) return
  const detail = `The month of ${plan.effective_from} is closed.`
  throw new Problem('period_closed', { errors: [{ pointer: '/effective_from', code: 'period_closed', detail }] })
}

async function refuseKnown(tx: Transaction, externalId: string | null): Promise<void> {
  const id = externalId === null ? null : await findByExternalId(tx, externalId)
  if (id === null) return
  const detail = `${id} has this external id.`
  throw new Problem('already_exists', { errors: [{ pointer: '/external_id', code: 'already_exists', detail }] })
}

/** The currency of plans' caps follows the payout currency, and rows the external id. */
async function refuseFixed(
  tx: Transaction,
  id: string,
  { before, patch }: { before: SubAffiliateFields; patch: Partial<SubAffiliateFields> },
): Promise<void> {
  const { external_id = before.external_id, payout_currency = before.payout_currency } = patch
  const isRenamed = external_id !== before.external_id
  const isOtherCurrency = payout_currency !== before.payout_currency
  if (!isRenamed && !isOtherCurrency) return
  await lockSubAffiliates(tx)
  if ((isRenamed && before.external_id !== null) || isOtherCurrency) await refuseWithEntries(tx, id, isRenamed)
  if (isRenamed) await refuseKnown(tx, external_id)
  if (isOtherCurrency) await refuseOtherCaps(tx, before, payout_currency)
}

async function refuseWithEntries(tx: Transaction, id: string, isRenamed: boolean): Promise<void> {
  if (!(await readBalances(tx, [id])).has(id)) return
  const detail = 'Stays as it is once the ledger has an entry.'
  const pointer = isRenamed ? '/external_id' : '/payout_currency'
  throw problemOfFaults([{ pointer, code: 'invalid_value', detail }])
}

async function refuseOtherCaps(tx: Transaction, { plan_history }: SubAffiliateFields, currency: string): Promise<void> {
  for (const { plan_id } of plan_history) {
    const plan = await load(tx, commissionPlans, plan_id, { lock: false })
    const cap = plan?.state.fields?.cap ?? null
    if (cap === null || cap.currency === currency) continue
    const detail = `The cap of ${plan_id} is in ${cap.currency}.`
    throw problemOfFaults([{ pointer: '/payout_currency', code: 'invalid_value', detail }])
  }
}

async function changeProfile(
  tx: Transaction,
  id: string,
  given: { name: string | undefined; email: string | undefined },
): Promise<string[]> {
  if (given.email !== undefined) refuseEmail(given.email)
  const before = (await readProfiles(tx, [id])).get(id)
  if (before === undefined) throw new Error('a sub-affiliate without a profile')
  const { name = before.name, email = before.email } = given
  if (name === before.name && email === before.email) return []
  await storeProfile(tx, id, { name, email })
  return [...(name === before.name ? [] : ['name']), ...(email === before.email ? [] : ['email'])]
}

type Method = NonNullable<
  operations['createSubAffiliate']['requestBody']['content']['application/json']['payout_method']
>

async function changeMethod(
  tx: Transaction,
  o: Own,
  { id, method }: { id: string; method: Method | null | undefined },
): Promise<string[]> {
  if (method === undefined) return []
  const shown = async () => (await readProfiles(tx, [id])).get(id)?.payoutMethod ?? null
  const before = await shown()
  if (method === null) await removePayoutMethod(tx, id)
  else await storeMethod(tx, o, { id, method })
  const after = await shown()
  const isSame = before?.type === after?.type && before?.fingerprint === after?.fingerprint
  return isSame ? [] : ['payout_method']
}

function storeMethod(tx: Transaction, { envelope }: Own, { id, method }: { id: string; method: Method }) {
  return storePayoutMethod(tx, envelope, { id, type: method.type, details: method.details ?? {} })
}

function refuseEmail(email: string): void {
  if (!isEmail(email))
    throw problemOfFaults([{ pointer: '/email', code: 'invalid_format', detail: 'Must be an e-mail address.' }])
}

function refuse(faults: Parameters<typeof problemOfFaults>[0]): void {
  if (faults.length > 0) throw problemOfFaults(faults)
}
