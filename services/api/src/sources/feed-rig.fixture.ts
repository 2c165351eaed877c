// A network, the service, and what a suite of feeds does with both. For integration tests only.
import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { type NetworkRow, networkRows } from '@wds/fake-source/network'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { workOnce } from '../sync-work/worker.ts'
import type { FeedProvider } from './domain/feed-settings.ts'
import type { FeedLimits } from './domain/ingest-limits.ts'
import { addressOf, csvSettings, jsonSettings } from './feed.fixture.ts'

export const dayMs = 86_400_000
export const day = (ago: number) => new Date(Date.parse('2026-01-25') - ago * dayMs).toISOString().slice(0, 10)
/** The last of these days ended long before the network is asked, so that nothing changes by itself. */
export const window = { from: day(20), to: day(14) }
/** When the network is asked. */
export const asOfMs = Date.parse(day(0))

interface RunOptions {
  limits?: Partial<FeedLimits>
  body?: object
}

export interface FeedRig {
  fixture: Fixture
  source: FakeSource
  /** The address of a report of the network. */
  at(report: string, door?: string): string
  csvSettings(extra?: object): object
  jsonSettings(extra?: object): object
  /** An integration without a schedule, whose runs are asked for. */
  feed(provider: FeedProvider, settings: object, extra?: object): Promise<string>
  /** Carries out what is due. */
  work(limits?: Partial<FeedLimits>): Promise<void>
  /** Asks for a run, carries out its attempts, and gives what became of it. */
  run(id: string, o?: RunOptions): Promise<Answer['body']>
  totals(id: string): Promise<unknown>
  /** What the network says by itself, counted by another way than the product's. */
  expected(o?: { brand?: string; at?: number }): ReturnType<typeof sumOf>
  rowsOf(brand?: string): NetworkRow[]
  /** The rows of an integration as the database has them, with where and by whom each version was written. */
  versions(id: string): Promise<unknown[]>
  status(id: string): Promise<[unknown, unknown]>
  /** The network as it was at the start. */
  restore(): void
  stop(): Promise<void>
}

export async function startFeedRig(): Promise<FeedRig> {
  const fixture = await startFixture()
  // Of this seed rows are taken out again between the two instants that are asked at.
  const source = await startFakeSource({ asOfMs, seed: 10 })
  const rowsOf = (brand?: string) =>
    [...networkRows({ ...source.size, ...window, asOfMs })].filter((row) => brand === undefined || row.brand === brand)
  return {
    fixture,
    source,
    rowsOf,
    at: (report, door) => addressOf(source, report, door),
    csvSettings: (extra) => csvSettings(source, extra),
    jsonSettings: (extra) => jsonSettings(source, extra),
    feed: (provider, settings, extra = {}) =>
      fixture.createIntegration({ name: 'Feed', provider, schedule: null, settings, ...extra }),
    work: (limits) => work(fixture, limits),
    run: (id, o = {}) => run(fixture, id, o),
    totals: async (id) => {
      const metrics = 'clicks,signups,ftds,deposits_amount,ngr,commission'
      const query = `from=${window.from}&to=${window.to}&metrics=${metrics}&filter[integration]=${id}`
      return ((await fixture.call('GET', `/v1/stats?${query}`)).body.totals as unknown[])[0] ?? null
    },
    expected: ({ brand, at = asOfMs } = {}) =>
      sumOf(
        [...networkRows({ ...source.size, ...window, asOfMs: at })].filter((row) => row.brand === (brand ?? row.brand)),
      ),
    versions: async (id) => {
      const { rows } = await fixture.adminPool.query(
        'select row_key, ctid::text, xmin::text, run_seq from api.stats_rows where integration_id = $1 order by row_key',
        [id],
      )
      return rows
    },
    status: async (id) => {
      const { body } = await fixture.call('GET', `/v1/integrations/${id}`)
      return [body.status, (body.health as { broken_reason: string }).broken_reason]
    },
    restore: () => {
      source.setFault(null)
      source.setAsOf(asOfMs)
    },
    stop: async () => {
      await source.close()
      await fixture.stop()
    },
  }
}

async function work(fixture: Fixture, limits: Partial<FeedLimits> = {}): Promise<void> {
  const worker = { ...fixture.worker, attemptsMax: 1, feedLimits: { ...fixture.worker.feedLimits, ...limits } }
  while (await workOnce({ ...worker, signal: new AbortController().signal }));
}

async function run(fixture: Fixture, id: string, { limits, body }: RunOptions): Promise<Answer['body']> {
  const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window, ...body } })
  if (asked.status !== 202) throw new Error(`no run: ${asked.text}`)
  await work(fixture, limits)
  // The attempts after the first wait a moment.
  await fixture.workUntil(async () => {
    const { body: found } = await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)
    return ['succeeded', 'failed', 'canceled'].includes(String(found.status))
  })
  return (await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)).body
}

function sumOf(rows: readonly NetworkRow[]) {
  const sum = { currency: 'EUR', clicks: 0, signups: 0, ftds: 0, deposits_amount: 0, ngr: 0, commission: 0 }
  for (const row of rows) {
    sum.clicks += row.clicks
    sum.signups += row.registrations
    sum.ftds += row.ftds
    sum.deposits_amount += row.depositsAmount
    sum.ngr += row.ngr
    sum.commission += row.cpa + row.revshare
  }
  return sum
}
