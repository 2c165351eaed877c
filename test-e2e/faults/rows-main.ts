/**
 * `npm run faults:quick` and `npm run faults:full`: runs every suite that bears a row of reliability.md 4 or 5, in its short form those of
 * `quick`, and ends with a table of the rows. What follows goes to the test runner (`-- --maxWorkers=1`). Exit code 1 where a row is red or a test of it was skipped.
 */

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeRows } from './judge-rows.ts'
import { type SuiteReport, tableOfRows, verdictsOf } from './row-verdicts.ts'

/** Suites that wait for long even in their short form, or are of the nightly run. */
const leftToFull = [
  'all-killed',
  'broker-away',
  'clocks',
  'contract',
  'database-away',
  'every-route',
  'kafka-cluster',
  'kafka-faults',
  'kafka-log',
  'lost-records',
  'overload',
  'sources-killed',
  'upgrade',
]

const root = join(import.meta.dirname, '../..')
const isFull = process.argv[2] === 'full'
if (!isFull && process.argv[2] !== 'quick') throw new Error('`quick` or `full`')

const { faults, invariants } = judgeRows(root)
const borne = [...faults, ...invariants].flatMap(({ suites }) => suites)
const all = [...new Set([...borne, ...globSync('test-e2e/faults/*checker.test.ts', { cwd: root })])].sort()
const chosen = isFull ? all : all.filter((path) => !leftToFull.some((name) => path.includes(`/${name}.`)))

const folder = mkdtempSync(join(tmpdir(), 'wds-faults-'))
const outputFile = join(folder, 'report.json')
const startedMs = performance.now()
try {
  const { status } = spawnSync(
    'npm',
    [
      'test',
      '--silent',
      '--',
      '--json',
      `--outputFile=${outputFile}`,
      ...process.argv.slice(3),
      '--runTestsByPath',
      ...chosen,
    ],
    {
      cwd: root,
      env: { ...process.env, WDS_FAULTS: isFull ? 'full' : process.env.WDS_FAULTS },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as { testResults: SuiteReport[] }
  const verdicts = verdictsOf([...faults, ...invariants], testResults)
  const count = (verdict: string) => verdicts.filter((one) => one.verdict === verdict).length
  process.stdout.write(`\n${tableOfRows(verdicts)}`)
  const kinds = ['green', 'red', 'skipped', 'not run', 'open'].map((kind) => `${count(kind)} ${kind}`).join(', ')
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  process.stdout.write(`faults:${isFull ? 'full' : 'quick'}: ${kinds}; ${chosen.length} suites in ${seconds} s\n`)
  process.exitCode = status === 0 && count('red') + count('skipped') === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
