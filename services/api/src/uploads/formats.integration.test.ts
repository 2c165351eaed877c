// The forms that a file of stats may come in: NDJSON beside CSV, plain and compressed, bounded.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'Forms', ...extra })

const ndjson = { 'content-type': 'application/x-ndjson' }
const gzip = { 'content-encoding': 'gzip' }

function send(id: string, csv: string | Buffer, headers: Record<string, string> = ndjson) {
  return fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv, headers })
}

/** Sends and carries out; the import, the clicks and commission of it, the rejected lines. */
async function ingest(id: string, csv: string | Buffer, headers?: Record<string, string>) {
  const created = await send(id, csv, headers)
  expect([created.status, created.text]).toEqual([202, expect.any(String)])
  await fixture.work()
  const { body: found } = await fixture.call('GET', `/v1/imports/${created.body.id}`)
  const query = `from=2026-01-01&to=2026-01-31&metrics=clicks,signups,commission&filter[integration]=${id}`
  const stats = await fixture.call('GET', `/v1/stats?${query}`)
  const errors = (await fixture.call('GET', `/v1/imports/${created.body.id}/errors`)).text.trim()
  return {
    found,
    sums: (stats.body.data as object[])[0],
    errors: errors === '' ? [] : errors.split('\n').map((line) => JSON.parse(line)),
  }
}

async function nothingStored(): Promise<void> {
  const { rows } = await fixture.adminPool.query('select 1 from api.import_chunks')
  expect(rows).toEqual([])
}

describe('an NDJSON file', () => {
  test('has one row a line, numbers by their digits, and members that may be absent or null', async () => {
    const lines = [
      '{"date":"2026-01-01","clicks":10,"cpa_commission":90071992547409.91,"country":"DE"}',
      '',
      '{"clicks":"5","date":"2026-01-02","signups":null,"campaign":7}\r',
      '{"date":"2026-01-03","other_commission":-0.01}',
    ]
    const { found, sums } = await ingest(await integration(), lines.join('\n'))
    expect(found).toMatchObject({ format: 'ndjson', status: 'completed', lines: 3, accepted: 3 })
    expect(sums).toMatchObject({ clicks: 15, signups: null, commission: 9_007_199_254_740_990 })
  })

  test('C71: rejects bad lines one by one and stores the others', async () => {
    const lines = [
      '{"date":"2026-01-01","clicks":1}',
      '{"date":"2026-01-01","clicks":1',
      '[1]',
      '{"date":"2026-01-01","clicks":1,"clicks":2}',
      '{"date":"2026-01-01","clicks":1,"colour":"red"}',
      '{"date":"2026-01-01","clicks":{"a":1}}',
      '{"date":"2026-01-01","clicks":1e3}',
      '{"date":"2026-01-01","clicks":1,"campaign":"a\\u0000"}',
      '{"date":"2026-01-01"}',
      '{"clicks":1}',
      `{"date":"2026-01-01","clicks":1,"campaign":"${'c'.repeat(65_536)}"}`,
      '{"date":"2026-01-02","clicks":2}',
    ]
    const { found, sums, errors } = await ingest(await integration(), lines.join('\n'))
    expect(found).toMatchObject({ status: 'completed_with_errors', lines: 12, accepted: 2, rejected: 10 })
    expect(errors.map(({ line, code, pointer }) => [line, code, pointer])).toEqual([
      [2, 'malformed_json', null],
      [3, 'malformed_json', null],
      [4, 'malformed_json', null],
      [5, 'unknown_field', null],
      [6, 'malformed_json', '/clicks'],
      [7, 'bad_number', '/clicks'],
      [8, 'bad_encoding', '/campaign'],
      [9, 'missing_required', null],
      [10, 'missing_required', '/date'],
      [11, 'row_too_large', null],
    ])
    expect(sums).toMatchObject({ clicks: 3 })
  })

  test('is mapped by JSON pointers and names; members that nothing names are left alone', async () => {
    const mapping = [
      { to: 'date', from: '/when/day' },
      { to: 'clicks', from: ['/counts/0', '/counts/1'] },
      { to: 'other_commission', from: 'paid', unit: 'minor' },
      { to: 'country', from: 'land', default: 'SE' },
    ]
    const id = await integration({ settings: { mapping } })
    const rows = [
      { when: { day: '2026-01-01' }, counts: [1, 2], paid: 7, land: 'DE', player: 'jane@example.com' },
      { when: { day: '2026-01-02' }, counts: [3], paid: null },
    ]
    const { found, sums } = await ingest(id, rows.map((row) => JSON.stringify(row)).join('\n'))
    expect([found.status, sums]).toMatchObject(['completed', { clicks: 6, commission: 7 }])
    const lacking = await send(id, '{"when":{},"counts":[1,2],"paid":1,"land":"DE"}\n')
    expect([lacking.status, lacking.body.code]).toEqual([422, 'unknown_column'])
  })

  test.each([
    ['{"date":"2026-01-01"}', 422, 'unknown_column'],
    ['{"date":"2026-01-01","clicks":1,"colour":1}', 422, 'unknown_column'],
    ['{"__proto__":1,"date":"2026-01-01","clicks":1}', 422, 'unknown_column'],
    ['', 422, 'unknown_column'],
    ['\n\n', 422, 'unknown_column'],
    ['date,clicks\n2026-01-01,1\n', 400, 'malformed_json'],
    ['\ufeff{"date":"2026-01-01","clicks":1}', 400, 'malformed_json'],
    [`{"date":"${'x'.repeat(70_000)}","clicks":1}`, 400, 'malformed_json'],
  ])('that begins with %.30s is refused: %d %s', async (text, status, code) => {
    const answer = await send(await integration(), text)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    await nothingStored()
  })

  test('regression: 1.0 is 1, 1.5 is no count', async () => {
    const lines = ['{"date":"2026-01-01","clicks":1.0}', '{"date":"2026-01-02","clicks":1.5}']
    const { sums, errors } = await ingest(await integration(), lines.join('\n'))
    expect([sums, errors]).toMatchObject([{ clicks: 1 }, [{ line: 2, code: 'fraction_not_allowed' }]])
  })

  test('C72: sent again changes nothing', async () => {
    const id = await integration()
    const text = '{"date":"2026-01-01","clicks":1}\n{"date":"2026-01-02","clicks":2}\n'
    await ingest(id, text)
    const { found } = await ingest(id, text)
    expect(found).toMatchObject({ accepted: 2, unchanged: 2 })
  })
})

test('a CSV file may mix its line ends, quote line ends and leave the last one out', async () => {
  const csv = 'date,campaign,clicks\n2026-01-01,a,1\r\n2026-01-01,"b\r\nb",2\n\n2026-01-01,"c""c",4\r\n2026-01-02,"d",8'
  const { found, sums } = await ingest(await integration(), csv, { 'content-type': 'text/csv' })
  expect([found, sums]).toMatchObject([{ status: 'completed', lines: 4, accepted: 4 }, { clicks: 15 }])
})

const csvType = { 'content-type': 'text/csv' }
const row = '2026-01-01,1\n'

describe('regression: a bad CSV line is told what is wrong with it, a bad file too', () => {
  test('of its lines', async () => {
    const lines = [
      `a,b,c`,
      '2026-01-01,DE,c,1,5',
      `2026-01-01,DE,${'c'.repeat(101)},1`,
      '2026-01-01,QQ,c,1',
      '2026-01-01,XK,c,1',
    ]
    const csv = `date,country,campaign,clicks\n${lines.join('\n')}\n2026-01-01,DE,${'c'.repeat(3_000_000)},1\n2026-01-01,DE,c,1\n`
    const { found, errors } = await ingest(await integration(), csv, csvType)
    expect(errors.map(({ line, code, pointer }) => [line, code, pointer])).toEqual([
      [2, 'wrong_column_count', null],
      [3, 'wrong_column_count', null],
      [4, 'text_too_long', '/campaign'],
      [5, 'bad_country', '/country'],
      [7, 'row_too_large', null],
    ])
    expect(found).toMatchObject({ status: 'completed_with_errors', lines: 7, accepted: 2 })
  })

  test('of its quotes: the import fails with the line, and the next one is done', async () => {
    const id = await integration()
    const { found } = await ingest(id, `date,campaign,clicks\n2026-01-01,a,1\n2026-01-01,5" phone,1\n`, csvType)
    expect(found).toMatchObject({ status: 'failed', error: { code: 'invalid_body', line: 3 } })
    expect((await ingest(id, `date,clicks\n${row}`, csvType)).found).toMatchObject({ status: 'completed' })
  })

  test.each([
    ['UTF-16', Buffer.from(`\ufeffdate,clicks\n${row}`, 'utf16le'), /UTF-16 must be saved as UTF-8/],
    ['a header that does not end', `date,clicks${'x'.repeat(70_000)}`, /longer than 64 KiB/],
    ['a quote in its header', `date,cli"cks\n${row}`, /no CSV: A quote stands inside/],
    ['a column without a name', `date,clicks,\n${row}`, /A column has no name/],
  ])('of %s it is refused at once', async (_name, csv, detail) => {
    const answer = await send(await integration(), csv, csvType)
    expect([answer.status, answer.body.code]).toEqual([422, 'unknown_column'])
    expect(answer.text).toMatch(detail)
  })
})

describe('regression: whatever a file holds, nobody else waits for it', () => {
  const json = '{"date":"2026-01-01","clicks":1}\n'
  const wide = `2026-01-01,${'9x'.repeat(30_000)}\n`
  test.each<[string, string, Record<string, string>, object]>([
    [
      'lines of a wrong column count',
      `date,clicks\n${'x\n'.repeat(50_000)}`,
      csvType,
      { status: 'failed', lines: 11_000 },
    ],
    [
      'lines of 200 columns too many',
      `date,clicks\n${`${','.repeat(300)}\n`.repeat(5_000)}`,
      csvType,
      { status: 'failed' },
    ],
    ['blank CSV lines', `date,clicks\n${'\r\n'.repeat(500_000)}${row}`, csvType, { status: 'completed', lines: 1 }],
    ['blank NDJSON lines', `${json}${'\n'.repeat(2_000_000)}${json}`, ndjson, { status: 'completed', lines: 2 }],
    [
      'a blank NDJSON line of 4 MB',
      `${json}${' '.repeat(2_000_000)}\n${json}`,
      ndjson,
      { status: 'completed', lines: 2 },
    ],
    [
      'an NDJSON line of 3 MB',
      `${json}"${'x'.repeat(3_000_000)}"\n${json}`,
      ndjson,
      { status: 'completed_with_errors', lines: 3 },
    ],
    ['wide cells that are no number', `date,clicks\n${wide.repeat(30)}`, csvType, { status: 'failed', lines: 30 }],
    [
      'good lines',
      `date,campaign,clicks\n${Array.from({ length: 2_000 }, (_, n) => `2026-01-01,c${n},1\n`).join('')}`,
      csvType,
      { status: 'completed' },
    ],
  ])('%s', async (_name, body, headers, expected) => {
    const bytes = Buffer.from(body)
    const result = await holdsLoopAtMost(50, async () => ingest(await integration(), bytes, headers))
    expect(result.found).toMatchObject(expected)
    expect(result.errors.length).toBeLessThanOrEqual(1_000)
  })

  test.each([
    ['of 16,000 names', Array.from({ length: 16_000 }, (_, n) => n.toString(36)).join(',')],
    ['of one name again and again', 'date,'.repeat(13_000)],
  ])('a header %s', async (_name, header) => {
    const id = await integration()
    const { status } = await holdsLoopAtMost(50, () => send(id, `${header}\n`, csvType))
    expect(status).toBe(422)
  })
})

describe('C74: a compressed file', () => {
  // Random names keep the ratio low.
  const lines = Array.from({ length: 3000 }, () => `2026-01-01,${randomBytes(16).toString('hex')},1`)
  const csv = `date,campaign,clicks\n${lines.join('\n')}\n`

  test('is stored as what it holds, in any form', async () => {
    const packed = gzipSync(csv)
    const id = await integration()
    const { found, sums } = await ingest(id, packed, gzip)
    expect([found, sums]).toMatchObject([{ status: 'completed', lines: 3000 }, { clicks: 3000 }])
    const row = JSON.stringify({ date: '2026-01-02', clicks: 1 })
    expect((await ingest(id, gzipSync(row), { ...ndjson, ...gzip })).sums).toMatchObject({ clicks: 3001 })
  })

  test.each<[string, Buffer, number, string]>([
    [
      'that grows more than 100 times',
      gzipSync(`date,clicks\n${'2026-01-01,1\n'.repeat(1_000_000)}`),
      413,
      'payload_too_large',
    ],
    ['that is cut off', gzipSync(csv).subarray(0, 20_000), 400, 'invalid_request'],
    ['that is no gzip', Buffer.from(csv), 400, 'invalid_request'],
    ['with another header', gzipSync('date,colour\n2026-01-01,1\n'), 422, 'unknown_column'],
  ])('%s leaves no job', async (_name, bytes, status, code) => {
    const id = await integration()
    const answer = await send(id, bytes, gzip)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect((await fixture.call('GET', `/v1/imports?integration_id=${id}`)).body.data).toEqual([])
    await nothingStored()
  })

  test('in another coding or another type is refused', async () => {
    const id = await integration()
    for (const headers of [{ 'content-encoding': 'br' }, { 'content-type': 'application/json' }]) {
      const answer = await send(id, csv, headers)
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
    }
  })
})
