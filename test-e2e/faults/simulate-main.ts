/**
 * `npm run simulate -- [--seed N] [--seeds 10000] [--path P] [FOLDER]`: every simulation in virtual time, or those of a folder, with so many
 * stories of that seed. What a failing story prints repeats it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, seeds: { type: 'string' }, path: { type: 'string' } },
  allowPositionals: true,
})
const env = {
  ...process.env,
  WDS_SIMULATION_SEED: values.seed ?? '',
  WDS_SIMULATION_SEEDS: values.seeds ?? '',
  WDS_SIMULATION_PATH: values.path ?? '',
}
const suites =
  positionals.length === 0 ? ['simulation\\.test'] : positionals.map((folder) => `${folder}.*simulation\\.test`)
const { status } = spawnSync('npm', ['test', '--silent', '--', ...suites], {
  cwd: join(import.meta.dirname, '../..'),
  env,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
