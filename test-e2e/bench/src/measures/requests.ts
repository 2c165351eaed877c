/** What readers and writers of the API wait at a fixed rate, and what a page far down a list costs. */
import { type ApiPlace, dateAgo, startApiPlace } from '../api-place.ts'
import { runOpenLoop } from '../open-loop.ts'
import { distributionOf, rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

/** Calls a second; every eleventh is a write. */
const rate = 110
const [readMaxMs, writeMaxMs] = [50, 100]
/** Sync runs, 20 to a page. */
const runs = 20_100
const pageMaxRatio = 1.5
const pageLooks = 40

/** A hundred days of uploaded rows, which make three campaigns, and sync runs for a long list. */
async function fill(place: ApiPlace): Promise<string> {
  const rows = Array.from({ length: 100 }, (_, at) => at).flatMap((at) =>
    ['a', 'b', 'c'].map((campaign) => `${dateAgo(at + 1)},${campaign},DE,${100 + at},${at % 9}`),
  )
  const csv = ['date,campaign,country,clicks,ftds', ...rows, ''].join('\n')
  await place.upload('stats', csv)
  await place.admin.query(
    `insert into api.sync_runs select copied.* from api.sync_runs r, generate_series(1, $2::integer) n,
       jsonb_populate_record(r, jsonb_build_object('id', 'syn_' || lpad(n::text, 26, '0'), 'run_seq', n + 1000,
         'created', r.created - n * interval '1 second')) copied
     where r.integration_id = $1`,
    [place.integrationId, runs],
  )
  await place.admin.query('vacuum analyze api.sync_runs')
  const campaigns = await place.call('/v1/campaigns')
  return String((campaigns.data as { id: string }[])[0]?.id)
}

async function offer(place: ApiPlace, campaignId: string, seconds: number) {
  const took = { read: [] as number[], write: [] as number[] }
  const reads = [
    `/v1/integrations/${place.integrationId}`,
    '/v1/campaigns',
    `/v1/campaigns/${campaignId}`,
    '/v1/sync-runs?limit=20',
    `/v1/stats?from=${dateAgo(30)}&to=${dateAgo(1)}&group_by=day,campaign`,
    '/v1/anomalies',
  ]
  await runOpenLoop({
    rate,
    seconds,
    call: async (nth, dueMs) => {
      const isWrite = nth % 11 === 0
      if (isWrite) await place.call(`/v1/campaigns/${campaignId}`, { method: 'PATCH', body: { name: `Name ${nth}` } })
      else await place.call(reads[nth % reads.length] ?? '')
      took[isWrite ? 'write' : 'read'].push(performance.timeOrigin + performance.now() - dueMs)
    },
  })
  return { read: distributionOf(took.read), write: distributionOf(took.write) }
}

/** Medians of the first and the thousandth page, asked for in turn. */
async function askForPages(place: ApiPlace): Promise<{ first: number; last: number }> {
  const pathOf = (cursor: string | null) =>
    `/v1/sync-runs?limit=20${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
  let cursor: string | null = null
  for (let page = 1; page < 1_000; page += 1) cursor = String((await place.call(pathOf(cursor))).next_cursor)
  const timed = async (path: string) => {
    const fromMs = performance.now()
    const { data } = await place.call(path)
    if ((data as unknown[]).length !== 20) throw new Error('a page is not full')
    return performance.now() - fromMs
  }
  const [first, last]: [number[], number[]] = [[], []]
  for (let look = 0; look < pageLooks; look += 1) {
    first.push(await timed(pathOf(null)))
    last.push(await timed(pathOf(cursor)))
  }
  return { first: spread(first).median, last: spread(last).median }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  try {
    const campaignId = await fill(place)
    const measured: Awaited<ReturnType<typeof offer>>[] = []
    for (let nth = 0; nth <= context.repetitions; nth += 1) {
      const both = await offer(place, campaignId, context.seconds)
      context.say(`p99 ${both.read.p99} ms of reads, ${both.write.p99} ms of writes${nth === 0 ? ' (dropped)' : ''}`)
      if (nth > 0) measured.push(both)
    }
    const line = (kind: 'read' | 'write', max: number): Line => {
      const { median, range } = spread(measured.map((one) => one[kind].p99))
      return {
        measure: `${kind}s at ${rate} calls/s: p99`,
        value: median,
        unit: 'ms',
        range,
        floor: atMost(median, max),
      }
    }
    const { first, last } = await askForPages(place)
    const ratio = rounded(last / first, 2)
    return [
      line('read', readMaxMs),
      line('write', writeMaxMs),
      { measure: 'page 1 of a list', value: first, unit: 'ms' },
      { measure: 'page 1,000 against page 1', value: ratio, unit: '×', floor: atMost(ratio, pageMaxRatio) },
    ]
  } finally {
    await place.stop()
  }
}

export const requests: Measure = {
  name: 'requests',
  meaning: `calls due at ${rate}/s, ten reads to a write, to their answer; a page far down a list`,
  run,
}
