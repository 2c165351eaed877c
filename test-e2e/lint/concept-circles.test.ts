// Plants circles of concepts into a scratch service, and sees the check name them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { conceptCircles } from './concept-circles.ts'

let scratch: string
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'wds-circles-'))
})
afterEach(() => rmSync(scratch, { recursive: true }))

/** Path within the service's `src` → what it imports; `type` before it for a type. */
function plant(files: Record<string, string[]>): string[] {
  for (const [path, targets] of Object.entries(files)) {
    const file = join(scratch, 'services/api/src', path)
    mkdirSync(dirname(file), { recursive: true })
    const lines = targets.map((target) =>
      target.startsWith('type ') ? `import type { X } from '${target.slice(5)}'` : `import { x } from '${target}'`,
    )
    writeFileSync(file, lines.join('\n'))
  }
  return conceptCircles(scratch)
}

test('two concepts that import each other are a circle, though no file does', () => {
  const circles = plant({
    'runs/resource.ts': ['../imports/store.ts'],
    'runs/store.ts': [],
    'imports/store.ts': [],
    'imports/routes.ts': ['../runs/store.ts'],
  })
  expect(circles).toEqual(['services/api: imports → runs (by imports/routes.ts) → imports (by runs/resource.ts)'])
})

test('a type, a domain and a circle of three count as well, each circle once', () => {
  const circles = plant({
    'a/domain/a.ts': ['type ../../b/domain/b.ts'],
    'b/domain/b.ts': [],
    'b/store.ts': ['../c/store.ts'],
    'c/store.ts': ['../a/domain/a.ts'],
  })
  expect(circles).toEqual(['services/api: a → b (by a/domain/a.ts) → c (by b/store.ts) → a (by c/store.ts)'])
})

test('what is no circle is passed over: one way, files of src, packages, tests and fixtures', () => {
  const circles = plant({
    'a/a.ts': ['../b/b.ts', '../metrics.ts', '@wds/b/a', './other.ts'],
    'b/b.ts': ['../c/c.ts', '../metrics.ts'],
    'c/c.ts': [],
    'c/c.test.ts': ['../a/a.ts'],
    'b/b.fixture.ts': ['../a/a.ts'],
    'metrics.ts': ['./a/a.ts'],
  })
  expect(circles).toEqual([])
})
