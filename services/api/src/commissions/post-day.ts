// Brings the ledger to what the numbers of a final day say (domain.md 3.9): an accrual for each campaign and currency, and an adjustment of
// the difference once they change. Doing it again posts nothing.
import { load, workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { PlanFields } from '../commission-plans/domain/commission-plan.ts'
import { commissionPlans } from '../commission-plans/resource.ts'
import { conversionsTo, type RateSet } from '../fx/domain/rate-set.ts'
import { nameOf, readRates } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { newestSetNumber } from '../fx/store-rates.ts'
import type { Fraction, Terms } from '../ledger/domain/ledger-entry.ts'
import { appendEntry, firstOpenMonth } from '../ledger/store-ledger.ts'
import { planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { setWork } from '../sub-affiliates/store-work.ts'
import { amountOf, rateOf, type Sums } from './domain/commission.ts'
import { type Earner, type Posted, readEarners, readMonthFtds, readPosted, readSums } from './store-sums.ts'

export interface FinalDay {
  day: string
  revision: number
  references: ReferenceRates
  nowMs: number
}

/** Until a day is looked at again of which an amount could not be converted. An import of rates has it looked at, too. */
const rateWaitMs = 3_600_000
const nothing: Sums = { qualifiedFtds: 0n, commission: 0n, ngr: 0n }

/** The rollup of the day is stored already. It takes the lock of the workspace's sub-affiliates. */
export async function postDay(tx: Transaction, o: FinalDay): Promise<void> {
  await lockSubAffiliates(tx)
  const earners = await readEarners(tx, o.day)
  if (earners.length === 0) return setWork(tx, { id: o.day, atMs: null })
  const externalIds = earners.flatMap(({ fields }) => fields.external_id ?? [])
  const sums = Map.groupBy(await readSums(tx, o.day, externalIds), ({ externalId }) => externalId)
  const posted = Map.groupBy(await readPosted(tx, o.day), ({ subAffiliateId }) => subAffiliateId)
  const month = await firstOpenMonth(tx, o.day.slice(0, 7))
  const rates = await ratesOn(tx, o)
  let isWhole = true
  for (const earner of earners) {
    const groups = groupsOf(sums.get(earner.fields.external_id ?? '') ?? [], posted.get(earner.id) ?? [])
    const own = { ...o, month, rates, posted: posted.get(earner.id) ?? [] }
    if (!(await postEarner(tx, earner, { ...own, groups }))) isWhole = false
  }
  await setWork(tx, { id: o.day, atMs: isWhole ? null : o.nowMs + rateWaitMs })
}

interface Group {
  campaignId: string | null
  currency: string
  sums: Sums
  before: Posted | null
}

/** What the rows say now beside what was posted; of what is not there any more, nothing is left. */
function groupsOf(
  now: readonly (Sums & { campaignId: string | null; currency: string })[],
  posted: readonly Posted[],
): Group[] {
  const keyOf = (one: { campaignId: string | null; currency: string }) => `${one.campaignId} ${one.currency}`
  const before = new Map(posted.map((one) => [keyOf(one), one]))
  const keys = new Set(now.map(keyOf))
  return [
    ...now.map((sums) => ({ ...sums, sums, before: before.get(keyOf(sums)) ?? null })),
    ...posted.filter((one) => !keys.has(keyOf(one))).map((one) => ({ ...one, sums: nothing, before: one })),
  ]
}

interface Rates {
  id: string
  set: RateSet
}

async function ratesOn(tx: Transaction, { day, references }: FinalDay): Promise<Rates> {
  const workspaceId = workspaceOf(tx)
  const name = nameOf(references[0], await newestSetNumber(tx, workspaceId))
  const { rates } = await readRates(tx, name, { workspaceId, from: day, to: day })
  return { id: name.id, set: rates }
}

type Own = FinalDay & { month: string; rates: Rates; posted: readonly Posted[]; groups: readonly Group[] }

/** False where an amount could not be worked out: for lack of a rate, or beyond the range of money. */
async function postEarner(tx: Transaction, earner: Earner, o: Own): Promise<boolean> {
  const { day, revision, month } = o
  const plan = planOn(earner.fields, day)
  if (plan === null) return true
  const known = o.posted.filter(({ terms }) => terms.plan_id === plan.plan_id)
  let fresh: PlanTermsOfDay | null = null
  let isWhole = true
  for (const { campaignId, currency: rowCurrency, sums, before } of o.groups) {
    const isOtherPlan = before !== null && before.terms.plan_id !== plan.plan_id
    const isNothing = sums.qualifiedFtds === 0n && sums.commission === 0n && sums.ngr === 0n
    if (before === null && isNothing) continue
    // Of one day all campaigns have the rate that was stored first.
    const stored = before !== null && !isOtherPlan ? before : newestOf(known)
    if (stored === null) fresh ??= await termsOfDay(tx, earner, { day, planId: plan.plan_id })
    const terms =
      stored === before && before !== null
        ? before.terms
        : withRates(stored?.terms ?? fresh, { ...o.rates, day, rowCurrency, currency: earner.fields.payout_currency })
    const target = terms === null ? null : amountOf(terms, sums)
    if (terms === null || target === null) {
      isWhole = false
      continue
    }
    const amount = target - (before?.amount ?? 0n)
    if (before !== null && amount === 0n && !isOtherPlan) continue
    const place = [earner.id, day, campaignId ?? '-', rowCurrency, (before?.entries ?? 0) + 1].join('/')
    await appendEntry(tx, {
      ...{ subAffiliateId: earner.id, currency: earner.fields.payout_currency, amount, month, note: null },
      kind: before === null ? 'accrual' : 'adjustment',
      reason: before === null ? null : isOtherPlan ? 'plan_changed' : 'restated',
      about: { day, campaignId, rowCurrency, revision, terms },
      ...{ source: 'stats_day', sourceId: place, nowMs: o.nowMs },
    })
  }
  return isWhole
}

function newestOf(posted: readonly Posted[]): Posted | null {
  return posted.reduce<Posted | null>(
    (newest, one) => (newest === null || one.number > newest.number ? one : newest),
    null,
  )
}

type PlanTermsOfDay = Omit<Terms, 'cpa_fx' | 'fx' | 'rate_set'>

async function termsOfDay(
  tx: Transaction,
  { fields }: Earner,
  o: { day: string; planId: string },
): Promise<PlanTermsOfDay> {
  const plan = await planFieldsOf(tx, o.planId)
  const ftds = plan.type === 'tiered' ? await readMonthFtds(tx, o.day, fields.external_id ?? '') : 0n
  return { plan_id: o.planId, base: plan.base, rate_bps: rateOf(plan, ftds), cpa: plan.cpa }
}

export async function planFieldsOf(tx: Transaction, id: string): Promise<PlanFields> {
  const plan = await load(tx, commissionPlans, id, { lock: false })
  if (plan === null || plan.state.fields === null) throw new Error(`no commission plan ${id}`)
  return plan.state.fields
}

/** By the rates of the day; null where one is missing. */
function withRates(
  terms: PlanTermsOfDay | null,
  o: Rates & { day: string; rowCurrency: string; currency: string },
): Terms | null {
  if (terms === null) throw new Error('terms that were not worked out')
  const conversions = conversionsTo(o.currency, o.set, { from: o.day, to: o.day })
  const from = (currency: string | undefined): Fraction | null | 'missing' => {
    if (currency === undefined || currency === o.currency) return null
    const found = conversions.find((one) => one.currency === currency)
    if (found === undefined) return 'missing'
    return { numerator: String(found.numerator), denominator: String(found.denominator) }
  }
  const [fx, cpa_fx] = [from(o.rowCurrency), from(terms.cpa?.currency)]
  if (fx === 'missing' || cpa_fx === 'missing') return null
  const { plan_id, base, rate_bps, cpa } = terms
  return { plan_id, base, rate_bps, cpa, cpa_fx, fx, rate_set: fx === null && cpa_fx === null ? null : o.id }
}
