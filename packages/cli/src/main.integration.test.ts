// The command line as a program: what it prints where, and its exit codes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** Right but for these options. */
function authorizing(...options: string[]): string[] {
  return ['apps', 'authorize', '--client-id', 'cli_1', '--client-secret-file', '/dev/null', ...options]
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
  [['workspaces', 'create', '--name', 'x', '--owner-name', 'y'], '--owner-email is missing'],
  [
    ['workspaces', 'create', '--name', 'x', '--owner-email', 'a@b.test', '--owner-password-file', '/no/such'],
    'the file of --owner-password-file cannot be read',
  ],
  [['apps', 'create', '--redirect-url', 'https://a.example/'], '--name is missing'],
  [['apps', 'create', '--name', 'x'], '--redirect-url is missing'],
  [
    [
      ...['apps', 'create', '--workspace', 'wsp_1', '--name', 'x', '--scopes', 'stats:read', '--logo', '/no/such'],
      ...['--redirect-url', 'https://a.example/'],
    ],
    'the file of --logo cannot be read',
  ],
  [['apps', 'authorize'], '--client-id is missing'],
  [authorizing('--client-secret-file', '/no/such'), 'the file of --client-secret-file cannot be read'],
  [authorizing('--redirect-url', 'https://app.example/callback'), '--redirect-url is http:// on localhost'],
  [authorizing('--timeout', 'soon'), '--timeout is a number of seconds'],
  [['workspaces', 'plan', '--plan', 'pro'], '--id is missing'],
  [['workspaces', 'plan', '--id', 'acme', '--plan', 'pro'], '--id is the id of a workspace'],
  [['workspaces', 'plan', '--id', `wsp_${'0'.repeat(26)}`, '--plan', 'gold'], '--plan is one of'],
  [['people', 'erase'], '--email is missing'],
  [['apps', 'suspend'], '--id is missing'],
  [['apps', 'reinstate', '--id', 'cli_1'], '--id is the id of an app'],
  [['workspaces', 'create', '--nmae', 'x'], "Unknown option '--nmae'"],
])('regression: %j is exit code 2 with the usage', (args, reason) => {
  const { status, stdout, stderr } = wds(...args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(`wds: ${reason}`)
  expect(stderr).toContain('usage: npm run wds')
})

test('regression: files of options are read from the folder that npm was called in, not from that of the project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wds-called-'))
  writeFileSync(join(folder, 'secret'), 'a secret of sixteen or more')
  const called = { INIT_CWD: folder }
  const owner = ['workspaces', 'create', '--name', 'x', '--owner-email', 'a@b.test', '--owner-password-file', 'secret']
  const app = [
    ...['apps', 'create', '--workspace', 'wsp_1', '--name', 'x', '--scopes', 'stats:read', '--logo', 'secret'],
    ...['--redirect-url', 'https://a.example/'],
  ]
  const asked = [owner, app].map((words) => wdsWith(called, ...words))
  rmSync(folder, { recursive: true })
  // Both files are there; what is missing is a service.
  expect(asked.map(({ status }) => status)).toEqual([1, 1])
  for (const { stderr } of asked) expect(stderr).toContain('no running service found')
})

test.each([
  ['apps', ['apps create', 'apps authorize', 'apps suspend', 'apps reinstate']],
  ['people', ['people disable', 'people erase', 'people password-link']],
  ['workspaces', ['workspaces create', 'workspaces plan']],
])('%s alone is the usage of its commands, and of no others', (group, expected) => {
  const { status, stdout, stderr } = wds(group)
  expect([status, stderr]).toEqual([0, ''])
  expect([...stdout.matchAll(/^ {2}(\S+ \S+)/gm)].map(([, words]) => words)).toEqual(expected)
})

test('no service is exit code 1, without the usage', () => {
  const { status, stderr } = wds('workspaces', 'create', '--name', 'x')
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^wds: no running service found: [^\n]*\n$/)])
})

test('authorize: an address without an OAuth server is exit code 1, without the usage', () => {
  const { status, stderr } = wds(...authorizing('--api', 'http://127.0.0.1:1'))
  expect([status, stderr]).toEqual([1, 'wds: no OAuth server is found by http://127.0.0.1:1: fetch failed\n'])
})

test('a service that is named in part is exit code 1, and no other one is asked instead', () => {
  const { status, stderr } = wdsWith({ WDS_INTERNAL_URL: 'http://127.0.0.1:1' }, 'workspaces', 'create', '--name', 'x')
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^wds: WDS_INTERNAL_URL is set: set [^\n]*WDS_BASE_URL[^\n]*\n$/),
  ])
})
