// What the ledger of one sub-affiliate comes to, worked out a second time from the rows, the plans' terms, payouts and arithmetic alone
// (domain.md 3.9). Written from the design; nothing of the product takes part. For tests only.

// Past months close with their first final day; the present one stays open.
const present = new Date().toISOString().slice(0, 7)
const monthBack = (back: number) =>
  new Date(Date.UTC(+present.slice(0, 4), +present.slice(5) - 1 - back, 1)).toISOString().slice(0, 7)
export const months = [monthBack(2), monthBack(1), present]
export const days = months.flatMap((month) => [`${month}-01`, `${month}-02`])

export interface Row {
  campaign: 'c1' | 'c2' | ''
  currency: 'EUR' | 'USD'
  ftds: number
  commission: number
}
export const plans = [
  {
    type: 'tiered',
    tiers: [
      { from_ftds: 3, revshare_bps: 1_111 },
      { from_ftds: 9, revshare_bps: 3_333 },
    ],
    negative_carryover: true,
  },
  { type: 'hybrid', cpa: { amount: 333, currency: 'USD' }, revshare_bps: 2_505, negative_carryover: false },
  { type: 'revshare', revshare_bps: 4_999, cap: { amount: 1_500, currency: 'EUR' }, negative_carryover: true },
] as const
/** Half to even, of numbers that stay exact. */
function rounded(part: number, whole: number): number {
  const below = Math.floor(part / whole)
  const rest = 2 * (part - below * whole)
  return rest > whole || (rest === whole && below % 2 !== 0) ? below + 1 : below
}

/** By what the dollars of a fixed amount become the currency of the rows. */
const [dollarOver, dollarUnder] = [
  (currency: string) => (currency === 'USD' ? 1 : 4),
  (currency: string) => (currency === 'USD' ? 1 : 5),
]

/** Euros of an amount: one is 1.25 dollars in all of the test. */
const [euroOf, dollars] = [
  (currency: string) => (currency === 'USD' ? 4 : 1),
  (currency: string) => (currency === 'USD' ? 5 : 1),
]

type PayoutState = 'scheduled' | 'processing' | 'paid' | 'returned' | 'failed' | 'canceled'
/** By action: from which state to which. */
export const endings = {
  cancel: { scheduled: 'canceled' },
  'mark-paid': { scheduled: 'paid', processing: 'paid' },
  'mark-failed': { processing: 'failed' },
  'record-return': { paid: 'returned' },
} as const
export type Ending = keyof typeof endings

/** What it is told once a transaction is kept. */
export type Told = () => void

export class Oracle {
  /** Without those of payouts. */
  readonly entries: { month: string; amount: number }[] = []
  readonly payouts: { id: string; amount: number; state: PayoutState }[] = []
  readonly closed = new Set<string>()
  /** Closed, or closing: nothing new is posted in it. By the last day that a close has gone past. */
  private readonly ended = new Map<string, string>()
  history = [{ plan: 0, from: days[0] ?? '' }]
  /** What each day, campaign and currency of the rows has cost, before conversion. */
  readonly costs = new Map<string, number>()
  private readonly rows = new Map<string, Map<string, Row>>()
  private readonly terms = new Map<string, { plan: number; bps: number }>()
  private readonly posted = new Map<string, number>()
  /** By which plan. */
  private readonly kept = new Map<string, number>()
  /** By day of a month that is closed: the plan that it was closed with. No later change of plan concerns it. */
  private readonly settled = new Map<string, number>()
  /** Days without a rate of dollars. */
  readonly unrated = new Set<string>()

  /** A past month is closed with its first final day. */
  final(on: string, given: Row[]): void {
    const isFirst = !this.rows.has(on)
    this.roll(on, given)
    const month = on.slice(0, 7)
    if (isFirst && month !== present && !this.closed.has(month)) this.close(month)
  }

  /** A day is final, or final again. */
  roll(on: string, given: Row[]): void {
    const rows = this.rows.get(on) ?? new Map<string, Row>()
    for (const one of given) {
      const key = `${one.campaign} ${one.currency}`
      rows.set(key, one)
      this.costs.set(`${on} ${key}`, this.costs.get(`${on} ${key}`) ?? 0)
    }
    this.rows.set(on, rows)
    this.post(on)
  }

  /** And final days of open months are posted anew. */
  changePlan(plan: number, from: string): boolean {
    if (!this.assign(plan, from)) return false
    for (const on of this.rows.keys()) if (on >= from && !this.ended.has(on.slice(0, 7))) this.post(on)
    return true
  }

  assign(plan: number, from: string): boolean {
    if (this.ended.has(from.slice(0, 7))) return false
    this.history = [...this.history.filter((one) => one.from < from), { plan, from }]
    return true
  }

  adjust(amount: number): void {
    this.entries.push({ month: present, amount })
  }

  sumOf(isWanted: (month: string) => boolean): number {
    return this.entries.filter(({ month }) => isWanted(month)).reduce((sum, { amount }) => sum + amount, 0)
  }

  get available(): number {
    const taken = this.payouts.filter(({ state }) => !['canceled', 'failed', 'returned'].includes(state))
    return this.sumOf((month) => this.closed.has(month)) - taken.reduce((sum, { amount }) => sum + amount, 0)
  }

  get paidTotal(): number {
    return this.payouts.reduce((sum, { state, amount }) => sum + (state === 'paid' ? amount : 0), 0)
  }

  /** The day of those that are scheduled has come. */
  process(which: readonly { state: PayoutState }[] = this.payouts): void {
    for (const one of which) if (one.state === 'scheduled') one.state = 'processing'
  }

  /** Whether this may become of a payout now; then it has. */
  end(which: number, how: Ending): boolean {
    const one = this.payouts[which]
    const next = one && (endings[how] as Record<string, PayoutState>)[one.state]
    if (one === undefined || next === undefined) return false
    one.state = next
    return true
  }

  private planOn(on: string): number {
    return this.settled.get(on) ?? this.history.findLast(({ from }) => from <= on)?.plan ?? -1
  }

  /** A past month without a day is never closed. */
  private openFrom(month: string): string {
    const isOpen = (one: string) => one === present || [...this.rows.keys()].some((on) => on.startsWith(one))
    return months.find((one) => one >= month && !this.ended.has(one) && isOpen(one)) ?? ''
  }

  /** Also of a month whose close has not come to the day. */
  private monthOf(on: string): string {
    const month = on.slice(0, 7)
    const passed = this.ended.get(month)
    return passed !== undefined && passed < on ? month : this.openFrom(month)
  }

  /** What a day comes to, beside what was posted of it. */
  post(on: string): void {
    const plan = this.planOn(on)
    const terms = plans[plan]
    // Amounts whose rate is missing are left out; the plan's rate is that of the first ones which are not.
    const postable = [...(this.rows.get(on) ?? [])].filter(([key, one]) => {
      const isMoved = this.posted.has(`${on} ${key}`) || one.ftds !== 0 || one.commission !== 0
      const needsRate = (one.currency === 'USD' || terms?.type === 'hybrid') && this.kept.get(`${on} ${key}`) !== plan
      return isMoved && !(needsRate && this.unrated.has(on))
    })
    if (postable.length === 0) return
    if (this.terms.get(on)?.plan !== plan) this.terms.set(on, { plan, bps: this.rateOn(on, plan) })
    const bps = this.terms.get(on)?.bps ?? 0
    for (const [key, one] of postable) {
      const share = rounded(one.commission * bps * euroOf(one.currency), 10_000 * dollars(one.currency))
      const fixed = terms?.type === 'hybrid' ? rounded(one.ftds * terms.cpa.amount * 4, 5) : 0
      const rowFixed =
        terms?.type === 'hybrid'
          ? rounded(one.ftds * terms.cpa.amount * dollarOver(one.currency), dollarUnder(one.currency))
          : 0
      this.costs.set(`${on} ${key}`, rounded(one.commission * bps, 10_000) + rowFixed)
      const before = this.posted.get(`${on} ${key}`) ?? 0
      this.posted.set(`${on} ${key}`, share + fixed)
      this.kept.set(`${on} ${key}`, plan)
      if (share + fixed !== before) this.entries.push({ month: this.monthOf(on), amount: share + fixed - before })
    }
  }

  private rateOn(on: string, plan: number): number {
    const terms = plans[plan]
    if (terms?.type !== 'tiered') return terms?.revshare_bps ?? 0
    let ftds = 0
    for (const [other, rows] of this.rows)
      if (other.slice(0, 7) === on.slice(0, 7) && other <= on) for (const one of rows.values()) ftds += one.ftds
    return ftds >= 9 ? 3_333 : ftds >= 3 ? 1_111 : 0
  }

  /** What was asked for while the month was open counts in it, also where nobody has come to it yet. */
  close(month: string): void {
    this.beginClose(month)
    this.endAccount(month)
    this.closed.add(month)
  }

  /** No later change of plan concerns it. */
  beginClose(month: string): void {
    const own = days.filter((on) => on.startsWith(month))
    for (const on of [...own, `${month}-99`]) this.settled.set(on, this.planOn(on))
    this.ended.set(month, '')
  }

  /** The close has come to the day. */
  passDay(on: string): void {
    this.post(on)
    this.ended.set(on.slice(0, 7), on)
  }

  endAccount(month: string): void {
    for (const on of days) if (on.startsWith(month) && on > (this.ended.get(month) ?? '')) this.post(on)
    this.ended.set(month, `${month}-99`)
    const sum = this.sumOf((one) => one === month)
    const terms = plans[this.planOn(`${month}-99`)]
    if (sum < 0) {
      this.entries.push({ month, amount: -sum })
      if (terms?.negative_carryover) this.entries.push({ month: this.openFrom(month), amount: sum })
    } else if (terms?.type === 'revshare' && sum > terms.cap.amount)
      this.entries.push({ month, amount: terms.cap.amount - sum })
  }
}
