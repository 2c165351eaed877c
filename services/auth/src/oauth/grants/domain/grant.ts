// Decides the life of a grant: what a person allowed an app in one workspace. It only ever gets narrower, and ends once (auth.md 1.2, 4.4).
import type { AuthEvent, AuthEvents, GrantEnd } from '@wds/contracts/auth-events'
import type { Scope } from '@wds/contracts/scopes'
import { accept, type Decider, reject } from '@wds/decider/decider'

export type GrantEvent = AuthEvent<
  | 'AppAuthorized'
  | 'TokenRefreshed'
  | 'GrantScopesCut'
  | 'GrantRevoked'
  | 'RefreshTokenReuseDetected'
  | 'AccessTokenRevoked'
>

export type GrantCommand =
  | { type: 'authorize'; grant: AuthEvents['AppAuthorized'] }
  | { type: 'keep_scopes'; scopes: readonly Scope[] }
  /** `isReuse`: a refresh token was used twice, which is told beside the end. */
  | { type: 'end'; reason: GrantEnd; isReuse?: boolean }
  | { type: 'revoke_access_token'; jti: string; expires: string }
export type GrantRejection = 'already_exists' | 'not_live'

export type GrantState =
  | { status: 'none' }
  | ({ status: 'live' } & AuthEvents['AppAuthorized'])
  | ({ status: 'ended'; reason: GrantEnd } & AuthEvents['AppAuthorized'])

export const grantDecider: Decider<GrantState, GrantCommand, GrantEvent, GrantRejection> = {
  initialState: { status: 'none' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'AppAuthorized':
        return { status: 'live', ...event.data }
      case 'GrantScopesCut':
        return state.status === 'live' ? { ...state, scopes: event.data.scopes } : state
      case 'GrantRevoked':
        return state.status === 'live' ? { ...state, status: 'ended', reason: event.data.reason } : state
      // Older streams have one for each refresh.
      case 'TokenRefreshed':
      case 'RefreshTokenReuseDetected':
      case 'AccessTokenRevoked':
        return state
    }
  },
  decide: (state, command) => {
    if (command.type === 'authorize') {
      return state.status === 'none' ? accept({ type: 'AppAuthorized', data: command.grant }) : reject('already_exists')
    }
    if (state.status !== 'live') return reject('not_live')
    const { workspace_id, grant_id, user_id, client_id } = state
    const of = { workspace_id, grant_id, user_id, client_id }
    switch (command.type) {
      case 'keep_scopes': {
        const scopes = state.scopes.filter((scope) => command.scopes.includes(scope))
        if (scopes.length === state.scopes.length) return accept()
        if (scopes.length === 0) return accept({ type: 'GrantRevoked', data: { ...of, reason: 'role_lost' } })
        return accept({ type: 'GrantScopesCut', data: { ...of, scopes } })
      }
      case 'end': {
        const end = { type: 'GrantRevoked', data: { ...of, reason: command.reason } } as const
        return command.isReuse
          ? accept<GrantEvent>({ type: 'RefreshTokenReuseDetected', data: of }, end)
          : accept<GrantEvent>(end)
      }
      case 'revoke_access_token':
        return accept({ type: 'AccessTokenRevoked', data: { ...of, jti: command.jti, expires: command.expires } })
    }
  },
}
