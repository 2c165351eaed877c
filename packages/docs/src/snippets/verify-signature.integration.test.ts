// The recipes in the languages that a machine of ours has anyway; more-languages.integration.test.ts has the others.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { asTheVerifier, judgements, type Recipe } from './recipes.ts'

const built = mkdtempSync(join(tmpdir(), 'verify-built-'))
afterAll(() => rmSync(built, { recursive: true, force: true }))

const recipes: Recipe[] = [
  { language: 'Node', run: [process.execPath, 'run-vectors.mjs'] },
  { language: 'Python', run: ['python3', '-B', 'run_vectors.py'] },
  { language: 'Go', run: ['go', 'run', 'verify.go', 'run_vectors.go'] },
  {
    language: 'Java',
    build: ['javac', '-d', built, 'VerifyWebhook.java', 'RunVectors.java'],
    run: ['java', '-cp', built, 'RunVectors'],
  },
  { language: 'shell', run: ['sh', 'run_vectors.sh'] },
]

test.each(recipes)('$language judges every vector as the verifier does', (recipe) => {
  expect(judgements(recipe)).toBe(asTheVerifier)
})
