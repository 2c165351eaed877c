import { expect, test } from '@jest/globals'
import { isConsolePath } from './console-paths.ts'
import { curlText } from './curl-text.ts'
import { faultOf, fieldName, stillWrong } from './faults.ts'
import { isInstant, oneOf, readFilters, readSearch, searchText } from './filters.ts'
import { pollMs } from './polling.ts'
import { durationText, exactTimes, relativeTime } from './relative-time.ts'

test.each([
  ['/', true],
  ['/w/sample', true],
  ['/w/sample/webhooks/whk_1/history', true],
  ['/webhooks', true],
  ['/oauth-apps/new', true],
  ['/w/', false],
  ['/w', false],
  ['/v1/webhooks', false],
  ['/nothing', false],
  ['//webhooks', false],
  ['/webhooksish', false],
])('is %s a page: %s', (path, is) => expect(isConsolePath(path)).toBe(is))

test('a filter with a wrong value falls back to none and is named', () => {
  const rules = { status: oneOf(['dead', 'failed']), since: isInstant }
  const search = { status: 'deat', since: '2026-11-23T00:00:00Z', other: 'x' }
  expect(readFilters(rules, search)).toEqual({ values: { since: '2026-11-23T00:00:00Z' }, refused: ['status'] })
})

test('one view has one address, and it is read back', () => {
  const values = { status: 'failed', event: 'a,b', empty: '', none: undefined }
  const text = searchText(values)
  expect(text).toBe('?event=a%2Cb&status=failed')
  expect(readSearch(text)).toEqual({ event: 'a,b', status: 'failed' })
})

test('a curl text is safe in a shell and holds no token', () => {
  const text = curlText({ method: 'post', url: "https://a.test/it's", body: { a: "b'c" } })
  expect(text).toBe(
    [
      `curl -sS -X POST 'https://a.test/it'\\''s'`,
      `-H "Authorization: Bearer $WDS_TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `-d '{"a":"b'\\''c"}'`,
    ].join(' \\\n  '),
  )
})

test.each([
  ['a visible tab where things happen', {}, 5_000],
  ['elsewhere', { pace: 'slow' as const }, 30_000],
  ['five minutes without input', { idleMs: 300_000 }, 30_000],
  ['a hidden tab', { isVisible: false }, false],
  ['a row that is read', { isPaused: true }, false],
  ['few requests that are left', { rateLimit: { remaining: 10, resetSeconds: 50 } }, 10_000],
  ['none that is left', { rateLimit: { remaining: 0, resetSeconds: 42 } }, 42_000],
])('polling in %s', (_, change, ms) => {
  const usual = { pace: 'live' as const, isVisible: true, isPaused: false, idleMs: 0, rateLimit: null }
  expect(pollMs({ ...usual, ...change })).toBe(ms)
})

test('instants are told as people say them, and exactly', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect([-3_000, -125_000, 7_300_000, -90_000_000].map((ms) => relativeTime(now + ms, now))).toEqual([
    'just now',
    '2 minutes ago',
    'in 2 hours',
    '1 day ago',
  ])
  expect(exactTimes(now, { timeZone: 'Europe/Berlin' })).toEqual({
    local: '23 Nov 2026, 13:00:00 CET',
    utc: '23 Nov 2026, 12:00:00 UTC',
  })
  expect([12, 3_240, 245_000, 7_500_000].map(durationText)).toEqual(['12 ms', '3.2 s', '4 min 5 s', '2 h 5 min'])
})

test('regression: a fault goes with the change of its field, and comes back with the value that was refused', () => {
  const errors = ['/name', '/period/to', '/tags/1'].map((pointer) => ({ pointer, code: 'invalid', detail: pointer }))
  const refusal = { detail: 'Refused.', errors }
  const sent = { name: '', period: { from: '2026-01-01', to: '2025-01-01' }, tags: ['a', ''] }
  const left = (now: object) => stillWrong(refusal, sent, now)?.errors.map(({ pointer }) => pointer) ?? null
  expect(stillWrong(refusal, sent, { ...sent })).toBe(refusal)
  expect(left({ ...sent, name: 'Named' })).toEqual(['/period/to', '/tags/1'])
  expect(left({ ...sent, period: { ...sent.period, from: '2024-01-01' } })).toEqual(['/name', '/period/to', '/tags/1'])
  const right = { name: 'Named', period: { ...sent.period, to: '2026-01-31' }, tags: ['a'] }
  expect(left(right)).toBe(null)
  const partly = stillWrong(refusal, sent, { ...right, name: '' })
  expect([faultOf(partly, '/name'), faultOf(partly, '/period/to'), partly?.detail]).toEqual(['/name', null, 'Refused.'])
})

test('a field is named by its place in the body, rows as people count them', () => {
  expect(['/settings/base_url', '/conditions/0/value', '/tags/9'].map(fieldName)).toEqual([
    'settings, base url',
    'conditions 1, value',
    'tags 10',
  ])
})

test('a refusal of no field stays, and a fault beyond the body goes with any change', () => {
  const whole = { detail: 'Taken.', errors: [] }
  expect(stillWrong(whole, { name: 'a' }, { name: 'b' })).toBe(whole)
  const beyond = { errors: [{ pointer: '/ends', code: 'invalid', detail: 'Before starts.' }] }
  expect(stillWrong(beyond, { starts: '2' }, { starts: '2' })).toBe(beyond)
  expect(stillWrong(beyond, { starts: '2' }, { starts: '1' })).toBe(null)
})
