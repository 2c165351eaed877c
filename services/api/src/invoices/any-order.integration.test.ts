// Invoices of three months in any order: numbers that change, some of them final already, invoices that are generated, two at once, and
// made void. What is billed is compared with an oracle that knows the uploaded rows and the lines alone (domain.md 3.7, I18).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import fc from 'fast-check'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
/** Its clock is ahead: what is uploaded rests long enough. */
let later: Pool
beforeAll(async () => {
  fixture = await startFixture()
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

const months = ['2026-01', '2026-02', '2026-03']
const lastDays = [31, 28, 31]
const periodOf = (month: number) => ({ from: `${months[month]}-01`, to: `${months[month]}-${lastDays[month]}` })
/**
 * By their deals: a negative revenue share of `carried` is carried over, as that of `merged`, which one of the others takes up once; one of
 * `dropped` is brought to 0.
 */
const campaigns = ['carried', 'dropped', 'merged'] as const

interface Row {
  month: number
  day: number
  campaign: (typeof campaigns)[number]
  cpa: number
  revshare: number
}
interface Line {
  kind: string
  amount: number
  campaign_id: string | null
}
type Step =
  | { do: 'upload'; rows: Row[]; isFinal: boolean }
  | { do: 'generate'; months: number[] }
  | { do: 'void'; which: number }
  | { do: 'merge'; into: (typeof campaigns)[number] }

const month = fc.nat(2)
const row = fc.record({
  month,
  day: fc.integer({ min: 1, max: 2 }),
  campaign: fc.constantFrom(...campaigns),
  cpa: fc.nat(5_000),
  revshare: fc.integer({ min: -4_000, max: 4_000 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('upload'), rows: fc.array(row, { minLength: 1, maxLength: 4 }), isFinal: fc.boolean() }),
  fc.record({ do: fc.constant('generate'), months: fc.uniqueArray(month, { minLength: 1, maxLength: 2 }) }),
  fc.record({ do: fc.constant('void'), which: fc.nat(3) }),
  fc.record({ do: fc.constant('merge'), into: fc.constantFrom('carried', 'dropped') }),
)

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
let brands = 0
let calls = 0

/** One brand: what was uploaded, what of that is final, and the lines of the invoices that count. */
class Brand {
  private readonly slug = `brand${++brands}`
  private integration = ''
  private readonly uploaded = new Map<string, Row>()
  private final = new Map<string, Row>()
  private readonly campaignIds = new Map<string, string>()
  private taker: string | null = null
  private readonly invoices = new Map<string, { month: number; lines: Line[] }>()

  async begin(): Promise<void> {
    this.integration = await fixture.createIntegration({ name: this.slug, brand_slug: this.slug })
    const nothing = { month: 0, day: 1, cpa: 1, revshare: 0 }
    await this.upload({ rows: campaigns.map((campaign) => ({ ...nothing, campaign })), isFinal: true })
    const listed = await fixture.call('GET', `/v1/campaigns?integration_id=${this.integration}`)
    for (const { id, external_id } of listed.body.data as { id: string; external_id: string }[]) {
      this.campaignIds.set(external_id, id)
      const deal = { type: 'revshare', revshare_bps: 3_000, negative_carryover: external_id !== 'dropped' }
      expect((await fixture.call('PATCH', `/v1/campaigns/${id}`, { json: { deal } })).status).toBe(200)
    }
  }

  async upload({ rows, isFinal }: { rows: Row[]; isFinal: boolean }): Promise<void> {
    const lines = new Map(rows.map((one) => [`${months[one.month]}-0${one.day},${one.campaign}`, one]))
    const amount = (minor: number) => (minor / 100).toFixed(2)
    const records = [...lines].map(([key, { cpa, revshare }]) => `${key},EUR,${amount(cpa)},${amount(revshare)}\n`)
    const csv = `date,campaign,currency,cpa_commission,revshare_commission\n${records.join('')}`
    const path = `/v1/imports?type=stats&integration_id=${this.integration}`
    expect((await fixture.call('POST', path, { csv })).status).toBe(202)
    await fixture.work()
    for (const [key, one] of lines) this.uploaded.set(key, one)
    if (!isFinal) return
    await fixture.days(later)
    this.final = new Map(this.uploaded)
  }

  async merge(into: string): Promise<void> {
    if (this.taker !== null) return
    this.taker = into
    const json = { into: this.campaignIds.get(into) }
    const merged = await fixture.call('POST', `/v1/campaigns/${this.campaignIds.get('merged')}/merge`, { json })
    expect(merged.status).toBe(200)
  }

  async makeVoid(which: number): Promise<void> {
    const id = [...this.invoices.keys()][which]
    if (id === undefined) return
    const { status } = await this.act(id, 'void')
    // One of 0 was paid as soon as it was generated.
    if (status === 200) this.invoices.delete(id)
    else expect([status, this.totalOf(id)]).toEqual([409, 0])
  }

  async generate(asked: number[]): Promise<void> {
    const drafts = asked.map(async (of) => {
      const json = { brand_slug: this.slug, currency: 'EUR', period: periodOf(of) }
      const { status, body } = await fixture.call('POST', '/v1/invoices', { json })
      expect(status).toBe(201)
      return { of, id: String(body.id) }
    })
    const answers = (await Promise.all(drafts)).map(async (draft) => ({
      ...draft,
      ...(await this.act(draft.id, 'generate')),
    }))
    let generated = 0
    for (const { of, id, status, body } of await Promise.all(answers)) {
      const isBilled = [...this.invoices.values()].some((one) => one.month === of)
      expect(body.code === 'already_exists').toBe(isBilled)
      if (status !== 200) continue
      generated += 1
      const { body: all } = await fixture.call('GET', `/v1/invoices/${id}/line-items?limit=100`)
      this.invoices.set(id, { month: of, lines: all.data as Line[] })
      expect(this.totalOf(id)).toBe(body.total)
      expect(this.totalOf(id)).toBeGreaterThanOrEqual(0)
    }
    if (generated > 0) this.compare()
  }

  /** What was earned in the months that are billed is billed, still carried, or was dropped by the deal; never what is carried. */
  private compare(): void {
    const lines = [...this.invoices.values()].flatMap((one) => one.lines)
    const amounts = (kind: string, campaign: string) =>
      sum(
        lines
          .filter((one) => one.kind === kind && one.campaign_id === this.campaignIds.get(campaign))
          .map((one) => one.amount),
      )
    const billedMonths = new Set([...this.invoices.values()].map((one) => one.month))
    const earned = [...this.final.values()]
      .filter((one) => billedMonths.has(one.month))
      .map((one) => one.cpa + one.revshare)
    const [ofCarried, ofDropped, ofMerged] = campaigns.map((campaign) => amounts('carryover', campaign))
    const carried = sum([ofCarried ?? 0, ofDropped ?? 0, ofMerged ?? 0])
    expect(sum(lines.map(({ amount }) => amount)) - carried - amounts('adjustment', 'dropped')).toBe(sum(earned))
    expect([amounts('adjustment', 'carried'), amounts('adjustment', 'merged')]).toEqual([0, 0])
    // What was carried of one that is merged is taken back of the one that took it up.
    if (this.taker !== 'dropped') expect(ofDropped).toBe(0)
    if (this.taker === null) expect(Math.min(ofCarried ?? 0, ofMerged ?? 0)).toBeGreaterThanOrEqual(0)
    expect(carried).toBeGreaterThanOrEqual(0)
  }

  private totalOf(id: string): number {
    return sum((this.invoices.get(id)?.lines ?? []).map(({ amount }) => amount))
  }

  private async act(id: string, action: string): Promise<Answer> {
    const read = await fixture.call('GET', `/v1/invoices/${id}`)
    calls += 1
    const headers = { 'if-match': read.headers.get('etag') ?? '', 'idempotency-key': `call-${calls}` }
    return fixture.call('POST', `/v1/invoices/${id}/${action}`, { json: {}, headers })
  }
}

test('I18: in any order of changes, invoices, voids and a merge of campaigns what was earned is billed once', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 40 }), async (steps) => {
    const brand = new Brand()
    await brand.begin()
    for (const [at, one] of steps.entries()) {
      if (one.do === 'upload') await brand.upload(one)
      if (one.do === 'generate') await brand.generate(one.months)
      if (one.do === 'void') await brand.makeVoid(one.which)
      // By then something was carried over.
      if (one.do === 'merge' && at >= 12) await brand.merge(one.into)
    }
  })
  const numRuns = Number(process.env.WDS_INVOICE_RUNS ?? 2)
  await fc.assert(property, { numRuns, seed: Number(process.env.WDS_INVOICE_SEED ?? 19), endOnFailure: true })
})
