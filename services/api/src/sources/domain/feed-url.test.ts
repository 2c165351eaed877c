// Which addresses a feed's template stands for, and which links are followed.
import { describe, expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import {
  asksForDays,
  feedUrl,
  followedLink,
  nextOfLinkHeader,
  originOf,
  serialisedTemplate,
  templateFault,
} from './feed-url.ts'

const window = { from: '2026-03-01', to: '2026-03-31' }

test.each([
  ['YYYY-MM-DD', '2026-03-01', '2026-03-31'],
  ['YYYYMMDD', '20260301', '20260331'],
  ['DD/MM/YYYY', '01%2F03%2F2026', '31%2F03%2F2026'],
  // From the first instant of the first day to the last second of the last one, which is an hour nearer: summer begins.
  ['unix', String(Date.parse('2026-02-28T23:00:00Z') / 1000), String(Date.parse('2026-03-31T21:59:59Z') / 1000)],
] as const)('days as %s', (format, from, to) => {
  const template = 'https://a.test/{from}/x?to={to}&again={to}'
  expect(feedUrl({ template, format, window, zone: 'Europe/Malta' })).toBe(
    `https://a.test/${from}/x?to=${to}&again=${to}`,
  )
})

test('a day may stand in path and query, nowhere else', () => {
  for (const template of ['https://a.test/{from}?{to}=1', 'https://a.test/']) expect(templateFault(template)).toBeNull()
  for (const template of [
    'https://{from}.test/',
    'https://a.test:{to}/',
    '{from}',
    'a.test/{from}',
    'https://{to}@a.test{from}/',
  ]) {
    expect([template, templateFault(template)]).toEqual([template, expect.any(String)])
  }
  expect(serialisedTemplate('HTTPS://A.test/ä/{from}?q={to}')).toBe('https://a.test/%C3%A4/{from}?q={to}')
  expect([asksForDays('https://a.test/{from}'), asksForDays('https://a.test/{from}{to}')]).toEqual([false, true])
  expect(originOf('https://A.test:443/{from}')).toBe('https://a.test')
})

describe('a link to the next page', () => {
  const page = 'https://a.test/report?page=1'
  test.each([
    ['?page=2', 'https://a.test/report?page=2'],
    ['/other#part', 'https://a.test/other'],
    ['https://a.test:443/x', 'https://a.test/x'],
    ['//a.test/x', 'https://a.test/x'],
  ])('%s is followed', (link, url) => expect(followedLink(link, page)).toBe(url))

  test.each([
    'https://b.test/',
    '//b.test/',
    'http://a.test/',
    'https://a.test:8443/',
    'https://u:p@a.test/',
    'javascript:1',
    'https://',
    `?${'x'.repeat(2_048)}`,
  ])('%.40s is refused', (link) => expect(followedLink(link, page)).toBeNull())

  test.each([
    ['<https://a.test/2>; rel="next"', 'https://a.test/2'],
    ['<a>; rel=prev, <b>; title="x"; rel="last next"', 'b'],
    ['<b>; REL=Next', 'b'],
    ['<a>; rel="prev"', null],
    ['<a>; rel="nextish"', null],
    ['rel="next"', null],
  ])('in a header: %s', (header, target) => expect(nextOfLinkHeader(header)).toBe(target))

  test('XP09: a hostile header takes no time', async () => {
    for (const unit of ['<', '<>', '<a>;', '; rel', ';', '<a>; rel=', ' ']) {
      await holdsLoopAtMost(10, () => nextOfLinkHeader(unit.repeat(100_000 / unit.length)))
    }
  })
})
