// How many stories a simulation tells, and which: 200 where a change is judged, 10,000 by night, others with `npm run simulate`. For tests.

import { relative } from 'node:path'
import { isFullRun } from '@wds/local-infra/test-size'

/** The runner of tests says which suite it runs. */
const runner = globalThis as { expect?: { getState(): { testPath?: string } } }

/** What a runner of properties says of a run. */
interface Run {
  failed: boolean
  seed: number
  counterexamplePath: string | null
  errorInstance: unknown
}

/** Parameters of fast-check. */
export interface Stories {
  numRuns: number
  seed?: number
  path?: string
  /** A failing run ends with the command that repeats its shortest story. */
  reporter(run: Run): void
}

/** `tell`: `fc.defaultReportMessage`. */
export function storiesToTell(tell: (run: never) => string | undefined): Stories {
  const { WDS_SIMULATION_SEED: seed, WDS_SIMULATION_SEEDS: seeds, WDS_SIMULATION_PATH: path } = process.env
  const usual = isFullRun() ? 10_000 : 200
  const stories: Stories = {
    numRuns: seeds ? Number(seeds) : usual,
    reporter(run) {
      if (!run.failed) return
      const suite = relative(process.cwd(), runner.expect?.getState().testPath ?? 'SUITE')
      // Half of the seeds are below zero: behind a space they would be taken for an option.
      const again = `npm run simulate -- --seed=${run.seed} --path=${run.counterexamplePath} ${suite}`
      const told = `${tell(run as never)}\n${String(run.errorInstance)}`
      throw new Error(`${told}\n\nThis story again: ${again}`, { cause: run.errorInstance })
    },
  }
  if (seed) stories.seed = Number(seed)
  if (path) stories.path = path
  return stories
}
