// What store-billing.ts reads, of invoices and days in memory. For the simulation alone.
import type { Billed } from './corrections.ts'
import type { Carried } from './draw-lines.ts'
import type { Db } from './invoice-oracle.fixture.ts'

/** By its deal a negative revenue share of the first is carried over, one of the second is brought to 0. */
export const campaigns = ['cmp_carried', 'cmp_dropped'] as const

export const about = (campaignId: string) => ({
  campaignId,
  name: campaignId,
  negativeCarryover: campaignId === campaigns[0],
})

export function amountOf(db: Db, day: string): bigint {
  const rows = [...(db.days.get(day)?.rows.values() ?? [])]
  return rows.reduce((sum, { cpa, revshare }) => sum + BigInt(cpa) + BigInt(revshare), 0n)
}

/** Invoices that count. */
export function live(db: Db) {
  return [...db.invoices.values()].flatMap(({ state: { status, fields, billed } }) =>
    fields === null || fields.kind !== 'invoice' || status === 'draft' || status === 'void'
      ? []
      : [{ period: fields.period, lines: fields.lines, billed }],
  )
}

export function readBilled(db: Db, period: { from: string; to: string }): Billed[] {
  const isWithin = (day: string, { from, to }: { from: string; to: string }) => day >= from && day <= to
  return [...db.days.keys()].flatMap((day): Billed[] => {
    const parts = live(db).flatMap((one) =>
      one.billed.filter((part) => part.day === day).map((part) => ({ ...part, one })),
    )
    if (parts.length === 0) return []
    const revision = Math.max(...parts.map((part) => part.revision))
    const isInPeriod = parts.some(({ one }) => isWithin(day, one.period))
    const now = { revision: db.days.get(day)?.revision ?? 0, amount: amountOf(db, day) }
    const isLookedAt = now.revision > revision || parts.length > 1 || !isInPeriod || isWithin(day, period)
    const amount = parts.reduce((sum, part) => sum + BigInt(part.amount), 0n)
    return isLookedAt ? [{ day, amount, revision, isInPeriod, now }] : []
  })
}

export function readCarried(db: Db): Carried[] {
  return campaigns.flatMap((campaignId): Carried[] => {
    const lines = live(db).flatMap((one) => one.lines.filter((each) => each.campaign_id === campaignId))
    const carried = lines.filter(({ kind, origin }) => kind === 'carryover' && origin === 'stats')
    const amount = carried.reduce((sum, each) => sum + BigInt(each.amount), 0n)
    return amount === 0n ? [] : [{ ...about(campaignId), amount }]
  })
}
