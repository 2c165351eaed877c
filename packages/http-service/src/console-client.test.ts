// Who acts behind a client, and what the console's token opens by the person's role.
import { describe, expect, test } from '@jest/globals'
import { type Role, scopesOfRole } from '@wds/contracts/roles'
import { type Scope, scopes } from '@wds/contracts/scopes'
import { actorOf, judgeConsole } from './console-client.ts'
import type { RequestClient } from './route.ts'

const by = { workspaceId: 'wsp_1', kind: 'client', userId: 'usr_1', grantId: 'ses_1' } as const
const consoleOf = (held: readonly Scope[]): RequestClient => ({ ...by, id: 'console', scopes: new Set(held) })
const app: RequestClient = { ...by, id: 'cli_1', scopes: new Set(scopes) }
const key: RequestClient = { workspaceId: 'wsp_1', kind: 'api_key', id: 'key_1', scopes: new Set(scopes) }

test('the person acts through the console, an app and a key act by themselves', () => {
  expect(actorOf(consoleOf([]))).toEqual({ type: 'user', id: 'usr_1' })
  expect(actorOf(app)).toEqual({ type: 'client', id: 'cli_1' })
  expect(actorOf(key)).toEqual({ type: 'api_key', id: 'key_1' })
})

describe('what the role allows', () => {
  const codeOf = (client: RequestClient, right: Parameters<typeof judgeConsole>[1]) => {
    try {
      judgeConsole(client, right)
      return 'allowed'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  test.each([
    ['owner', 'manage_workspace', 'allowed'],
    ['admin', 'manage_workspace', 'allowed'],
    ['member', 'manage_workspace', 'role_not_allowed'],
    ['viewer', 'manage_workspace', 'role_not_allowed'],
    ['viewer', 'be_member', 'allowed'],
    // Not told apart from an admin, who lacks it.
    ['owner', 'delete_workspace', 'role_not_allowed'],
  ] as const)('%s, %s: %s', (role: Role, right, expected) => {
    expect(codeOf(consoleOf(scopesOfRole(role)), right)).toBe(expected)
  })

  test('no other token has a role, and no other set of scopes is one', () => {
    expect([codeOf(app, 'be_member'), codeOf(key, 'be_member')]).toEqual(['session_required', 'session_required'])
    expect(codeOf(consoleOf(['webhooks:manage']), 'manage_workspace')).toBe('role_not_allowed')
  })
})
