// Runs every check of the sources, all of them even when one fails: types, lint and format, circles of concepts, pieces that are locked, dead code, generated files, citations.
import { spawnSync } from 'node:child_process'

const checks = [
  ['types', 'tsc', ['--noEmit']],
  ['types of the console', 'tsc', ['--noEmit', '-p', 'services/console']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  ['circles of concepts', 'node', ['test-e2e/lint/concept-circles.ts']],
  ['pieces locked once', 'node', ['test-e2e/lint/locked-pieces.ts']],
  ['dead code', 'knip', ['--no-progress']],
  ['generated types', 'node', ['packages/contracts/src/generate/main.ts', '--check']],
  ['generated references', 'node', ['packages/docs/src/generate/main.ts', '--check']],
  ['citations and links', 'node', ['packages/docs/src/citations/main.ts']],
]

let failed = 0
for (const [name, command, args] of checks) {
  const started = performance.now()
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) failed += 1
  const verdict = status === 0 ? 'ok' : `FAILED${error === undefined ? '' : ` (${error.message})`}`
  console.error(`check: ${name}: ${verdict} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
}
process.exit(failed === 0 ? 0 : 1)
