// The network itself: the same rows for ever, the doors, the dialects, the faults that last as long as they were told.
import { afterEach, expect, test } from '@jest/globals'
import { credentials, type FakeSource, type FakeSourceOptions, startFakeSource } from './fake-source.ts'
import { type NetworkRow, networkRows } from './network.ts'

const day = (date: string) => Date.parse(date)
const asOfMs = day('2026-03-20T12:00:00Z')
const week = 'from=2026-03-10&to=2026-03-16'

let source: FakeSource | null = null
afterEach(() => source?.close())

async function started(o: FakeSourceOptions = {}): Promise<FakeSource> {
  source = await startFakeSource({ asOfMs, ...o })
  return source
}

const rowsOf = (o: { seed?: number; asOfMs?: number } = {}): NetworkRow[] => [
  ...networkRows({
    seed: 1,
    campaigns: 6,
    countries: 3,
    from: '2026-03-10',
    to: '2026-03-16',
    asOfMs,
    ...o,
  }),
]

test('the rows follow from seed and instant alone, and change from day to day until they rest', () => {
  expect(rowsOf()).toEqual(rowsOf())
  expect(rowsOf({ seed: 2 })).not.toEqual(rowsOf())
  const ages = [1, 2, 3, 4, 20, 30].map((days) =>
    JSON.stringify(rowsOf({ asOfMs: day('2026-03-16') + days * 86_400_000 })),
  )
  expect(new Set(ages.slice(0, 4)).size).toBe(4)
  expect(ages[4]).toBe(ages[5])
  expect(rowsOf({ asOfMs: day('2026-03-09') })).toEqual([])
  // The known rows of a seed: who changes them changes what tests elsewhere were written for.
  expect(rowsOf()[0]).toMatchInlineSnapshot(`
   {
     "brand": "Acme Casino",
     "campaign": "c-1",
     "campaignName": "Été à Paris",
     "clicks": 45,
     "country": "DE",
     "cpa": 0,
     "date": "2026-03-10",
     "deposits": 2,
     "depositsAmount": 9439,
     "ftds": 1,
     "ngr": -103,
     "qualifiedFtds": 0,
     "registrations": 3,
     "revshare": -26,
   }
  `)
})

test('each door opens to its own credentials alone', async () => {
  const { url } = await started()
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  const keys: [string, Record<string, string>][] = [
    ['open', {}],
    ['bearer', { authorization: `Bearer ${credentials.token}` }],
    ['basic', { authorization: `Basic ${basic}` }],
    ['header', { [credentials.header.name]: credentials.header.value }],
  ]
  for (const [door] of keys) {
    for (const [key, headers] of keys) {
      const answer = await fetch(`${url}/${door}/daily.csv?${week}`, {
        headers,
      })
      expect([door, key, answer.status]).toEqual([door, key, door === 'open' || door === key ? 200 : 401])
      await answer.arrayBuffer()
    }
  }
})

test('every dialect tells of every row', async () => {
  const { url } = await started()
  const clicks = rowsOf().reduce((sum, row) => sum + row.clicks, 0)
  const get = (path: string) => fetch(`${url}/open/${path}`)
  const sumOfCsv = (text: string, delimiter: string, column: number) =>
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .reduce((sum, line) => sum + Number(line.split(delimiter)[column]), 0)
  expect(sumOfCsv(await (await get(`daily.csv?${week}`)).text(), ',', 5)).toBe(clicks)
  const legacy = await (await get('legacy.csv?from=10/03/2026&to=16/03/2026')).arrayBuffer()
  const text = new TextDecoder('windows-1252').decode(legacy)
  expect(text).toContain('Vergütung')
  expect(text).toContain('Sommer €10')
  expect(sumOfCsv(text, ';', 4)).toBe(clicks)
  const lines = (await (await get(`daily.ndjson?${week}`)).text()).trim().split('\n')
  expect(lines.reduce((sum, line) => sum + JSON.parse(line).counts.clicks, 0)).toBe(clicks)
  expect(await pagesOf(`${url}/open/daily.json?${week}`)).toEqual({
    pages: 3,
    clicks,
  })
})

/** By the link in the body. */
async function pagesOf(first: string): Promise<{ pages: number; clicks: number }> {
  let [pages, clicks] = [0, 0]
  for (let next: string | null = first; next !== null; pages++) {
    const answer = await fetch(next)
    const charset = /charset=(.+)$/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? 'utf-8'
    const page = JSON.parse(new TextDecoder(charset).decode(await answer.arrayBuffer()))
    for (const row of page.report.rows) clicks += row.counts.clicks
    next = page.paging.next
  }
  return { pages, clicks }
}

test('a fault lasts as many requests as it was told, by hand and over the control', async () => {
  const { url, setFault } = await started()
  const status = async () => (await fetch(`${url}/open/daily.csv?${week}`)).status
  setFault({ mode: 'error', times: 2 })
  expect([await status(), await status(), await status()]).toEqual([503, 503, 200])
  const control = (body: object) => fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(body) })
  expect((await control({ fault: { mode: 'limited', retryAfterSeconds: 9 } })).status).toBe(200)
  expect((await fetch(`${url}/open/daily.csv?${week}`)).headers.get('retry-after')).toBe('9')
  expect((await control({ fault: { mode: 'nonsense' } })).status).toBe(422)
  await control({ fault: null })
  expect(await status()).toBe(200)
  expect(source?.requests.map((request) => request.status)).toEqual([503, 503, 200, 429, 200])
})

test('beyond its limit it says when to come back', async () => {
  const { url } = await started({ limit: { requests: 1, windowMs: 600_000 } })
  const get = () => fetch(`${url}/open/daily.csv?${week}`)
  expect((await get()).status).toBe(200)
  const refused = await get()
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  expect(Math.abs(Number(refused.headers.get('retry-after')) - 600)).toBeLessThan(60)
})

test('where it was told so, rows of the running day are wrong, and right on the next day', async () => {
  const asOf = day('2026-03-16T12:00:00Z')
  const { url, setAsOf } = await started({ hasWrongRows: true, campaigns: 20, asOfMs: asOf })
  const lines = async () => (await (await fetch(`${url}/open/daily.ndjson?${week}`)).text()).trim().split('\n')
  const wrong = async () =>
    (await lines()).map((line) => JSON.parse(line)).filter(({ counts }) => counts.clicks !== Number(counts.clicks))
  const found = await wrong()
  expect(found.length).toBeGreaterThan(0)
  expect(new Set(found.map((row) => row.day))).toEqual(new Set(['2026-03-16']))
  setAsOf(asOf + 86_400_000)
  expect(await wrong()).toEqual([])
})
