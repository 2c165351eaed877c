/** Each check is tested by a history that breaks it alone; the good history passes. */
import { expect, test } from '@jest/globals'
import { type EffectHistory, effectBreachesOf } from './effect-checker.ts'

function goodHistory(): EffectHistory {
  const conversion = (txId: string) => ({ integrationId: 'int_1', event: 'deposit', txId, amount: 101 })
  const row = (key: string, clicks: number) => ({ integrationId: 'int_2', key, measures: { clicks, ftds: 1 } })
  const told = (eventId: string, type: string, data: object) => ({ eventId, type, data: { ...data } })
  return {
    conversions: [conversion('1'), conversion('2')],
    acknowledged: new Map([['int_1', 2]]),
    rows: [
      { integrationId: 'int_1', key: 'today', measures: { deposits: 2, deposits_amount: 202 } },
      row('a', 10),
      row('b', 20),
    ],
    shown: new Map([['int_2', [row('a', 10), row('b', 20)]]]),
    runs: [
      { id: 'syn_1', integrationId: 'int_2', status: 'succeeded' },
      { id: 'syn_2', integrationId: 'int_2', status: 'failed' },
      { id: 'syn_3', integrationId: 'int_1', status: 'canceled' },
    ],
    told: [
      told('1', 'sync.started', { sync_run_id: 'syn_1' }),
      told('1', 'sync.started', { sync_run_id: 'syn_1' }),
      told('2', 'sync.completed', { integration_id: 'int_2' }),
      told('3', 'sync.started', { sync_run_id: 'syn_2' }),
      told('4', 'sync.completed', { integration_id: 'int_2' }),
      told('5', 'stats.daily_ready', { date: '2026-01-01' }),
      told('6', 'stats.restated', { date: '2026-01-01', revision: 2 }),
      told('7', 'stats.restated', { date: '2026-01-01', revision: 3 }),
      told('8', 'campaign.created', { integration_id: 'int_2', external_id: 'c-1' }),
    ],
  }
}

test('a good history has no breach', () => {
  expect(effectBreachesOf(goodHistory())).toEqual([])
})

const again = (h: EffectHistory, nth: number) => h.told.push({ ...h.told[nth], eventId: 'another' } as never)
const damages: [name: string, damage: (h: EffectHistory) => unknown, breach: RegExp][] = [
  [
    'a conversion is stored twice',
    (h) => h.conversions.push({ ...h.conversions[0] } as never),
    /int_1, deposit, 1 is there 2/,
  ],
  ['a conversion that was acknowledged is not there', (h) => h.conversions.pop(), /1 conversions, 2 were acknowledged/],
  [
    'a conversion is summed twice',
    (h) => Object.assign(h.rows[0]?.measures as object, { deposits_amount: 303 }),
    /2 of 303/,
  ],
  ['a row is there twice', (h) => h.rows.push({ ...h.rows[1] } as never), /the row int_2, a is there 2/],
  ['a row of the source is missing', (h) => h.rows.pop(), /not the clicks,ftds of its source in the row b/],
  ['a row has another sum', (h) => Object.assign(h.rows[2]?.measures as object, { clicks: 40 }), /not the clicks of/],
  ['a row is left that the source has taken out', (h) => h.shown.get('int_2')?.pop(), /does not show/],
  ['a run has no end', (h) => Object.assign(h.runs[2] as object, { status: 'running' }), /syn_3 is running/],
  ['a run is told of twice', (h) => again(h, 2), /2 finished runs, 3 were told of/],
  ['a run that ended is not told of', (h) => h.told.splice(2, 1), /2 finished runs, 1 were told of/],
  ['a run begins twice', (h) => again(h, 0), /sync.started of syn_1 is there 2/],
  ['a day is ready twice', (h) => again(h, 5), /daily_ready of 2026-01-01 is there 2/],
  ['a revision is told of twice', (h) => again(h, 6), /2026-01-01, revision 2 is there 2/],
  ['a campaign is made twice', (h) => again(h, 8), /campaign.created of int_2, c-1 is there 2/],
]

test.each(damages)('I15: %s', (_, damage, breach) => {
  const history = goodHistory()
  damage(history)
  const breaches = effectBreachesOf(history)
  expect(breaches[0]).toMatch(/^I15: /)
  expect(breaches.join('\n')).toMatch(breach)
})
