import { expect, test } from '@jest/globals'
import type { components } from '@wds/api-client/schemas'
import {
  draftOfIntegration,
  emptyIntegration,
  fieldsOfIntegration,
  newIntegration,
  shownFaults,
} from './integration-draft.ts'
import { healthOf, reasonText, scheduleText } from './integration-health.ts'
import { mergePatchOf } from './merge-patch.ts'
import { countText, dayText, moneyText } from './numbers.ts'
import { nameOfParameter, postbackQuery } from './postback.ts'
import { sampleColumns } from './sample-rows.ts'
import { fieldsOfSchema, settingsOf, typedSettings } from './schema-form.ts'
import { canRetry, codeText, daysText, isOpenRun, rowCounts } from './sync-run.ts'
import { mediaTypeOf } from './upload.ts'

type Schemas = components['schemas']

const schema = {
  required: ['seed'],
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 7 },
    clicks_per_day: { type: 'integer', minimum: 0, maximum: 100 },
    combine: { enum: ['sum', 'last'], default: 'sum', description: 'Rows with one key.' },
    countries: { type: 'array', items: { type: 'string' }, default: ['DE', 'AT'] },
    is_fast: { type: 'boolean' },
    failures: { type: ['object', 'null'] },
  },
}
const fields = fieldsOfSchema(schema)

test('a JSON Schema becomes fields in its order, what no field can carry as JSON', () => {
  expect(fields.map(({ name, label, kind }) => [name, label, kind])).toEqual([
    ['seed', 'Seed', 'number'],
    ['clicks_per_day', 'Clicks per day', 'number'],
    ['combine', 'Combine', 'choice'],
    ['countries', 'Countries', 'list'],
    ['is_fast', 'Is fast', 'switch'],
    ['failures', 'Failures', 'json'],
  ])
  expect(fields[0]).toMatchObject({ isRequired: true, standard: '7', min: 0, max: null })
  expect(fields[2]).toMatchObject({ options: ['sum', 'last'], hint: 'Rows with one key.', standard: 'sum' })
  expect(fields[3]?.standard).toBe('DE, AT')
  expect(fieldsOfSchema(null)).toEqual([])
})

test('settings hold what was typed, and come back as it was typed', () => {
  const draft = { seed: '1', clicks_per_day: '', countries: 'DE, FR  IT', is_fast: 'false', failures: '{"code":"x"}' }
  const settings = { seed: 1, countries: ['DE', 'FR', 'IT'], is_fast: false, failures: { code: 'x' } }
  expect(settingsOf(fields, draft)).toEqual({ settings, faults: {} })
  expect(settingsOf(fields, typedSettings(fields, settings))).toEqual({ settings, faults: {} })
})

test('what cannot be sent is told at its field', () => {
  const draft = { seed: '', clicks_per_day: '101', failures: '{' }
  expect(settingsOf(fields, draft).faults).toEqual({
    seed: 'missing',
    clicks_per_day: 'out_of_range',
    failures: 'not_json',
  })
  expect(settingsOf(fields, { seed: 'many' }).faults).toEqual({ seed: 'not_a_number' })
})

test('what is missing is said once somebody tried to send, what is wrong at once', () => {
  const provider = { settings_schema: schema } as unknown as Schemas['Provider']
  const draft = { ...emptyIntegration, settings: { failures: '{' } }
  expect(shownFaults(provider, draft, { wasTried: false })).toEqual({ failures: 'not_json' })
  expect(shownFaults(provider, draft, { wasTried: true })).toEqual({ seed: 'missing', failures: 'not_json' })
})

test('a merge patch names only what changed, and null for what is gone', () => {
  const before = { name: 'a', settings: { seed: 1, countries: ['DE'] }, schedule: { every_minutes: 60, at: null } }
  const after = { name: 'a', settings: { countries: ['DE', 'AT'] }, schedule: { every_minutes: 60, at: null } }
  expect(mergePatchOf(before, after)).toEqual({ settings: { seed: null, countries: ['DE', 'AT'] } })
})

const provider = { provider: 'demo', kind: 'generated', settings_schema: schema } as unknown as Schemas['Provider']

test('a new integration has what was typed, and the rest by default of the provider', () => {
  const draft = { ...emptyIntegration, name: ' Mine ', brandSlug: 'acme', everyMinutes: '1440', at: '03:00' }
  expect(newIntegration({ ...draft, settings: { seed: '3' } }, provider)).toEqual({
    name: 'Mine',
    provider: 'demo',
    brand_slug: 'acme',
    currency: 'EUR',
    source_time_zone: 'UTC',
    schedule: { every_minutes: 1440, at: '03:00' },
    settings: { seed: 3 },
  })
  expect(newIntegration({ ...draft, everyMinutes: '60' }, provider).schedule).toEqual({ every_minutes: 60, at: null })
})

test('regression: what was typed for another provider is not sent, since its fields are shown no longer', () => {
  const draft = { ...emptyIntegration, name: 'Mine', brandSlug: 'acme', credentials: { token: 'x' } }
  expect(newIntegration(draft, provider)).not.toHaveProperty('credentials')
  const upload = { ...provider, provider: 'csv_upload' } as typeof provider
  const typed = { ...draft, everyMinutes: '60', lookbackDays: '5', initialBackfillDays: '9', settleHours: '2' }
  expect(Object.keys(newIntegration(typed, upload)).sort()).toEqual([
    'brand_slug',
    'currency',
    'name',
    'provider',
    'settings',
    'source_time_zone',
  ])
})

test('a change sends the changed fields only', () => {
  const integration = {
    name: 'Mine',
    brand_slug: 'acme',
    currency: 'EUR',
    source_time_zone: 'UTC',
    lookback_days: 3,
    schedule: { every_minutes: 60, at: null },
    settings: { seed: 3, is_fast: true },
  } as unknown as Schemas['Integration']
  const before = draftOfIntegration(integration, fields)
  const patchOf = (draft: typeof before) =>
    mergePatchOf(fieldsOfIntegration(before, fields), fieldsOfIntegration(draft, fields))
  expect(patchOf(before)).toEqual({})
  const after = { ...before, lookbackDays: '5', settings: { seed: '4' } }
  expect(patchOf(after)).toEqual({ lookback_days: 5, settings: { seed: 4, is_fast: null } })
})

test('credentials are sent when they are typed, whole and as they are; their fields are those of secrets', () => {
  const draft = { ...emptyIntegration, name: 'Feed', brandSlug: 'acme', credentials: { token: ' x ', username: '' } }
  const feed = { ...provider, credentials_schema: { properties: { token: {}, username: {} } } }
  expect(newIntegration(draft, feed)).toMatchObject({ credentials: { token: ' x ' } })
  expect(newIntegration({ ...draft, credentials: {} }, feed)).not.toHaveProperty('credentials')
  expect(fieldsOfIntegration(emptyIntegration, fields)).not.toHaveProperty('credentials')
  const secret = { properties: { token: { type: 'string', writeOnly: true } } }
  expect(fieldsOfSchema(secret)).toMatchObject([{ name: 'token', kind: 'secret' }])
})

const healthy = { consecutive_failures: 0, broken_reason: null, broken_since: null, last_success: null, delayed: false }

test.each([
  ['active', 'demo', {}, 'done', 'The last run stored its numbers.'],
  ['active', 'demo', { consecutive_failures: 2 }, 'warning', '2 runs failed in a row.'],
  ['active', 'demo', { delayed: true }, 'warning', 'No run has succeeded for twice its interval.'],
  ['pending', 'csv_upload', {}, 'info', 'Upload a file to begin.'],
  ['paused', 'demo', {}, 'info', 'Nothing is fetched until it is resumed. Numbers that are stored stay.'],
  [
    ...(['broken', 'demo', { broken_reason: 'timeout', consecutive_failures: 1 }, 'warning'] as const),
    'The source does not answer in time. 1 run failed.',
  ],
] as const)('the health of an integration that is %s (%s, %j) is told in words', (status, of, change, look, text) => {
  const health = { ...healthy, ...change }
  expect(healthOf({ status, provider: of, health, last_sync: null })).toMatchObject({ look, text })
})

test('a reason that is not known here is told by its code', () => {
  expect(reasonText('moon_phase')).toBe('The reason is moon_phase.')
  expect(reasonText('constructor')).toBe('The reason is constructor.')
})

test.each([
  [null, 'csv_upload', 'by files'],
  [null, 'demo', 'by hand only'],
  [{ every_minutes: 15 }, 'demo', 'every 15 minutes'],
  [{ every_minutes: 60 }, 'demo', 'every hour'],
  [{ every_minutes: 360 }, 'demo', 'every 6 hours'],
  [{ every_minutes: 1440, at: '03:00' }, 'demo', 'daily at 03:00'],
])('a schedule %j of %s is told as "%s"', (schedule, of, text) => expect(scheduleText(schedule, of)).toBe(text))

test('a run that ended without rows can be retried, but no upload', () => {
  const states = (['failed', 'canceled', 'succeeded', 'running'] as const).map((status) => [
    canRetry({ status, trigger: 'schedule' }),
    isOpenRun({ status }),
  ])
  expect(states).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, true],
  ])
  expect(canRetry({ status: 'failed', trigger: 'upload' })).toBe(false)
})

test('a run tells its days and rows; what the API leaves out is not zero', () => {
  const text = daysText({ window: { from: '2026-11-01', to: '2026-11-03' } })
  expect(text.replaceAll(/\s/g, ' ')).toBe('1 – 3 Nov 2026')
  expect(daysText({ window: null })).toBe('known once the file is read')
  const counts = rowCounts({ rows_ingested: 4, rows_rejected: 1 } as Schemas['SyncRun'])
  expect(counts.filter(({ count }) => count !== null)).toEqual([
    { name: 'read', count: 4, isBad: false },
    { name: 'rejected', count: 1, isBad: true },
  ])
  expect([codeText('bad_number'), codeText('new_code')]).toEqual(['The value is not a number.', 'new_code'])
})

test('U17: money and days are written by Intl, and null is a dash', () => {
  expect(moneyText(1_234_50, 'EUR', 'en')).toBe('€1,234.50')
  expect(moneyText(1_234_50, 'EUR', 'de')).toBe('1.234,50\u00a0€')
  expect(moneyText(1_234, 'JPY', 'en')).toBe('¥1,234')
  expect(moneyText(1_234_567, 'KWD', 'fr')).toBe('1\u202f234,567\u00a0KWD')
  expect([moneyText(null, 'EUR'), countText(null), countText(0)]).toEqual(['–', '–', '0'])
  expect([dayText('2026-11-01'), dayText('2026-11-01', 'en-US', true)]).toEqual(['1 Nov', 'Nov 1, 2026'])
})

test('the sample of a source has a column for what holds something', () => {
  const rows = [
    { date: '2026-11-01', country: null, clicks: 1_200, cpa_commission: 1_050, currency: 'EUR' },
    { date: '2026-11-02', country: null, clicks: null, cpa_commission: null, currency: 'EUR' },
  ]
  const columns = sampleColumns(rows)
  expect(columns.map(({ title }) => title)).toEqual(['Date', 'Clicks', 'Cpa commission', 'Currency'])
  expect(rows.map((row) => columns.map(({ textOf }) => textOf(row)).join(' '))).toEqual([
    '2026-11-01 1,200 €10.50 EUR',
    '2026-11-02 – – EUR',
  ])
})

test('a file is sent as what its name says', () => {
  expect(['a.csv', 'B.NDJSON', 'c.jsonl', 'd'].map(mediaTypeOf)).toEqual([
    ...['text/csv', 'application/x-ndjson', 'application/x-ndjson', 'text/csv'],
  ])
})

test('a network is told the parameters under the names of the settings', () => {
  expect(postbackQuery({})).toBe(
    '?event=ftd&tx_id={tx_id}&ts={ts}&campaign={campaign}&country={country}&currency={currency}&amount={amount}',
  )
  const settings = { parameter_map: { event: 'goal', tx_id: 'click id' } }
  expect(postbackQuery(settings)).toContain('?goal=ftd&click%20id={tx_id}&ts={ts}')
  expect([nameOfParameter('tx_id', settings), nameOfParameter('kind', settings)]).toEqual(['click id', 'kind'])
})
