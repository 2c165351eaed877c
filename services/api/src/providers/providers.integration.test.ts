// Providers, the schemas of their settings, and the test of a source.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { fieldFaults, withDefaults } from '../integrations/domain/integration-form.ts'
import { csvSettings, jsonSettings } from '../sources/feed.fixture.ts'
import { providers } from './domain/providers.ts'

let fixture: Fixture
let source: FakeSource
beforeAll(async () => {
  fixture = await startFixture()
  source = await startFakeSource()
})
afterAll(async () => {
  await source?.close()
  await fixture?.stop()
})

const integration = (extra: object = {}) =>
  fixture.createIntegration({ name: 'One', provider: 'demo', schedule: null, ...extra })

describe('GET /v1/providers', () => {
  test('lists every name of domain.md 4.1, in one page; each is read by itself under an ETag', async () => {
    const { body } = await fixture.call('GET', '/v1/providers')
    const listed = body.data as { provider: string; available: boolean }[]
    expect([body.has_more, body.next_cursor, listed.length]).toEqual([false, null, 11])
    expect(listed.filter(({ available }) => available).map(({ provider }) => provider)).toEqual([
      ...['csv_upload', 'http_csv', 'http_json', 'postback', 'demo'],
    ])
    const one = await fixture.call('GET', '/v1/providers/demo')
    expect(one.body).toEqual(listed.find(({ provider }) => provider === 'demo'))
    const headers = { 'if-none-match': one.headers.get('etag') ?? '' }
    expect((await fixture.call('GET', '/v1/providers/demo', { headers })).status).toBe(304)
    expect((await fixture.call('GET', '/v1/providers/nothing')).status).toBe(404)
  })

  test('one that is not available makes no integration', async () => {
    for (const provider of ['tune', 'nowhere']) {
      const json = { name: 'One', brand_slug: 'acme', provider }
      const answer = await fixture.call('POST', '/v1/integrations', { json })
      expect([answer.status, answer.body.code]).toEqual([422, 'provider_not_available'])
    }
  })
})

const mapping = [
  { to: 'date', from: 'Day' },
  { to: 'clicks', from: 'Clicks' },
]
describe('the settings schema says what the form accepts', () => {
  test.each<[string, string, object]>([
    ['demo', 'accepts', {}],
    ['demo', 'accepts', { seed: 0, campaigns: 20, countries: ['DE'], clicks_per_day: 0, restate_days: 30 }],
    ['demo', 'accepts', { anomalies: [{ date: '2026-01-01', factor: 0.5, campaign: 'demo-1' }], failures: null }],
    ['demo', 'accepts', { failures: { every_runs: 2, attempts: 1, code: 'timeout' } }],
    ['demo', 'refuses', { campaigns: 0 }],
    ['demo', 'refuses', { campaigns: 21 }],
    ['demo', 'refuses', { seed: 1.5 }],
    ['demo', 'refuses', { seed: '1' }],
    ['demo', 'refuses', { countries: [] }],
    ['demo', 'refuses', { countries: ['DE', 'DE'] }],
    ['demo', 'refuses', { countries: ['de'] }],
    ['demo', 'refuses', { restate_days: 31 }],
    ['demo', 'refuses', { anomalies: [{ date: 'today', factor: 1 }] }],
    ['demo', 'refuses', { anomalies: [{ date: '2026-01-01' }] }],
    ['demo', 'refuses', { anomalies: [{ date: '2026-01-01', factor: -1 }] }],
    ['demo', 'refuses', { failures: { every_runs: 2, attempts: 1, code: 'nothing' } }],
    ['demo', 'refuses', { failures: { every_runs: 0, attempts: 1, code: 'timeout' } }],
    ['demo', 'refuses', { mapping }],
    ['csv_upload', 'accepts', {}],
    ['csv_upload', 'accepts', { mapping, combine: 'last' }],
    [
      'csv_upload',
      'accepts',
      { mapping: [...mapping, { to: 'ngr', from: ['A', 'B'], unit: 'minor', round: 'reject' }] },
    ],
    ['csv_upload', 'accepts', { mapping: [...mapping, { to: 'country', const: 'DE', values: { a: 'b' } }] }],
    ['csv_upload', 'refuses', { mapping: [] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'country' }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'country', from: 'A', const: 'B' }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'colour', from: 'A' }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'country', from: 'A', trim: true }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'country', from: 'A', values: { a: 1 } }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'ngr', from: 'A', round: 'up' }] }],
    ['csv_upload', 'refuses', { mapping: [...mapping, { to: 'ngr', from: [] }] }],
    ['csv_upload', 'refuses', { combine: 'first' }],
    ['csv_upload', 'refuses', { seed: 1 }],
  ])('%s %s %j', (provider, verdict, settings) => {
    expect(judgements(provider, settings)).toEqual([verdict === 'accepts', verdict === 'accepts'])
  })

  test.each([
    ['200 columns', Array.from({ length: 200 }, (_, index) => `column ${index}`), true],
    ['201 columns', Array.from({ length: 201 }, (_, index) => `column ${index}`), false],
    ['one column 100,000 times, which each row would pay for', Array(100_000).fill('A'), false],
  ])('regression: a sum of %s', (_name, from, isTaken) => {
    expect(judgements('csv_upload', { mapping: [...mapping, { to: 'ngr', from }] })).toEqual([isTaken, isTaken])
  })
})

/** Whether the published schema takes the settings, and whether the form does. */
function judgements(provider: string, settings: object): [boolean, boolean] {
  const { settings_schema } = providers.find((known) => known.provider === provider) ?? {}
  const validate = new Ajv2020({ strict: false }).compile(settings_schema ?? false)
  const fields = withDefaults({ name: 'One', brand_slug: 'acme', provider, settings })
  return [validate(settings), fieldFaults(fields).length === 0]
}

test('regression: demo settings that multiply beyond all bounds are refused at their field', async () => {
  const { body } = await fixture.call('GET', `/v1/integrations/${await integration()}`)
  const date = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)
  const anomalies = Array.from({ length: 100 }, () => ({ date, factor: 1000 }))
  const json = { settings: { clicks_per_day: 10_000_000, anomalies } }
  const answer = await fixture.call('PATCH', `/v1/integrations/${body.id}`, { json })
  expect([answer.status, answer.body.code]).toEqual([422, 'out_of_range'])
  expect(answer.body.errors).toMatchObject([{ pointer: '/settings/anomalies' }])
  expect((await fixture.call('POST', `/v1/integrations/${body.id}/test`)).status).toBe(200)
})

test('regression: demo settings of more rows than a run may take are refused at their field, also by the days to take in', async () => {
  const id = await integration()
  const countries = Array.from(
    { length: 50 },
    (_, index) => `${'ABCDE'[index % 5]}${'ABCDEFGHIJ'[Math.floor(index / 5)]}`,
  )
  const patch = (json: object) => fixture.call('PATCH', `/v1/integrations/${id}`, { json })
  const many = await patch({ settings: { campaigns: 20, countries } })
  expect([many.status, many.body.code, many.body.errors]).toMatchObject([
    422,
    'out_of_range',
    [{ pointer: '/settings/countries' }],
  ])
  expect((await patch({ settings: { campaigns: 20, countries }, initial_backfill_days: 19 })).status).toBe(200)
  expect((await patch({ initial_backfill_days: 20 })).status).toBe(422)
})

describe('POST /v1/integrations/{id}/test', () => {
  test('shows at most 5 mapped rows and stores nothing', async () => {
    const id = await integration({ currency: 'SEK' })
    const count = async () => {
      const tables = ['stream_events', 'outbox', 'stats_rows', 'sync_runs', 'stats_staging']
      const counts = tables.map((table) => `(select count(*) from api.${table})`).join(' + ')
      return (await fixture.adminPool.query(`select ${counts} as n`)).rows[0]
    }
    const before = await count()
    const { status, body } = await fixture.call('POST', `/v1/integrations/${id}/test`)
    const rows = body.sample_rows as Record<string, unknown>[]
    expect([status, body.ok, body.error_code, body.warnings, rows.length]).toEqual([200, true, null, {}, 5])
    expect(rows[0]).toMatchObject({ campaign: 'demo-1', country: 'DE', currency: 'SEK', clicks: expect.any(Number) })
    expect(await count()).toEqual(before)
  })

  test('is not there for uploads, for nobody else and not without the scope', async () => {
    const upload = await fixture.call('POST', `/v1/integrations/${await integration({ provider: 'csv_upload' })}/test`)
    expect([upload.status, upload.body.code]).toEqual([422, 'sync_not_supported'])
    expect((await fixture.call('POST', `/v1/integrations/${await integration()}/test`, { as: 'b' })).status).toBe(404)
  })
})

describe('POST /v1/integrations/{id}/test of a feed', () => {
  test('shows the first rows of a feed, mapped, and stores nothing', async () => {
    const id = await integration({
      provider: 'http_json',
      settings: jsonSettings(source, { only: [{ from: 'brand', equals: 'Acme Casino' }] }),
    })
    const { status: code, body } = await fixture.call('POST', `/v1/integrations/${id}/test`)
    const rows = body.sample_rows as Record<string, unknown>[]
    expect([code, body.ok, body.error_code, rows.length]).toEqual([200, true, null, 5])
    expect(rows[0]).toMatchObject({
      country: expect.any(String),
      clicks: expect.any(Number),
      currency: 'EUR',
      hour: null,
    })
    const stored = await fixture.adminPool.query('select 1 from api.stats_rows where integration_id = $1', [id])
    expect(stored.rows).toEqual([])
    expect((await fixture.call('GET', `/v1/integrations/${id}/sync-runs`)).body.data).toEqual([])
  })

  test('says what is wrong, in the codes of a run', async () => {
    const id = await integration({ provider: 'http_csv', settings: csvSettings(source) })
    const codes: unknown[] = []
    for (const mode of ['forbidden', 'schema', 'error', 'redirect', 'html'] as const) {
      source.setFault({ mode })
      codes.push((await fixture.call('POST', `/v1/integrations/${id}/test`)).body.error_code)
    }
    expect(codes).toEqual(['access_denied', 'schema_changed', 'source_error', 'redirect_refused', 'invalid_body'])
    source.setFault({ mode: 'mostly_wrong_rows' })
    const { body } = await fixture.call('POST', `/v1/integrations/${id}/test`)
    expect(body.warnings).toMatchObject({ bad_number: expect.any(Number) })
  })
})

describe('the settings of a feed', () => {
  const create = (settings: object, provider = 'http_csv') =>
    fixture.call('POST', '/v1/integrations', { json: { name: 'One', brand_slug: 'acme', provider, settings } })

  test.each<[object, string, string]>([
    [{}, '/settings/url', 'required'],
    [{ url: 'https://169.254.169.254/' }, '/settings/url', 'url_not_allowed'],
    [{ url: 'https://10.1.2.3/report' }, '/settings/url', 'url_not_allowed'],
    [{ url: 'https://{from}.acme-feeds.com/' }, '/settings/url', 'url_not_allowed'],
    [{ url: 'https://user:pass@acme-feeds.com/' }, '/settings/url', 'url_not_allowed'],
    [{ url: 'report.csv' }, '/settings/url', 'url_not_allowed'],
    [
      { url: 'http://127.0.0.1/x', headers: { Authorization: 'Bearer x' } },
      '/settings/headers/Authorization',
      'header_not_allowed',
    ],
    [{ url: 'http://127.0.0.1/x', headers: { 'X-A': 'a\nb' } }, '/settings/headers/X-A', 'invalid_format'],
    [{ url: 'http://127.0.0.1/x', pagination: 'json_pointer' }, '/settings/pagination', 'invalid_value'],
    [{ url: 'http://127.0.0.1/x', rows_pointer: '/a' }, '/settings/rows_pointer', 'unknown_field'],
    [{ url: 'http://127.0.0.1/x', csv: { delimiter: 'x' } }, '/settings/csv/delimiter', 'invalid_value'],
    [{ url: 'http://127.0.0.1/x', mapping: [{ to: 'colour', from: 'A' }] }, '/settings/mapping/0/to', 'invalid_value'],
    [{ url: 'http://127.0.0.1/x', seed: 1 }, '/settings/seed', 'unknown_field'],
  ])('%j are refused at %s', async (settings, pointer, code) => {
    const answer = await create(settings)
    expect([answer.status, answer.body.errors]).toMatchObject([
      422,
      expect.arrayContaining([expect.objectContaining({ pointer })]),
    ])
    expect((answer.body.errors as { code: string }[]).map((one) => one.code)).toContain(code)
  })

  test('keep the address in the form that is called, with its days; a PATCH is judged as a POST', async () => {
    const made = await create({ url: 'HTTP://LOCALHOST:9999/ä/{from}?to={to}' })
    expect(made.body.settings).toEqual({ url: 'http://localhost:9999/%C3%A4/{from}?to={to}' })
    const patch = (settings: object) =>
      fixture.call('PATCH', `/v1/integrations/${made.body.id}`, { json: { settings } })
    expect((await patch({ url: 'https://192.168.0.1/' })).body).toMatchObject({ code: 'url_not_allowed' })
    expect((await patch({ url: null })).status).toBe(422)
    expect((await patch({ auth: 'nothing' })).status).toBe(422)
    expect((await patch({ combine: 'last' })).body.settings).toMatchObject({ combine: 'last' })
    expect((await fixture.call('PATCH', '/v1/integrations/int_none', { json: { settings: {} } })).status).toBe(404)
  })
})
