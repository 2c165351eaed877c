// The operator's command line, as a program beside the running service.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type AuthService, hiddenOf, startAuth } from './auth-service.fixture.ts'
import { findClient } from './oauth-apps/store.ts'

const cli = join(import.meta.dirname, '../../../packages/cli')
let auth: AuthService
let folder: string
beforeAll(async () => {
  auth = await startAuth()
  folder = mkdtempSync(join(tmpdir(), 'apps-'))
  writeFileSync(join(folder, 'token'), auth.operator.token)
})
afterAll(async () => {
  await auth?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function wds(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    WDS_INTERNAL_URL: auth.operator.url,
    WDS_INTERNAL_TOKEN_FILE: join(folder, 'token'),
    WDS_BASE_URL: auth.url,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(cli, 'src/main.ts'), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}
const newApp = (workspaceId: string, url = 'https://a.example/cb') => [
  ...['apps', 'create', '--workspace', workspaceId, '--name', 'Acme Sync', '--scopes', 'stats:read,webhooks:manage'],
  ...['--redirect-url', url, '--redirect-url', 'http://localhost:3000/cb', '--development'],
  ...['--logo', join(cli, 'sample-logo.png')],
]

test('an app is registered, suspended and reinstated by command', async () => {
  const workspaceId = await auth.makeWorkspace({ plan: 'free' })
  const made = await wds(...newApp(workspaceId), '--json')
  expect([made.code, made.stderr]).toEqual([0, ''])
  const { app_id, client_id, client_secret } = JSON.parse(made.stdout)
  expect(client_secret).toMatch(/^wds_[0-9A-Za-z]{46}$/)
  expect(await findClient(auth.pool, client_id)).toMatchObject({
    appId: app_id,
    workspaceId,
    name: 'Acme Sync',
    state: 'development',
    scopes: ['stats:read', 'webhooks:manage'],
    redirectUrls: ['https://a.example/cb', 'http://localhost:3000/cb'],
  })
  const state = async () => (await findClient(auth.pool, client_id))?.state
  expect((await wds('apps', 'suspend', '--id', app_id)).code).toBe(0)
  expect(await state()).toBe('suspended')
  expect((await wds('apps', 'reinstate', '--id', app_id)).code).toBe(0)
  expect(await state()).toBe('development')
})

test('what is refused is told with each reason', async () => {
  const workspaceId = await auth.makeWorkspace()
  const refused = await wds(...newApp(workspaceId, 'http://a.example/cb'))
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toBe('wds: refused (422): Must use https.\n  /app/redirect_urls/0 Must use https.\n')
  const unknown = await wds('apps', 'suspend', '--id', 'app_00000000000000000000000000')
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('refused (404)')])
})

test('a workspace gets another plan by command', async () => {
  const workspaceId = await auth.makeWorkspace({ plan: 'free' })
  const done = await wds('workspaces', 'plan', '--id', workspaceId, '--plan', 'business')
  expect([done.code, done.stdout, done.stderr]).toEqual([0, `${workspaceId} has the plan business\n`, ''])
  const { rows } = await auth.admin.query(
    `select state ->> 'plan' as plan from auth.workspaces where workspace_id = $1`,
    [workspaceId],
  )
  expect(rows).toEqual([{ plan: 'business' }])
  const nobody = await wds('workspaces', 'plan', '--id', `wsp_${'0'.repeat(26)}`, '--plan', 'pro')
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('refused (404)')])
})

test('a person gets a link for a forgotten password, is disabled, and is erased by command', async () => {
  const { userId, email } = await auth.makePerson()
  const made = await wds('people', 'password-link', '--email', email.toUpperCase(), '--json')
  const { pathname } = new URL(JSON.parse(made.stdout).link)
  const visitor = auth.browser()
  const fields = { new_password: 'chosen by its owner', new_password_again: 'chosen by its owner' }
  const chosen = await visitor.submit(pathname, { ...hiddenOf(await visitor.call(pathname)), ...fields })
  expect([made.code, made.stderr, chosen.status]).toEqual([0, '', 303])
  const disabled = await wds('people', 'disable', '--email', email)
  expect([disabled.code, disabled.stdout]).toEqual([0, `${userId} is disabled\n`])
  const erased = await wds('people', 'erase', '--email', email)
  expect([erased.code, erased.stdout]).toEqual([0, `${userId} is erased\n`])
  const gone = await wds('people', 'disable', '--email', email)
  expect([gone.code, gone.stderr]).toEqual([1, 'wds: refused (404): Nobody signs in with this address.\n'])
})

test('the last owner of a workspace is not erased, and the operator is told what to do first', async () => {
  const { owner, workspaceId } = await auth.ownedWorkspace()
  const refused = await wds('people', 'erase', '--email', owner.email)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`last owner of ${workspaceId}: give it`)])
})
