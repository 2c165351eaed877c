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
import type { NewEntry } from '../ledger/domain/ledger-entry.ts'
import { appendEntries, firstOpenMonth } from '../ledger/store-ledger.ts'
import { planOn } from '../sub-affiliates/domain/sub-affiliate.ts'
import { lockSubAffiliates } from '../sub-affiliates/store-places.ts'
import { doneToOf, setWork } from '../sub-affiliates/store-work.ts'
import { rateOf } from './domain/commission.ts'
import { type Earned, type PlanTermsOfDay, type Posted, postingsOf, type Rate, storedTerms } from './domain/postings.ts'
import { readMonthFtds, readPosted, readSubAffiliates, readSums, type SubAffiliate } from './store-sums.ts'

export interface FinalDay {
  day: string
  revision: number
  referenceRates: ReferenceRates
  nowMs: number
  /** Where it is posted: the first month that is open from the day's on, unless one is given. */
  month?: string
}

/** Until a day is looked at again of which an amount could not be converted. An import of rates has it looked at, too. */
const rateWaitMs = 3_600_000

/** The rollup of the day is stored already. It takes the lock of the workspace's sub-affiliates. Gives how many it has looked at. */
export async function postDay(tx: Transaction, o: FinalDay): Promise<number> {
  const { day, nowMs } = o
  await lockSubAffiliates(tx)
  const subAffiliates = await readSubAffiliates(tx, day)
  if (subAffiliates.length > 0) {
    const isWhole = await post(tx, subAffiliates, o)
    await setWork(tx, { id: day, atMs: isWhole ? null : nowMs + rateWaitMs })
  } else await setWork(tx, { id: day, atMs: null })
  return subAffiliates.length
}

interface Rates {
  id: string
  set: RateSet
}
/** What is read once for all of the day's sub-affiliates. */
interface OfDay {
  day: string
  month: string
  revision: number
  rates: Rates
  planFieldsOf: PlanFieldsOf
  /** Qualified FTDs of the month up to and with the day. */
  ftdsOf(externalId: string): Promise<bigint>
}

/** False where an amount could not be worked out. */
async function post(tx: Transaction, subAffiliates: readonly SubAffiliate[], o: FinalDay): Promise<boolean> {
  const { day, revision } = o
  const externalIds = subAffiliates.flatMap(({ fields }) => fields.external_id ?? [])
  const sums = Map.groupBy(await readSums(tx, day, externalIds), ({ externalId }) => externalId)
  const posted = Map.groupBy(await readPosted(tx, day), ({ subAffiliateId }) => subAffiliateId)
  const month = o.month ?? (await monthOfDay(tx, day))
  const ftdsOf = monthFtds(tx, { day, externalIds })
  const ofDay = { day, month, revision, rates: await ratesOn(tx, o), planFieldsOf: planReader(tx), ftdsOf }
  const entries: NewEntry[] = []
  let isWhole = true
  for (const subAffiliate of subAffiliates) {
    const own = {
      now: sums.get(subAffiliate.fields.external_id ?? '') ?? [],
      posted: posted.get(subAffiliate.id) ?? [],
    }
    const found = await entriesOf(subAffiliate, own, ofDay)
    entries.push(...found.entries)
    isWhole &&= found.isWhole
  }
  await appendEntries(tx, entries, o)
  return isWhole
}

/** The first open month; of a month that is closing its own, until the close has gone past the day (decision 99). */
async function monthOfDay(tx: Transaction, day: string): Promise<string> {
  const month = day.slice(0, 7)
  const doneTo = await doneToOf(tx, month)
  return doneTo !== null && doneTo < day ? month : firstOpenMonth(tx, month)
}

async function ratesOn(tx: Transaction, { day, referenceRates }: FinalDay): Promise<Rates> {
  const workspaceId = workspaceOf(tx)
  const name = nameOf(referenceRates[0], await newestSetNumber(tx, workspaceId))
  const { rates } = await readRates(tx, name, { workspaceId, from: day, to: day })
  return { id: name.id, set: rates }
}

async function entriesOf(
  { id, fields }: SubAffiliate,
  { now, posted }: { now: readonly Earned[]; posted: readonly Posted[] },
  o: OfDay,
): Promise<{ entries: NewEntry[]; isWhole: boolean }> {
  const { day, revision, month, rates } = o
  const plan = planOn(fields, day)
  if (plan === null) return { entries: [], isWhole: true }
  const { payout_currency: currency } = fields
  const fresh = storedTerms(posted, plan.plan_id) ?? (await termsOfDay(fields, plan.plan_id, o))
  const { postings, isWhole } = postingsOf({ now, posted, fresh, rate: rateTo(currency, o), rateSet: rates.id })
  const entries = postings.map(({ kind, reason, amount, nth, ...about }): NewEntry => {
    const rowsOf = about.campaignId ?? about.integrationId ?? '-'
    return {
      subAffiliateId: id,
      kind,
      reason,
      amount,
      currency,
      month,
      note: null,
      about: { ...about, day, revision },
      source: 'stats_day',
      sourceId: [id, day, rowsOf, about.rowCurrency, nth].join('/'),
    }
  })
  return { entries, isWhole }
}

async function termsOfDay(fields: SubAffiliate['fields'], planId: string, o: OfDay): Promise<PlanTermsOfDay> {
  const plan = await o.planFieldsOf(planId)
  const ftds = plan.type === 'tiered' ? await o.ftdsOf(fields.external_id ?? '') : 0n
  return { plan_id: planId, base: plan.base, rate_bps: rateOf(plan, ftds), cpa: plan.cpa }
}

/** Reads those of all sub-affiliates with the first one that asks. */
function monthFtds(tx: Transaction, o: { day: string; externalIds: readonly string[] }): OfDay['ftdsOf'] {
  let all: Promise<Map<string, bigint>> | null = null
  return async (externalId) => {
    all ??= readMonthFtds(tx, o)
    return (await all).get(externalId) ?? 0n
  }
}

export type PlanFieldsOf = (id: string) => Promise<PlanFields>

/** Reads each plan once. Its terms never change. */
export function planReader(tx: Transaction): PlanFieldsOf {
  const known = new Map<string, PlanFields>()
  return async (id) => {
    const fields = known.get(id) ?? (await load(tx, commissionPlans, id, { lock: false }))?.state.fields ?? null
    if (fields === null) throw new Error(`no commission plan ${id}`)
    known.set(id, fields)
    return fields
  }
}

function rateTo(currency: string, { day, rates }: OfDay): Rate {
  const conversions = conversionsTo(currency, rates.set, { from: day, to: day })
  return (from) => {
    if (from === currency) return null
    const found = conversions.find((one) => one.currency === from)
    if (found === undefined) return 'missing'
    return { numerator: String(found.numerator), denominator: String(found.denominator) }
  }
}
