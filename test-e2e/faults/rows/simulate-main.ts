/**
 * `npm run simulate -- [--seed=N] [--seeds=10000] [--path=P] [FOLDER or SUITE]`: every simulation in virtual time, or those of a folder, with so many
 * stories of that seed. What a failing story prints repeats it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseWords, readCommandLine, wholeOf } from '../../harness/command-line.ts'

const usage = `usage: npm run simulate -- [--seed=N] [--seeds=200] [--path=P] [FOLDER or SUITE]...

  --seeds  so many stories of each simulation
  --seed   which ones; a failing story prints it
  --path   the shortest story that failed, with its seed and its suite, as it was printed
`
const me = { name: 'simulate', usage }
const { values, words } = readCommandLine(me, () => {
  const parsed = parseWords(process.argv.slice(2), {
    options: { seed: { type: 'string' }, seeds: { type: 'string' }, path: { type: 'string' } },
    takesWords: true,
  })
  if (parsed !== 'help' && parsed.values.seeds !== undefined) wholeOf('seeds', parsed.values.seeds)
  return parsed
})
const env = {
  ...process.env,
  WDS_SIMULATION_SEED: values.seed ?? '',
  WDS_SIMULATION_SEEDS: values.seeds ?? '',
  WDS_SIMULATION_PATH: values.path ?? '',
}
const suiteOf = (word: string) => (word.endsWith('.test.ts') ? word : `${word}.*simulation\\.test`)
const suites = words.length === 0 ? ['simulation\\.test'] : words.map(suiteOf)
const { status } = spawnSync('npm', ['test', '--silent', '--', ...suites], {
  cwd: join(import.meta.dirname, '../../..'),
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
