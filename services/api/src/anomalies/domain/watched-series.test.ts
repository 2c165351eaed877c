// Which findings a look at a day makes, and which it ends; whether a value left its baseline is proven in seasonal-robust.test.ts.
import { describe, expect, test } from '@jest/globals'
import { type KnownAnomaly, type Look, lookAtSeries, type WatchedSeries } from './watched-series.ts'

const today = 100
/** 60 days of about `level`, the last of them day 99, then `last` days from day 100 on. */
function seriesOf(level: number, last: number[], o: Partial<WatchedSeries> = {}): WatchedSeries {
  const past = Array.from({ length: 60 }, (_, at) => ({ number: 40 + at, value: level + ((at * 7) % 11) - 5 }))
  const days = [...past, ...last.map((value, at) => ({ number: today + at, value }))]
  return { brandSlug: 'acme', campaignId: null, metric: 'clicks', ...o, days }
}
function look(series: WatchedSeries[], o: Partial<Look> = {}) {
  const day = { number: today, date: '2026-04-11', timeZone: 'UTC', currency: 'EUR' }
  return lookAtSeries({ ...day, isFinal: true, isJudged: true, series, known: [], ...o })
}
const known = (o: Partial<KnownAnomaly> = {}): KnownAnomaly => {
  const of = { brandSlug: 'acme', campaignId: null, campaignIds: [] }
  const place = { id: 'ano_1', ...of, metric: 'clicks', day: today - 1, windowDays: 1 } as const
  return { ...place, direction: 'spike', isOpen: true, isRecent: true, ...o }
}

describe('what is found', () => {
  test('a value outside of its band, with what was expected', () => {
    expect(look([seriesOf(200, [900])]).found).toMatchObject([
      { metric: 'clicks', brand_slug: 'acme', day: '2026-04-11', window_days: 1, observed: 900, direction: 'spike' },
    ])
    expect(look([seriesOf(200, [204])]).found).toEqual([])
  })

  test('money has its currency, and 50 of it is the least that counts', () => {
    const ngr = (value: number) => seriesOf(2_000, [value], { metric: 'ngr' })
    expect(look([ngr(9_000)]).found).toMatchObject([{ metric: 'ngr', observed: 9_000, currency: 'EUR' }])
    expect(look([ngr(6_900)]).found).toEqual([])
    // 4,900 minor units are 49.00 EUR, and 4,900 JPY.
    expect(look([ngr(6_900)], { currency: 'JPY' }).found).toHaveLength(1)
  })

  test('nothing of a day that ended long ago', () => {
    expect(look([seriesOf(200, [900])], { isJudged: false }).found).toEqual([])
  })

  test('of a provisional day only that nothing came where much was expected', () => {
    const provisional = { isFinal: false }
    expect(look([seriesOf(200, [900])], provisional).found).toEqual([])
    expect(look([seriesOf(200, [0])], provisional).found).toMatchObject([{ observed: 0, is_final_day: false }])
    // Two dozen are too few to be missed before the day is final.
    expect(look([seriesOf(24, [0])], provisional).found).toEqual([])
    expect(look([seriesOf(200, [0], { metric: 'ngr' })], provisional).found).toEqual([])
  })

  test('of a low series a week that is low as a whole', () => {
    const days = (week: number) => {
      const past = Array.from({ length: 57 }, (_, at) => ({ number: 37 + at, value: 12 + (at % 3) }))
      const last = Array.from({ length: 7 }, (_, at) => ({ number: 94 + at, value: week }))
      return [...past, ...last]
    }
    const low = { brandSlug: 'acme', campaignId: null, metric: 'clicks', days: days(5) } as const
    expect(look([low]).found).toMatchObject([{ window_days: 7, observed: 35, direction: 'drop' }])
    expect(look([{ ...low, days: days(13) }]).found).toEqual([])
  })

  test('at most 250 series are watched', () => {
    const many = Array.from({ length: 300 }, (_, at) => seriesOf(200, [900], { brandSlug: `b${at}` }))
    expect(look(many).found).toHaveLength(250)
  })
})

describe('what is not found again', () => {
  const spike = seriesOf(200, [900])
  test.each([
    ['one of the same direction is open', known({ isRecent: false }), 0],
    ['one of the same direction was found lately', known({ isOpen: false }), 0],
    [
      'one of the day is known, whatever became of it',
      known({ day: today, isOpen: false, isRecent: false, direction: 'drop' }),
      0,
    ],
    ['one of the other direction is open', known({ direction: 'drop' }), 1],
    ['one of another metric is open', known({ metric: 'ftds' }), 1],
    ['one of another brand is open', known({ brandSlug: 'other' }), 1],
    ['one ended long ago', known({ isOpen: false, isRecent: false, day: 50 }), 1],
  ])('%s', (_, one, found) => {
    expect(look([spike], { known: [one] }).found).toHaveLength(found)
  })
})

describe('campaigns', () => {
  const brand = seriesOf(400, [1_800])
  const loud = seriesOf(200, [900], { campaignId: 'cmp_loud' })
  const other = seriesOf(200, [850], { campaignId: 'cmp_other' })
  const silent = seriesOf(200, [0], { campaignId: 'cmp_silent' })
  const calm = seriesOf(200, [203], { campaignId: 'cmp_calm' })
  const ofFound = (...args: Parameters<typeof look>) =>
    look(...args).found.map(({ campaign_id, campaign_ids, direction }) => [campaign_id, campaign_ids, direction])

  test('those that leave their baseline with their brand, in its direction, are told with it', () => {
    expect(ofFound([brand, loud, other, silent, calm])).toEqual([
      [null, ['cmp_loud', 'cmp_other'], 'spike'],
      ['cmp_silent', [], 'drop'],
    ])
  })

  test('one whose brand is as usual, or is another one, is told by itself', () => {
    expect(ofFound([seriesOf(400, [404]), loud])).toEqual([['cmp_loud', [], 'spike']])
    expect(ofFound([{ ...brand, brandSlug: 'beta' }, loud])).toEqual([
      [null, [], 'spike'],
      ['cmp_loud', [], 'spike'],
    ])
    expect(ofFound([{ ...brand, metric: 'ftds' }, loud])).toHaveLength(2)
  })

  test('while the brand goes on, or its anomaly speaks for the campaign, the campaign is not told again', () => {
    const ofBrand = (o: Partial<KnownAnomaly>) => ({ known: [known(o)] })
    expect(ofFound([brand, loud], ofBrand({}))).toEqual([])
    const back = seriesOf(400, [404])
    expect(ofFound([back, loud], ofBrand({ campaignIds: ['cmp_loud'] }))).toEqual([])
    expect(ofFound([back, loud], ofBrand({ campaignIds: ['cmp_other'] }))).toHaveLength(1)
    expect(ofFound([back, loud], ofBrand({ campaignIds: ['cmp_loud'], direction: 'drop' }))).toHaveLength(1)
    const over = { campaignIds: ['cmp_loud'], isOpen: false, isRecent: false }
    expect(ofFound([back, loud], ofBrand(over))).toHaveLength(1)
  })

  test('an anomaly of a campaign is damped and ended by the numbers of the campaign', () => {
    const own = known({ campaignId: 'cmp_loud' })
    const back = seriesOf(400, [404])
    expect(ofFound([back, loud], { known: [own] })).toEqual([])
    const ofToday = { ...own, day: today }
    expect(look([back, loud], { known: [ofToday] }).resolved).toEqual([])
    const calmed = seriesOf(200, [203], { campaignId: 'cmp_loud' })
    expect(look([brand, calmed], { known: [ofToday] }).resolved).toEqual([{ id: 'ano_1', resolution: 'restated' }])
  })
})

describe('what is ended', () => {
  test('by its day, when its value is within the band now', () => {
    const ofToday = known({ day: today })
    expect(look([seriesOf(200, [203])], { known: [ofToday], isJudged: false }).resolved).toEqual([
      { id: 'ano_1', resolution: 'restated' },
    ])
    expect(look([seriesOf(200, [900])], { known: [ofToday] }).resolved).toEqual([])
    expect(look([seriesOf(200, [203])], { known: [known({ day: today, isOpen: false })] }).resolved).toEqual([])
  })

  test('by three days in a row within their bands, whichever of them is final last', () => {
    const back = seriesOf(200, [900, 203, 197, 204])
    const at = (number: number, series = back) =>
      look([series], { number, known: [known({ day: today })], isJudged: false }).resolved
    expect([101, 102, 103].map((number) => at(number))).toEqual(
      Array.from({ length: 3 }, () => [{ id: 'ano_1', resolution: 'recovered' }]),
    )
    const two = { ...back, days: back.days.filter(({ number }) => number !== 102) }
    expect(at(103, two)).toEqual([])
    // It lasted for two days: the three days after both end it.
    const longer = seriesOf(200, [900, 900, 203, 197, 204])
    expect([102, 103, 104].map((number) => at(number, longer))).toEqual(
      Array.from({ length: 3 }, () => [{ id: 'ano_1', resolution: 'recovered' }]),
    )
    expect(at(101, longer)).toEqual([])
  })

  test('never by days before it, nor by a day that is not final', () => {
    const later = known({ day: today + 5 })
    expect(look([seriesOf(200, [203])], { known: [later] }).resolved).toEqual([])
    expect(look([seriesOf(200, [203])], { known: [known({ day: today })], isFinal: false }).resolved).toEqual([])
  })
})
