import { expect, test } from '@jest/globals'
import { faultKinds, planFaults, planReplays } from './fault-plan.ts'

const ofKafka = faultKinds.filter((kind) => kind.includes('broker'))

test('the same seed gives the same faults, another one gives others', () => {
  const plan = (seed: number) => planFaults({ seed, count: 100, log: 'Kafka' })
  expect(plan(1)).toEqual(plan(1))
  expect(plan(1)).not.toEqual(plan(2))
  expect(plan(1).slice(0, 50)).toEqual(planFaults({ seed: 1, count: 50, log: 'Kafka' }))
})

test.each([
  ['Postgres', faultKinds.length - ofKafka.length],
  ['Kafka', faultKinds.length],
] as const)(
  'log in %s: each kind comes once before any comes again, those of the broker only where there is one',
  (log, count) => {
    const plan = planFaults({ seed: 3, count: 1_000, log })
    const kinds = new Set(plan.map(({ kind }) => kind))
    expect(kinds.size).toBe(count)
    expect(new Set(plan.slice(0, count).map(({ kind }) => kind)).size).toBe(count)
    for (const { forMs } of plan) expect(forMs === 0 || (forMs >= 200 && forMs <= 7_000)).toBe(true)
  },
)

test('the same seed gives the same replays: of each route, by callers that are gone, that stay, and that ask again', () => {
  const plan = (seed: number, count = 100) => planReplays({ seed, count })
  expect(plan(1)).toEqual(plan(1))
  expect(plan(1)).not.toEqual(plan(2))
  expect(plan(1).slice(0, 50)).toEqual(plan(1, 50))
  expect(new Set(plan(1).map(({ route }) => route)).size).toBe(4)
  const kinds = plan(1).map(({ goneAfterMs, isAskedAgain }) => `${goneAfterMs === null} ${isAskedAgain}`)
  expect([...new Set(kinds)].sort()).toEqual(['false false', 'true false', 'true true'])
})
