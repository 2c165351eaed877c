/** Decides the life of an API key: made once, revoked once. Holds the digest of the key, never the key (auth.md 5). */
import type { Scope } from '@wds/contracts/scopes'
import { accept, type Decider, reject } from '@wds/decider/decider'

export interface ApiKeyCreated {
  type: 'ApiKeyCreated'
  data: {
    key_id: string
    workspace_id: string
    /** SHA-256 of the whole key, lower-case hex. */
    digest: string
    prefix: string
    last4: string
    name: string
    scopes: Scope[]
    cidrs: string[]
    /** Instant, ISO 8601 UTC; null: never. */
    expires: string | null
  }
}
export interface ApiKeyRevoked {
  type: 'ApiKeyRevoked'
  data: { key_id: string; workspace_id: string }
}
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked

export interface CreateApiKey {
  type: 'CreateApiKey'
  key: ApiKeyCreated['data']
  /** Keys of the workspace that are neither revoked nor over. */
  liveKeys: number
}
export interface RevokeApiKey {
  type: 'RevokeApiKey'
}
export type ApiKeyCommand = CreateApiKey | RevokeApiKey
export type ApiKeyRejection = 'already_exists' | 'limit_reached' | 'no_scopes' | 'not_found' | 'already_revoked'
export type ApiKeyState = { status: 'none' } | { status: 'live' | 'revoked'; keyId: string; workspaceId: string }

/** At most 50 live keys for a workspace (auth.md 5). */
export const liveKeysMax = 50

export const apiKeyDecider: Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  initialState: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ApiKeyCreated') {
      return { status: 'live', keyId: event.data.key_id, workspaceId: event.data.workspace_id }
    }
    return state.status === 'none' ? state : { ...state, status: 'revoked' }
  },
  decide: (state, command) => {
    if (command.type === 'CreateApiKey') {
      if (state.status !== 'none') return reject('already_exists')
      if (command.liveKeys >= liveKeysMax) return reject('limit_reached')
      if (command.key.scopes.length === 0) return reject('no_scopes')
      return accept({ type: 'ApiKeyCreated', data: command.key })
    }
    if (state.status === 'none') return reject('not_found')
    if (state.status === 'revoked') return reject('already_revoked')
    return accept({ type: 'ApiKeyRevoked', data: { key_id: state.keyId, workspace_id: state.workspaceId } })
  },
}
