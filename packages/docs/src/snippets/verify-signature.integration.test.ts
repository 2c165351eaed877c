// The recipes of `snippets/verify-signature` judge every vector as the verifier does: one process for each language. A language whose
// runtime is not here is skipped, and its title says why; Node, Python, Go, Java and the shell may not be.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { readVectors } from '@wds/webhook-signature/vectors'

const folder = join(import.meta.dirname, '../../snippets/verify-signature')
const built = mkdtempSync(join(tmpdir(), 'verify-built-'))
afterAll(() => rmSync(built, { recursive: true, force: true }))

const vectors = readVectors()
const base64 = (text: string) => Buffer.from(text).toString('base64')
const input = vectors.map(({ name, secret, header, body, now }) =>
  [name, secret, base64(header ?? ''), Buffer.from(body).toString('base64'), now].join('|'),
)
const expected = vectors.map(({ name, expected: outcome }) => `${name} ${outcome === 'accepted' ? outcome : 'refused'}`)

interface Recipe {
  language: string
  required: boolean
  /** How its presence is seen. */
  probe: string[]
  /** Before the run. */
  build?: string[]
  run: string[]
}
const recipes: Recipe[] = [
  { language: 'Node', required: true, probe: [process.execPath, '-v'], run: [process.execPath, 'run-vectors.mjs'] },
  { language: 'Python', required: true, probe: ['python3', '-V'], run: ['python3', '-B', 'run_vectors.py'] },
  { language: 'Go', required: true, probe: ['go', 'version'], run: ['go', 'run', 'verify.go', 'run_vectors.go'] },
  {
    language: 'Java',
    required: true,
    probe: ['javac', '-version'],
    build: ['javac', '-d', built, 'VerifyWebhook.java', 'RunVectors.java'],
    run: ['java', '-cp', built, 'RunVectors'],
  },
  { language: 'shell', required: true, probe: ['openssl', 'version'], run: ['sh', 'run_vectors.sh'] },
  { language: 'Ruby', required: false, probe: ['ruby', '-v'], run: ['ruby', 'run_vectors.rb'] },
  { language: 'PHP', required: false, probe: ['php', '-v'], run: ['php', 'run_vectors.php'] },
  {
    language: 'Rust',
    required: false,
    // Also fetches its crates, which a machine without a registry does not have.
    probe: ['cargo', 'fetch', '--locked', '--manifest-path', 'rust/Cargo.toml'],
    build: [
      'cargo',
      'build',
      '--quiet',
      '--offline',
      '--locked',
      '--manifest-path',
      'rust/Cargo.toml',
      '--target-dir',
      built,
    ],
    run: [join(built, 'debug/run-vectors')],
  },
  {
    language: 'C#',
    required: false,
    probe: ['dotnet', '--version'],
    build: ['dotnet', 'build', 'csharp', '--nologo', '--output', join(built, 'csharp')],
    run: ['dotnet', join(built, 'csharp/run-vectors.dll')],
  },
]

const carryOut = ([command = '', ...args]: string[], lines = '') =>
  spawnSync(command, args, { cwd: folder, input: lines, encoding: 'utf8', timeout: 300_000 })

for (const { language, required, probe, build, run } of recipes) {
  if (carryOut(probe).status !== 0 && !required) {
    test.skip(`${language}: skipped (its runtime is not on this machine)`, () => undefined)
    continue
  }
  test(`${language} judges every vector as the verifier does`, () => {
    if (build) expect(carryOut(build)).toMatchObject({ status: 0, stderr: '' })
    const { status, stdout, stderr } = carryOut(run, `${input.join('\n')}\n`)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toEqual(expected)
  })
}
