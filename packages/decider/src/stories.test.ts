import { existsSync } from 'node:fs'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { storiesToTell } from './stories.fixture.ts'

const variables = ['WDS_SIMULATION_SEED', 'WDS_SIMULATION_SEEDS', 'WDS_SIMULATION_PATH', 'WDS_FAULTS'] as const
const before = variables.map((name) => [name, process.env[name]] as const)
afterEach(() => {
  for (const [name, value] of before) {
    delete process.env[name]
    if (value !== undefined) process.env[name] = value
  }
})

test('a failing run says the command that repeats its shortest story, and that one is told first then', () => {
  process.env.WDS_SIMULATION_SEED = '-42'
  process.env.WDS_SIMULATION_SEEDS = '100'
  const told: number[][] = []
  const story = fc.property(fc.array(fc.nat(9)), (acts) => {
    told.push(acts)
    if (acts.length > 2) throw new Error('too long')
  })
  const message = failureOf(() => fc.assert(story, storiesToTell(fc.defaultReportMessage)))
  const [, path = '', suite = ''] = /npm run simulate -- --seed=-42 --path=([\d:]+) (\S+)$/.exec(message) ?? []
  expect([suite.endsWith('stories.test.ts'), existsSync(suite)]).toEqual([true, true])
  expect([path !== '', message.includes('[0,0,0]'), message.includes('too long')]).toEqual([true, true, true])

  told.length = 0
  process.env.WDS_SIMULATION_PATH = path
  failureOf(() => fc.assert(story, storiesToTell(fc.defaultReportMessage)))
  expect(told[0]).toEqual([0, 0, 0])
})

test('200 stories where a change is judged, 10,000 by night', () => {
  for (const name of variables) delete process.env[name]
  expect(storiesToTell(fc.defaultReportMessage).numRuns).toBe(200)
  process.env.WDS_FAULTS = 'full'
  expect(storiesToTell(fc.defaultReportMessage).numRuns).toBe(10_000)
})

function failureOf(run: () => void): string {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
