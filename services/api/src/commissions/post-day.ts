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
import { appendEntry, firstOpenMonth } from '../ledger/store-ledger.ts'
import { planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { setWork } from '../sub-affiliates/store-work.ts'
import { rateOf } from './domain/commission.ts'
import { type Earned, type PlanTermsOfDay, type Posted, postingsOf, type Rate, storedTerms } from './domain/postings.ts'
import { readMonthFtds, readPosted, readSubAffiliates, readSums, type SubAffiliate } from './store-sums.ts'

export interface FinalDay {
  day: string
  revision: number
  references: ReferenceRates
  nowMs: number
  /** Where it is posted: the first month that is open from the day's on, unless one is given. */
  month?: string
}

/** Until a day is looked at again of which an amount could not be converted. An import of rates has it looked at, too. */
const rateWaitMs = 3_600_000

/** The rollup of the day is stored already. It takes the lock of the workspace's sub-affiliates. */
export async function postDay(tx: Transaction, o: FinalDay): Promise<void> {
  await lockSubAffiliates(tx)
  const subAffiliates = await readSubAffiliates(tx, o.day)
  if (subAffiliates.length === 0) return setWork(tx, { id: o.day, atMs: null })
  const externalIds = subAffiliates.flatMap(({ fields }) => fields.external_id ?? [])
  const sums = Map.groupBy(await readSums(tx, o.day, externalIds), ({ externalId }) => externalId)
  const posted = Map.groupBy(await readPosted(tx, o.day), ({ subAffiliateId }) => subAffiliateId)
  const month = o.month ?? (await firstOpenMonth(tx, o.day.slice(0, 7)))
  const rates = await ratesOn(tx, o)
  let isWhole = true
  for (const subAffiliate of subAffiliates) {
    const own = {
      now: sums.get(subAffiliate.fields.external_id ?? '') ?? [],
      posted: posted.get(subAffiliate.id) ?? [],
    }
    if (!(await postSubAffiliate(tx, subAffiliate, { ...o, ...own, month, rates }))) isWhole = false
  }
  await setWork(tx, { id: o.day, atMs: isWhole ? null : o.nowMs + rateWaitMs })
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

type Own = FinalDay & { month: string; rates: Rates; now: readonly Earned[]; posted: readonly Posted[] }

/** False where an amount could not be worked out. */
async function postSubAffiliate(tx: Transaction, subAffiliate: SubAffiliate, o: Own): Promise<boolean> {
  const { day, revision, month, now, posted } = o
  const plan = planOn(subAffiliate.fields, day)
  if (plan === null) return true
  const { payout_currency: currency } = subAffiliate.fields
  const fresh = storedTerms(posted, plan.plan_id) ?? (await termsOfDay(tx, subAffiliate, { day, planId: plan.plan_id }))
  const rate = rateTo(currency, o)
  const { postings, isWhole } = postingsOf({ now, posted, fresh, rate, rateSet: o.rates.id })
  for (const { kind, reason, amount, nth, ...about } of postings) {
    const rowsOf = about.campaignId ?? about.integrationId ?? '-'
    await appendEntry(tx, {
      subAffiliateId: subAffiliate.id,
      kind,
      reason,
      amount,
      currency,
      month,
      note: null,
      about: { ...about, day, revision },
      source: 'stats_day',
      sourceId: [subAffiliate.id, day, rowsOf, about.rowCurrency, nth].join('/'),
      nowMs: o.nowMs,
    })
  }
  return isWhole
}

async function termsOfDay(
  tx: Transaction,
  { fields }: SubAffiliate,
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

function rateTo(currency: string, { day, rates }: Own): Rate {
  const conversions = conversionsTo(currency, rates.set, { from: day, to: day })
  return (from) => {
    if (from === currency) return null
    const found = conversions.find((one) => one.currency === from)
    if (found === undefined) return 'missing'
    return { numerator: String(found.numerator), denominator: String(found.denominator) }
  }
}
