// The recipes in languages whose runtimes are installed for them, from Debian: of the nightly run. Rust's fetches two crates.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { installWithApt } from '@wds/local-infra/debian-package'
import { answers, asTheVerifier, judgements, type Recipe } from './recipes.ts'

const built = mkdtempSync(join(tmpdir(), 'verify-built-'))
afterAll(() => rmSync(built, { recursive: true, force: true }))

/** The program of each package that must be there; those of Rust are named by its own installer, too. */
const runtimes = [
  { title: 'Ruby', packageName: 'ruby', program: 'ruby', megabytes: 10 },
  { title: 'PHP', packageName: 'php-cli', program: 'php', megabytes: 8 },
  { title: 'Rust', packageName: 'cargo', program: 'cargo', megabytes: 90 },
  { title: 'the C# compiler', packageName: 'mono-mcs', program: 'mcs', megabytes: 20 },
]

beforeAll(async () => {
  for (const runtime of runtimes) {
    const find = () => (answers(runtime.program, '--version') ? runtime.program : undefined)
    if (find() === undefined) await installWithApt({ ...runtime, setting: 'PATH', find, onNotice: console.log })
  }
})

const manifest = ['--manifest-path', 'rust/Cargo.toml']
const recipes: Recipe[] = [
  { language: 'Ruby', run: ['ruby', 'run_vectors.rb'] },
  { language: 'PHP', run: ['php', 'run_vectors.php'] },
  {
    language: 'Rust',
    build: ['cargo', 'build', '--quiet', '--locked', ...manifest, '--target-dir', built],
    run: [join(built, 'debug/run-vectors')],
  },
  {
    language: 'C#',
    build: [
      'mcs',
      '-r:System.Core',
      `-out:${join(built, 'run-vectors.exe')}`,
      'csharp/VerifyWebhook.cs',
      'csharp/RunVectors.cs',
    ],
    run: ['mono', join(built, 'run-vectors.exe')],
  },
]

test.each(recipes)('$language judges every vector as the verifier does', (recipe) => {
  expect(judgements(recipe)).toBe(asTheVerifier)
})
