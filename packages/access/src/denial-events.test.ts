// Which events are waited for: exactly those that take something from somebody.
import { expect, test } from '@jest/globals'
import type { AuthEvents, AuthEventType } from '@wds/contracts/auth-events'
import { readDenial, revocations } from './denial-events.ts'

const grant = { workspace_id: 'wsp_1', grant_id: 'grt_1', user_id: 'usr_1', client_id: 'cli_1' }
const app = { workspace_id: 'wsp_1', app_id: 'app_1', client_id: 'cli_1' }
const member = { workspace_id: 'wsp_1', user_id: 'usr_1', member_rev: 2 }
const created = '2026-01-01T00:00:00.000Z'

/** One of each event that could end a token. */
const events: Partial<AuthEvents> = {
  UserRegistered: { user_id: 'usr_1' },
  UserDisabled: { user_id: 'usr_1' },
  SessionStarted: { session_id: 'ses_1', user_id: 'usr_1' },
  SessionEnded: { session_id: 'ses_1', user_id: 'usr_1', reason: 'signed_out' },
  MemberAdded: { ...member, role: 'owner' },
  MemberRoleChanged: { ...member, role: 'viewer' },
  MemberRemoved: member,
  WorkspaceDeleted: { workspace_id: 'wsp_1' },
  OAuthAppChanged: { ...app, scopes: ['stats:read'], scopes_removed: true },
  OAuthAppSuspended: app,
  OAuthAppReinstated: app,
  OAuthAppDeleted: app,
  AppAuthorized: { ...grant, app_id: 'app_1', scopes: ['stats:read'], member_rev: 1 },
  TokenRefreshed: grant,
  GrantScopesCut: { ...grant, scopes: ['stats:read'] },
  GrantRevoked: { ...grant, reason: 'expired' },
  RefreshTokenReuseDetected: grant,
  AccessTokenRevoked: { ...grant, jti: 'jti', expires: created },
}

test('5.6: an event that denies a token is a revocation, and of the others those alone that narrow or end a key', () => {
  const denying = Object.entries(events).filter(([type, data]) => {
    const denial = readDenial({ eventId: 'evt_1', key: 'wsp_1', type, created, data: data as Record<string, unknown> })
    return denial !== null && !denial.lifted
  })
  const ofKeys: AuthEventType[] = ['ApiKeyChanged', 'ApiKeyRotated', 'ApiKeyRevoked']
  expect([...revocations].sort()).toEqual([...denying.map(([type]) => type), ...ofKeys].sort())
})
