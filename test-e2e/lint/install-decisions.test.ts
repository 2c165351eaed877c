// An install by the pinned pnpm asks nobody anything: who types `npm start` for the first time does not know what to approve.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { load } from 'js-yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('regression: each package that brings instructions for programs that write code is decided about', () => {
  const { permissions = {} } = load(read('pnpm-workspace.yaml')) as {
    permissions?: Record<string, { skills?: boolean }>
  }
  const manifests = globSync(['package.json', '{packages,services,deploy}/*/package.json', 'test-e2e/package.json'], {
    cwd: root,
  })
  const bringing = manifests.flatMap((path) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(path))
    return Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      existsSync(join(root, dirname(path), 'node_modules', name, 'skills')),
    )
  })
  expect(bringing).not.toEqual([])
  expect(bringing.filter((name) => permissions[name]?.skills !== false)).toEqual([])
})
