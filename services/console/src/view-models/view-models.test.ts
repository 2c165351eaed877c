import { expect, test } from '@jest/globals'
import { isConsolePath } from './console-paths.ts'
import { curlText } from './curl-text.ts'
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
