/** The command line as a program: what it prints where, and its exit codes. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

function wds(...args: string[]) {
  return wdsWith({}, ...args)
}

function wdsWith(more: NodeJS.ProcessEnv, ...args: string[]) {
  const env = { ...process.env, WDS_DATA_DIR: join(tmpdir(), 'wds no such folder'), ...more }
  return spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env, encoding: 'utf8' })
}

test.each([
  [['--help']],
  [['-h']],
  [['help']],
  [['workspaces', '--help']],
  [['workspaces', 'create', '--name', 'x', '-h']],
  [['help', 'workspaces', 'create']],
])('regression: %j is the usage on standard output', (args) => {
  const { status, stdout, stderr } = wds(...args)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^usage: npm run wds[\s\S]*workspaces create --name/)
})

test.each([
  [[], 'a command is missing'],
  [['workspaces', 'destroy'], "there is no command 'workspaces destroy'"],
  [['workspaces', 'create'], '--name is missing'],
  [['workspaces', 'create', '--name', 'x', '--plan', 'gold'], '--plan is one of'],
  [['workspaces', 'create', '--nmae', 'x'], "Unknown option '--nmae'"],
])('regression: %j is exit code 2 with the usage', (args, reason) => {
  const { status, stdout, stderr } = wds(...args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`wds: ${reason}`)
  expect(stderr).toContain('usage: npm run wds')
})

test('no service is exit code 1, without the usage', () => {
  const { status, stderr } = wds('workspaces', 'create', '--name', 'x')
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^wds: no running service found: [^\n]*\n$/)])
})

test('a service that is named in part is exit code 1, and no other one is asked instead', () => {
  const { status, stderr } = wdsWith({ WDS_INTERNAL_URL: 'http://127.0.0.1:1' }, 'workspaces', 'create', '--name', 'x')
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^wds: WDS_INTERNAL_URL is set: set [^\n]*WDS_BASE_URL[^\n]*\n$/),
  ])
})
