// The runner of models in virtual time.
import { expect, test } from '@jest/globals'
import { Simulation } from './simulation.ts'

function historyOf(seed: number): string[] {
  const simulation = new Simulation({ seed, startMs: 0 })
  const history: string[] = []
  const tell = (name: string) => () => history.push(`${simulation.nowMs} ${name}`)
  for (const name of ['a', 'b', 'c', 'd', 'e']) simulation.at(10, tell(name))
  simulation.at(5, () => simulation.at(7, tell('made by the one before')))
  simulation.runUntil(20, { stepsMax: 100 })
  return [...history, String(simulation.nowMs)]
}

test('what is due first happens first, ties as the seed says, and the same seed gives the same run', () => {
  const runs = [1, 2, 3].map(historyOf)
  for (const run of runs) {
    expect([run[0], run.at(-1)]).toEqual(['7 made by the one before', '20'])
    expect(run.slice(1, -1).sort()).toEqual(['10 a', '10 b', '10 c', '10 d', '10 e'])
  }
  expect(new Set(runs.map(String)).size).toBeGreaterThan(1)
  expect(historyOf(2)).toEqual(runs[1])
})

test('a model that never comes to rest is told', () => {
  const simulation = new Simulation({ seed: 1, startMs: 0 })
  const again = () => simulation.at(simulation.nowMs, again)
  again()
  expect(() => simulation.runUntil(1, { stepsMax: 50 })).toThrow('does not come to rest')
})
