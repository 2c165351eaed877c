/**
 * `npm run faults:quick` and `npm run faults:full`: runs every suite that bears a row of reliability.md 4 or 5, `quick` those that do not wait
 * for long (slow-suites.ts), in their short form, and ends with a table of the rows. What follows goes to the test runner
 * (`-- --maxWorkers=1`). Exit code 1 where a row is red, a test of it was skipped, or a chosen suite did not run; 2 where the words are
 * not understood.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportPrefix } from '../../harness/abandoned-stacks.ts'
import { refuse, tellUsage } from '../../harness/command-line.ts'
import { judgeRows } from './judge-rows.ts'
import { type SuiteReport, tableOfRows, verdictsOf } from './row-verdicts.ts'
import { faultOfRunnerOptions } from './runner-options.ts'
import { longEvenIfShort, nightly } from './slow-suites.ts'

const root = join(import.meta.dirname, '../../..')
const [size, ...others] = process.argv.slice(2)
const isFull = size === 'full'
const me = {
  name: `faults:${size ?? 'quick|full'}`,
  usage: `usage: npm run faults:quick|faults:full -- [OPTION OF THE TEST RUNNER]...

  one suite alone: WDS_FAULTS=quick npm test -- test-e2e/faults/FOLDER/SUITE
`,
}
if (!isFull && size !== 'quick') refuse(me, '`quick` or `full`')
if (others.includes('--help')) tellUsage(me)
const fault = faultOfRunnerOptions(others)
if (fault !== null) refuse(me, fault)

const { faults, invariants } = judgeRows(root)
const borne = [...faults, ...invariants].flatMap(({ suites }) => suites)
const all = [...new Set([...borne, ...globSync('test-e2e/faults/checkers/*.test.ts', { cwd: root })])].sort()
const leftToFull = [...nightly, ...longEvenIfShort]
const chosen = isFull ? all : all.filter((path) => !leftToFull.some((part) => path.includes(part)))

const folder = mkdtempSync(join(tmpdir(), reportPrefix))
const outputFile = join(folder, 'report.json')
const startedMs = performance.now()
process.stderr.write(`${me.name}: ${chosen.length} suites, a line for each that ends; the first ones take minutes\n`)
try {
  const { status } = spawnSync(
    'npm',
    ['test', '--silent', '--', '--json', `--outputFile=${outputFile}`, ...others, '--runTestsByPath', ...chosen],
    {
      cwd: root,
      env: { ...process.env, WDS_FAULTS: size },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (!existsSync(outputFile)) throw new Error(`the test runner ended with ${status} and without a report`)
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as { testResults: SuiteReport[] }
  const verdicts = verdictsOf([...faults, ...invariants], testResults)
  const count = (verdict: string) => verdicts.filter((one) => one.verdict === verdict).length
  process.stdout.write(`\n${tableOfRows(verdicts)}`)
  const kinds = ['green', 'red', 'skipped', 'not run', 'open'].map((kind) => `${count(kind)} ${kind}`).join(', ')
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  process.stdout.write(`${me.name}: ${kinds}; ${testResults.length} suites in ${seconds} s\n`)
  const missing = chosen.filter((path) => !testResults.some(({ name }) => name.endsWith(`/${path}`)))
  for (const path of missing) process.stdout.write(`${me.name}: ${path} was chosen and did not run\n`)
  process.exitCode = status === 0 && missing.length + count('red') + count('skipped') === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
