// Lives 90 days of a workspace in virtual time: two brands from the demo provider by the hour, of which one is corrected for days, and one
// from the fake network by the day, in pages, with late corrections, wrong rows, passing errors and days on which it is away. For tests only.

import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import type { Fault } from '@wds/fake-source/faults'
import { createPool, type Pool } from '@wds/postgres/pool'
import type { Fixture } from './api-service.fixture.ts'
import {
  createOracle,
  type DemoForm,
  demoSource,
  type Measures,
  networkSource,
  type Oracle,
} from './ninety-days-oracle.fixture.ts'
import { scheduleOnce } from './schedules/scheduler.ts'
import { jsonSettings } from './sources/feed.fixture.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Runs are due at 06:00 UTC; the days that they end are looked at when their rows have rested for the settle time of 6 h. */
const beginsMs = Date.parse('2026-01-12T06:05:00Z')
const restsMs = 6 * hourMs + 10 * 60_000
export const days = 90
export const backfilledDays = 10
const lookbackDays = { network: 7, quiet: 2, corrected: 4 }
type SourceName = keyof typeof lookbackDays
const names = Object.keys(lookbackDays) as SourceName[]
/** Summer time begins on 29 March: that day has 23 hours. */
const zone = 'Europe/Malta'
export const dateAt = (nth: number) => new Date(beginsMs + nth * dayMs).toISOString().slice(0, 10)

/** The bad day of the quiet brand, whose numbers are never corrected. */
export const injected = dateAt(70)
/** Days on which the network answers nothing but 503. */
export const away = [33, 61]
const passing = ['error', 'cut', 'garbage', 'html', 'limited'] as const

export interface Told {
  type: string
  data: Record<string, unknown>
}

/** A day of the workspace as the oracle expects it to be told. */
interface ExpectedDay {
  /** Of the story, on which it becomes final. */
  finalOn: number
  restated: { revision: number; brand_slugs: string[]; metrics_changed: string[] }[]
}

type ExpectedRun = [status: string, attempts: number, rejected: number]

export interface Story {
  oracle: Oracle
  expected: Map<string, ExpectedDay>
  /** What the day that had just ended was, before and after its rows had rested, by day of the story. */
  seen: [date: string, before: unknown, after: unknown][]
  /** Of the network, oldest first, and those expected. */
  runs: [found: unknown[][], expected: ExpectedRun[]]
  integrations: Record<SourceName, string>
}

/** `campaigns`: of the network, both its brands together. */
export async function live(fixture: Fixture, o: { seed: number; campaigns: number }): Promise<Story> {
  const network = await startFakeSource({ ...o, hasWrongRows: true, asOfMs: beginsMs })
  try {
    const demos = demosOf(o.seed)
    const integrations = await settle({ fixture, network }, demos)
    return await tell({ fixture, network, seed: o.seed, demos, integrations })
  } finally {
    await network.close()
  }
}

type Demos = Record<'quiet' | 'corrected', DemoForm>
function demosOf(seed: number): Demos {
  const form = { campaigns: 1, countries: ['DE', 'SE'], clicks_per_day: 1_800 }
  return {
    quiet: { ...form, seed, restate_days: 0, anomalies: [{ date: injected, factor: 0.3 }] },
    corrected: { ...form, seed: seed + 100, restate_days: 3, anomalies: [] },
  }
}

interface Stage {
  fixture: Fixture
  network: FakeSource
  seed: number
  demos: Demos
  integrations: Story['integrations']
}

async function tell(stage: Stage): Promise<Story> {
  const { fixture, network, demos, integrations } = stage
  let wrongEach = 0
  const oracle = createOracle({ zone })
  const sources = {
    quiet: demoSource(demos.quiet, 'northern-bets'),
    corrected: demoSource(demos.corrected, 'baltic-sports'),
    network: networkSource(network.size, { brand: 'Acme Casino', slug: 'acme-casino', wrongEach: () => wrongEach }),
  }
  const expected = expectedDays(oracle)
  const seen: Story['seen'] = []
  const runs: ExpectedRun[] = []
  const statusOf = async (date: string) => (await fixture.call('GET', `/v1/stats/days/${date}`)).body.status
  for (let nth = 0; nth <= days; nth += 1) {
    const atMs = beginsMs + nth * dayMs
    const fault = faultOf(nth, stage.seed)
    wrongEach = fault?.mode === 'wrong_rows' ? 10 : 0
    network.setAsOf(atMs)
    network.setFault(fault)
    const yesterday = dateAt(nth - 1)
    await morning(fixture, atMs)
    const before = await statusOf(yesterday)
    await noon(fixture, atMs + restsMs)
    seen.push([yesterday, before, await statusOf(yesterday)])
    const isAway = away.includes(nth)
    for (const name of names) {
      if (name === 'network' && isAway) continue
      const back = nth === 0 ? backfilledDays : lookbackDays[name]
      const rejected = oracle.pulled(sources[name], { from: dateAt(nth - back), to: dateAt(nth) }, atMs)
      if (name === 'network') runs.push(['succeeded', fault?.times === 1 ? 2 : 1, rejected])
    }
    if (isAway) runs.push(['failed', 4, 0])
    expected.rest(nth, isAway)
  }
  return {
    oracle,
    expected: expected.days,
    seen,
    runs: [await runsOf(fixture, integrations.network), runs],
    integrations,
  }
}

/** What the network does wrong on that day, besides the wrong rows that it always has. */
function faultOf(nth: number, seed: number): Fault | null {
  if (away.includes(nth)) return { mode: 'error' }
  if (nth % 20 === 10) return { mode: 'wrong_rows' }
  // The first attempt fails, on the first page or on the second one.
  const mode = passing[(Math.floor(nth / 5) + seed) % passing.length] ?? 'error'
  return nth % 5 === 2 ? { mode, times: 1, after: nth % 2, retryAfterSeconds: 0 } : null
}

/** What is due by the clock alone, then the runs and what follows from them. */
async function morning(fixture: Fixture, atMs: number): Promise<void> {
  await withClock(fixture, atMs, async (pool) => {
    await fixture.days(pool)
    while (await scheduleOnce({ ...fixture.worker, pool, attemptsMax: 4 }));
    const deadline = Date.now() + 60_000
    for (;;) {
      await fixture.work(pool)
      // Attempts after the first one wait a moment.
      const { body } = await fixture.call('GET', '/v1/sync-runs?status=queued,running,retry_wait&limit=1')
      if ((body.data as unknown[]).length === 0) break
      if (Date.now() > deadline) throw new Error('a run does not end')
    }
    await fixture.days(pool)
  })
}

async function noon(fixture: Fixture, atMs: number): Promise<void> {
  await withClock(fixture, atMs, async (pool) => {
    await fixture.days(pool)
    await fixture.anomalies(pool)
  })
}

/** With connections whose clock shows that instant now, and goes on. */
async function withClock(fixture: Fixture, atMs: number, work: (pool: Pool) => Promise<void>): Promise<void> {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${atMs - Date.now()}`
  const pool = createPool({ connectionString: url, applicationName: 'test-story', max: 3 })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

/** Follows which days are final and which of them are told again, from the oracle's lines alone. */
function expectedDays(oracle: Oracle) {
  const told = new Map<string, ExpectedDay>()
  const last = new Map<string, { lines: string; sums: Map<string, Measures> }>()
  let reportedOn = -1
  return {
    days: told,
    /** The rows have rested on that day of the story. */
    rest(nth: number, isAway: boolean): void {
      if (!isAway) reportedOn = nth
      // No run asks for earlier days, nor do days wait for so long.
      for (let day = Math.max(-backfilledDays, nth - backfilledDays - 1); day < nth; day += 1) {
        const date = dateAt(day)
        const known = last.get(date)
        if (!known && reportedOn <= day) continue
        const now = { lines: oracle.linesOf(date), sums: sumsOf(oracle, date) }
        if (known?.lines === now.lines) continue
        last.set(date, now)
        const { restated } = told.get(date) ?? {}
        if (!known || !restated) told.set(date, { finalOn: nth, restated: [] })
        else restated.push({ revision: restated.length + 2, ...changesOf(known.sums, now.sums) })
      }
    },
  }
}

/** The workspace as it is when the story begins. */
async function settle(
  { fixture, network }: Pick<Stage, 'fixture' | 'network'>,
  demos: Demos,
): Promise<Story['integrations']> {
  const call = await fixture.callerAt(beginsMs - 60_000 - Date.now())
  const made = async (method: string, path: string, json: object, as: 'a' | 'owner' = 'a') => {
    const { status, text, body } = await call(method, path, { json, as })
    if (status > 299) throw new Error(`${path} was refused: ${text}`)
    return String(body.id)
  }
  await made('PATCH', '/v1/settings', { time_zone: zone }, 'owner')
  const schedule = { every_minutes: 1_440, at: '06:00' }
  const fields = { schedule, source_time_zone: 'UTC', currency: 'EUR', initial_backfill_days: backfilledDays }
  const settings = jsonSettings(network, { only: [{ from: 'brand', equals: 'Acme Casino' }] })
  settings.mapping = [
    ...settings.mapping,
    { to: 'qualified_ftds', from: '/counts/qualified' },
    { to: 'deposits', from: '/counts/deposits' },
  ]
  const add = (name: SourceName, provider: string, brand: string, own: object) => {
    const json = { ...fields, name, provider, brand_slug: brand, lookback_days: lookbackDays[name], settings: own }
    return made('POST', '/v1/integrations', json)
  }
  return {
    network: await add('network', 'http_json', 'acme-casino', settings),
    quiet: await add('quiet', 'demo', 'northern-bets', demos.quiet),
    corrected: await add('corrected', 'demo', 'baltic-sports', demos.corrected),
  }
}

async function runsOf(fixture: Fixture, id: string): Promise<unknown[][]> {
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs?limit=100`)
  return (body.data as Record<string, unknown>[]).map((run) => [run.status, run.attempt, run.rows_rejected]).reverse()
}

const sumsOf = (oracle: Oracle, date: string) =>
  oracle.sums({ from: date, to: date }, ({ brand, campaign, country }) => `${brand}|${campaign}|${country}`)

/** Which measures of which brands differ in any key. */
function changesOf(before: Map<string, Measures>, after: Map<string, Measures>) {
  const brands = new Set<string>()
  const metrics = new Set<string>()
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)]
    for (const name of Object.keys(old ?? now ?? {})) {
      if ((old?.[name] ?? null) === (now?.[name] ?? null)) continue
      brands.add(key.split('|', 1)[0] ?? '')
      metrics.add(name)
    }
  }
  return { brand_slugs: [...brands].sort(), metrics_changed: [...metrics].sort() }
}

/** What the workspace was told, in order. */
export async function toldIn(fixture: Fixture): Promise<Told[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    'select payload from api.outbox where workspace_id = $1 order by id',
    [fixture.workspaces.a],
  )
  return rows.map((row) => JSON.parse(row.payload.toString('utf8')) as Told)
}
