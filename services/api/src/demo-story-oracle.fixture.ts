// A second opinion on the money of the demo workspace's story: invoices and ledger worked out from the uploaded rows by a few loops, with
// tiers and rounding of its own. Written from domain.md 3.7 to 3.9 alone; nothing of the product takes part. For tests only.

/** A line of the upload; amounts in cents. */
export interface StoryRow {
  day: string
  campaign: 'spring' | 'autumn' | 'winter'
  /** Of the one sub-affiliate, or empty. */
  sub: string
  clicks: number
  ftds: number
  cpa: number
  revshare: number
  other: number
}

const dayMs = 86_400_000
export const subAffiliate = 'sub-1'
/** Its revenue share of this campaign, where it is negative, is carried over; that of `winter` is brought to 0. */
export const carriedCampaign = 'autumn'
export const tiers = [
  { from_ftds: 12, revshare_bps: 1_111 },
  { from_ftds: 33, revshare_bps: 2_345 },
]
/** On the last day but one of the backfill four times as many people click. */
export const oddDay = '2026-01-30'
/** Dollars for ten thousand euros. */
const rateOn = (day: string) => 10_800 + ((Date.parse(day) / dayMs) % 37)

export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) days.push(new Date(ms).toISOString().slice(0, 10))
  return days
}

/** What the network of the brand reports, without chance. */
export function rowsOf(days: string[]): StoryRow[] {
  return days.flatMap((day) => {
    const n = Date.parse(day) / dayMs
    const [own, ftds] = [1 + (n % 3), 1 + (n % 2)]
    const clicks = (150 + ((n * 7) % 11)) * (day === oddDay ? 4 : 1)
    return [
      row(day, 'spring', '', { clicks, ftds: own, cpa: own * 4_015, revshare: 9_001 + ((n * 37) % 113) }),
      row(day, 'spring', subAffiliate, {
        clicks: 60,
        ftds,
        cpa: ftds * 2_507,
        revshare: 1_203 + ((n * 53) % 97),
        other: 11,
      }),
      row(day, 'autumn', subAffiliate, { clicks: 20, revshare: -101 - (n % 13) }),
      row(day, 'winter', '', { clicks: 10, cpa: 250, revshare: -57 - (n % 5) }),
    ]
  })
}

function row(day: string, campaign: StoryRow['campaign'], sub: string, numbers: Partial<StoryRow>): StoryRow {
  return { day, campaign, sub, clicks: 0, ftds: 0, cpa: 0, revshare: 0, other: 0, ...numbers }
}

const euros = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${`${Math.abs(cents) % 100}`.padStart(2, '0')}`

export const csvOf = (rows: StoryRow[]) =>
  ['date,campaign,sub_id,currency,clicks,qualified_ftds,cpa_commission,revshare_commission,other_commission']
    .concat(
      rows.map((r) =>
        [r.day, r.campaign, r.sub, 'EUR', r.clicks, r.ftds, ...[r.cpa, r.revshare, r.other].map(euros)].join(),
      ),
    )
    .join('\n')
    .concat('\n')

export const ratesCsvOf = (days: string[]) =>
  `date,base,quote,rate\n${days.map((day) => `${day},EUR,USD,${(rateOn(day) / 10_000).toFixed(4)}\n`).join('')}`

const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)

/** Half to even, in a way of its own: by the decimals of an exact fraction. */
function rounded(numerator: bigint, denominator: bigint): number {
  const sign = numerator < 0n ? -1n : 1n
  const size = numerator * sign
  const whole = size / denominator
  const twice = (size - whole * denominator) * 2n
  const up = twice > denominator || (twice === denominator && whole % 2n === 1n)
  return Number(sign * (whole + (up ? 1n : 0n)))
}

/** Rows as they are now, and what came of them at each step of the story. */
export class StoryOracle {
  private readonly rows = new Map<string, StoryRow>()
  private readonly billed = new Map<string, number>()
  private readonly bpsOf = new Map<string, number>()
  private readonly posted = new Map<string, number>()
  private carried = 0
  /** Of the ledger, without payouts. */
  readonly entries: { month: string; day: string; kind: string; rate_bps: number; amount: number }[] = []

  /** The rows are there, and their days final; `openMonth`: what changed of a month that is closed counts for this one. */
  final(rows: StoryRow[], openMonth?: string): void {
    for (const one of rows) this.rows.set(`${one.day} ${one.campaign} ${one.sub}`, one)
    const days = [...new Set(rows.map(({ day }) => day))].sort()
    for (const day of days) this.post(day, openMonth ?? day.slice(0, 7))
  }

  sumOf(...months: string[]): number {
    return sum(this.entries.filter(({ month }) => months.includes(month)).map(({ amount }) => amount))
  }

  /** The lines of the month's invoice, which is generated now: what was earned, less what was left out, and what earlier months owe. */
  bill(month: string): Record<'total' | 'carryover' | 'correction', number> {
    let correction = 0
    for (const [day, amount] of this.billed) {
      correction += this.earnedOn(day) - amount
      this.billed.set(day, this.earnedOn(day))
    }
    const rows = this.all((one) => one.day.startsWith(month))
    for (const { day } of rows) this.billed.set(day, this.earnedOn(day))
    const shareOf = (campaign: string) =>
      sum(rows.filter((one) => one.campaign === campaign).map((one) => one.revshare))
    const [before, rest] = [this.carried, shareOf(carriedCampaign) - this.carried]
    this.carried = Math.max(0, -rest)
    const carryover = this.carried - before
    const floor = Math.max(0, -shareOf('winter'))
    const earned = sum(rows.map(({ cpa, revshare, other }) => cpa + revshare + other))
    return { total: earned + carryover + floor + correction, carryover, correction }
  }

  private all(isWanted: (row: StoryRow) => boolean): StoryRow[] {
    return [...this.rows.values()].filter(isWanted)
  }

  private earnedOn(day: string): number {
    return sum(this.all((one) => one.day === day).map(({ cpa, revshare, other }) => cpa + revshare + other))
  }

  private post(day: string, month: string): void {
    const own = (one: StoryRow) => one.sub === subAffiliate
    if (!this.bpsOf.has(day)) {
      const soFar = this.all((one) => own(one) && one.day.startsWith(day.slice(0, 7)) && one.day <= day)
      const ftds = sum(soFar.map((one) => one.ftds))
      this.bpsOf.set(day, tiers.filter(({ from_ftds }) => from_ftds <= ftds).at(-1)?.revshare_bps ?? 0)
    }
    for (const one of this.all((row) => own(row) && row.day === day)) {
      const rate_bps = this.bpsOf.get(day) ?? 0
      const base = BigInt(one.cpa + one.revshare + one.other)
      const amount = rounded(base * BigInt(rate_bps) * BigInt(rateOn(day)), 10_000n * 10_000n)
      const key = `${day} ${one.campaign}`
      const before = this.posted.get(key)
      this.posted.set(key, amount)
      if (before === undefined) this.entries.push({ month, day, kind: 'accrual', rate_bps, amount })
      else if (amount !== before)
        this.entries.push({ month, day, kind: 'adjustment', rate_bps, amount: amount - before })
    }
  }
}
