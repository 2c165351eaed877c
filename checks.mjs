// Runs every check of the sources, all of them even when one fails: types, lint and format, circles of concepts, pieces that are locked, late indexes, dead code, generated files, OpenAPI, citations, spelling.
import { spawnSync } from 'node:child_process'

const openapi = 'services/api/openapi.generated.json'
const checks = [
  ['types', 'tsc', ['--noEmit']],
  ['types of the console', 'tsc', ['--noEmit', '-p', 'services/console']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
  ['circles of concepts', 'node', ['test-e2e/lint/concept-circles.ts']],
  ['pieces locked once', 'node', ['test-e2e/lint/locked-pieces.ts']],
  ['indexes on older tables', 'node', ['test-e2e/lint/late-indexes.ts']],
  ['dead code', 'knip', ['--no-progress']],
  ['generated types', 'node', ['packages/contracts/src/generate/main.ts', '--check']],
  ['generated references', 'node', ['packages/docs/src/generate/main.ts', '--check']],
  ['OpenAPI by Redocly', 'redocly', ['lint', openapi, '--config', 'packages/docs/openapi-lint/redocly.yaml']],
  [
    'OpenAPI by Spectral',
    'spectral',
    ['lint', openapi, '--ruleset', 'packages/docs/openapi-lint/spectral.yaml', '-F', 'warn'],
  ],
  ['citations and links', 'node', ['packages/docs/src/citations/main.ts']],
  ['spelling', 'node', ['packages/docs/src/spelling/main.ts']],
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
