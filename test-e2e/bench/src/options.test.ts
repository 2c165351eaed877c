import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import type { Measure } from './measures/measure.ts'
import { parseOptions } from './options.ts'

const measures: Measure[] = ['a', 'b'].map((name) => ({ name, meaning: name, run: async () => [] }))

test('without options everything is measured on the log in Postgres', () => {
  expect(parseOptions([], measures)).toEqual({
    measures,
    brokers: ['postgres'],
    seconds: 15,
    repetitions: 3,
    deliveries: 1_000_000,
    rows: 1_000_000,
    hanging: 40,
    burst: 100_000,
    replayed: 50_000,
    json: null,
  })
  expect(parseOptions(['--only', 'b', '--broker', 'both', '--seconds', '5'], measures)).toMatchObject({
    measures: [measures[1]],
    brokers: ['postgres', 'kafka'],
    seconds: 5,
  })
  expect(parseOptions(['--help'], measures)).toBe('help')
})

test.each([
  [['--only', 'a,c'], 'there is no measurement c'],
  [['--broker', 'rabbit'], '--broker must be postgres, kafka or both'],
  [['--broker', 'toString'], '--broker must be postgres, kafka or both'],
  [['--seconds', '0'], '--seconds must be 1 to 3600'],
  [['--repetitions', 'many'], '--repetitions must be 1 to 3600'],
  [['--deliveries', '10000001'], '--deliveries must be 1 to 10000000'],
  [['--rows', '1500000'], '--rows must be whole millions'],
  [['--hanging', '201'], '--hanging must be 1 to 200'],
  [['--burst', '0'], '--burst must be 1 to 1000000'],
  [['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, sentence) => {
  expect(() => parseOptions(args, measures)).toThrow(sentence)
})

test('the program starts, with every measurement loaded, and lists them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'])
  expect(stdout).toMatch(/^usage: npm run bench/)
  expect(stdout).toMatch(/^ {2}deliveries +\S/m)
  expect(stdout).toMatch(/^ {2}api-to-webhook +\S/m)
})

test('regression: a file for the figures that cannot be written is told before anything is measured', async () => {
  const args = [join(import.meta.dirname, 'main.ts'), '--json', '/no/such/folder/bench.json']
  const told = /^bench: --json cannot be written: ENOENT.*\nusage: npm run bench/
  await expect(promisify(execFile)(process.execPath, args, { timeout: 60_000 })).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(told),
  })
})

test('regression: the file for the figures is meant from the folder that the command was called in, not from that of the project', () => {
  const { INIT_CWD: before } = process.env
  process.env.INIT_CWD = '/somewhere/else'
  try {
    expect(parseOptions(['--json', 'figures.json'], measures)).toMatchObject({ json: '/somewhere/else/figures.json' })
    expect(parseOptions(['--json', '/tmp/figures.json'], measures)).toMatchObject({ json: '/tmp/figures.json' })
  } finally {
    if (before === undefined) delete process.env.INIT_CWD
    else process.env.INIT_CWD = before
  }
})
