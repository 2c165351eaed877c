import { expect, test } from '@jest/globals'
import { causeOf, deadLetterName, groupWords } from './attempt-words.ts'
import { familiesOf, matchedTypes, searchFamilies, togglePattern } from './event-patterns.ts'
import { barsOf, lastHours, successRate } from './health.ts'
import { signedCurlText } from './signed-curl.ts'
import { newestTraceOf, type TimelineAttempt, timelineOf } from './timeline.ts'

const types = ['invoice.paid', 'invoice.void', 'sync.completed'].map((type) => ({
  type,
  meaning: `Meaning of ${type}`,
}))

test('a wildcard is what it matches today', () => {
  const names = (patterns: string[]) => matchedTypes(patterns, types).map(({ type }) => type)
  expect(names(['invoice.*'])).toEqual(['invoice.paid', 'invoice.void'])
  expect(names(['*'])).toHaveLength(3)
  expect(names(['invoice.paid', 'nothing.*'])).toEqual(['invoice.paid'])
})

test('a wider pattern takes the place of those that it covers, and each goes away as it came', () => {
  const one = togglePattern(['invoice.paid', 'sync.completed'], 'invoice.*')
  expect(one).toEqual(['sync.completed', 'invoice.*'])
  expect(togglePattern(one, '*')).toEqual(['*'])
  expect(togglePattern(['*'], 'sync.completed')).toEqual(['sync.completed'])
  expect(togglePattern(one, 'invoice.*')).toEqual(['sync.completed'])
})

test('a search finds names and meanings', () => {
  const found = searchFamilies(familiesOf(types), 'inv void')
  expect(found).toEqual([{ prefix: 'invoice', types: [types[1]] }])
})

test('every step has a bar, with the sums of its periods', () => {
  const hour = (n: number) => `2026-11-23T${String(n).padStart(2, '0')}:00:00.000Z`
  const period = (n: number, succeeded: number, failed: number) => ({ start: hour(n), succeeded, failed, unknown: 0 })
  const [sinceMs, untilMs] = [Date.parse(hour(0)), Date.parse(hour(18))]
  const bars = barsOf([period(1, 2, 1), period(5, 3, 0), period(6, 1, 1)], { sinceMs, untilMs, stepMs: 6 * 3_600_000 })
  expect(bars.map(({ start, succeeded, failed }) => [start, succeeded, failed])).toEqual([
    [hour(0), 5, 1],
    [hour(6), 1, 1],
    [hour(12), 0, 0],
  ])
  expect(lastHours(Date.parse('2026-11-23T10:20:00Z'), 24)).toEqual({
    sinceMs: Date.parse('2026-11-22T11:00:00Z'),
    untilMs: Date.parse('2026-11-23T11:00:00Z'),
  })
})

test('one failure is never 100 %, and nothing is no rate', () => {
  const rates = [
    [0, 0],
    [10, 10],
    [100_000, 99_999],
    [3, 1],
  ].map(([attempts = 0, succeeded = 0]) => successRate({ attempts, succeeded }))
  expect(rates).toEqual([null, '100 %', '99.9 %', '33.3 %'])
})

const attempt = (epoch: number, number: number, outcome: TimelineAttempt['outcome'] = 'failed') => ({
  epoch,
  number,
  outcome,
  started: `2026-11-23T10:0${number}:00Z`,
  duration_ms: 50,
  response_status: 500,
  error_code: 'http_status',
})

test('the timeline has a row for each attempt, newest epoch first, and says how many may follow', () => {
  const timeline = timelineOf({
    epoch: 2,
    attempt: 1,
    max_attempts: 6,
    next_attempt: '2026-11-23T11:00:00Z',
    attempts: [attempt(1, 1), attempt(1, 2, 'unknown'), attempt(2, 1)],
    epochs: [{ epoch: 2, requested: '2026-11-23T10:30:00Z', requested_by: 'usr_1' }],
  })
  expect(timeline.epochs.map(({ epoch, attempts }) => [epoch, attempts.map(({ number }) => number)])).toEqual([
    [2, [1]],
    [1, [2, 1]],
  ])
  expect(timeline.epochs.map(({ requested }) => requested?.by ?? null)).toEqual(['usr_1', null])
  expect(timeline.next).toEqual({ at: '2026-11-23T11:00:00Z', moreMax: 5 })
})

test('regression: while an attempt is under way the trace of the one before it is at hand', () => {
  const traced = (trace: string | null) => ({ trace_id: trace })
  expect(newestTraceOf([traced('a'), traced('b'), traced(null)])).toBe('b')
  expect(newestTraceOf([traced(null)])).toBeNull()
  expect(newestTraceOf([])).toBeNull()
})

test('the timeline never has more rows than attempts are allowed', () => {
  const attempts = [1, 2, 2, 3].map((number) => attempt(1, number))
  const timeline = timelineOf({ epoch: 1, attempt: 2, max_attempts: 2, next_attempt: null, attempts, epochs: [] })
  expect(timeline.epochs[0]?.attempts).toHaveLength(2)
  expect(timeline.next).toBeNull()
})

test.each([
  [{ error_code: 'timeout', response_status: null }, 'No answer within 10 s'],
  [{ error_code: 'http_status', response_status: 503 }, 'Answered with 503'],
  [{ error_code: 'http_status', response_status: 302 }, 'Answered with 302. Redirects are not followed'],
  [{ error_code: 'a_new_one', response_status: null }, 'a_new_one'],
  [{ error_code: null, response_status: null }, null],
])('a cause in words: %j', (outcome, text) => expect(causeOf(outcome)).toBe(text))

test('a group of dead letters is named by its cause', () => {
  expect(groupWords({ reason: 'attempts_exhausted', error_code: 'http_status', status_class: '5xx' })).toBe(
    'Answered with 5xx',
  )
  expect(groupWords({ reason: 'subscription_disabled', error_code: null, status_class: null })).toBe(
    'The subscription was disabled',
  )
})

test('regression: in one line, a group is named in words, with its reason', () => {
  expect(deadLetterName({ reason: 'subscription_disabled', error_code: 'http_status', status_class: '4xx' })).toBe(
    'Answered with 4xx (the subscription was disabled)',
  )
  expect(deadLetterName({ reason: 'subscription_deleted', error_code: null, status_class: null })).toBe(
    'The subscription was deleted',
  )
})

test('the signed text holds no secret and quotes the body', () => {
  const text = signedCurlText({
    url: 'https://a.test/hooks',
    eventId: 'evt_1',
    body: `{"a":"it's"}`,
    headers: { 'x-own': '1' },
  })
  expect(text).toContain(`BODY='{"a":"it'\\''s"}'`)
  expect(text).toContain('-hmac "$WEBHOOK_SECRET"')
  expect(text).toContain(`-H 'x-own: 1' \\`)
})
