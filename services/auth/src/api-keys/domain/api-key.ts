// Decides the life of an API key: made, changed, rotated, revoked for good. Events hold the digest of a key, never the key (auth.md 5).
import type { AuthEvent, AuthEvents } from '@wds/contracts/auth-events'
import type { Scope } from '@wds/contracts/scopes'
import { accept, type Decider, reject } from '@wds/decider/decider'

export type ApiKeyEvent = AuthEvent<'ApiKeyCreated' | 'ApiKeyChanged' | 'ApiKeyRotated' | 'ApiKeyRevoked'>

/** What may be changed of a key. */
export interface ApiKeyFields {
  name: string
  /** A subset of the eight, not empty. */
  scopes: Scope[]
  /** Ranges that it may be used from; empty: anywhere. */
  cidrs: string[]
}

/** A new text of a key. `digest`: SHA-256 of it, lower-case hex; `prefix` and `last4` are for display. */
export interface KeyText {
  digest: string
  prefix: string
  last4: string
}

export type ApiKeyCommand =
  | {
      type: 'create'
      key: AuthEvents['ApiKeyCreated']
      /** Keys of the workspace that are neither revoked nor over. */
      liveKeys: number
    }
  | { type: 'update'; patch: Partial<ApiKeyFields> }
  /** The text before it is accepted for `overlapMs` more; with 0 none of before is. */
  | { type: 'rotate'; text: KeyText; overlapMs: number; nowMs: number }
  | { type: 'revoke' }
export type ApiKeyRejection =
  | 'already_exists'
  | 'limit_reached'
  | 'no_scopes'
  | 'not_found'
  | 'already_revoked'
  | 'expired'
  | 'still_rotating'

/** Without digests: who judges by them has them from the events. */
export interface StoredKey extends ApiKeyFields {
  status: 'live' | 'revoked'
  key_id: string
  workspace_id: string
  prefix: string
  last4: string
  /** RFC 3339; null: never. */
  expires: string | null
  creator: string | null
  /** Until when an older text is accepted beside the present one; null: it was never rotated. */
  previous_ends: string | null
}
export type ApiKeyState = { status: 'none' } | StoredKey

/** At most 50 live keys for a workspace (auth.md 5). */
export const liveKeysMax = 50

/** Would the key do more, or be taken from elsewhere? Whether a new range lies within one of before is not looked at. */
export function isWider(before: Pick<ApiKeyFields, 'scopes' | 'cidrs'>, patch: Partial<ApiKeyFields>): boolean {
  const { scopes = before.scopes, cidrs = before.cidrs } = patch
  if (scopes.some((scope) => !before.scopes.includes(scope))) return true
  // Without ranges it is taken from anywhere.
  if (before.cidrs.length === 0) return false
  return cidrs.length === 0 || cidrs.some((range) => !before.cidrs.includes(range))
}

export const apiKeyDecider: Decider<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  initialState: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ApiKeyCreated') {
      const { digest: _, ...kept } = event.data
      return { status: 'live', previous_ends: null, ...kept }
    }
    if (state.status === 'none') return state
    switch (event.type) {
      case 'ApiKeyChanged':
        return { ...state, ...event.data }
      case 'ApiKeyRotated': {
        const { prefix, last4, previous_ends } = event.data
        return { ...state, prefix, last4, previous_ends }
      }
      case 'ApiKeyRevoked':
        return { ...state, status: 'revoked' }
    }
  },
  decide: (state, command) => {
    if (command.type === 'create') {
      if (state.status !== 'none') return reject('already_exists')
      if (command.liveKeys >= liveKeysMax) return reject('limit_reached')
      if (command.key.scopes.length === 0) return reject('no_scopes')
      return accept({ type: 'ApiKeyCreated', data: command.key })
    }
    if (state.status === 'none') return reject('not_found')
    if (state.status === 'revoked') return reject('already_revoked')
    const ids = { key_id: state.key_id, workspace_id: state.workspace_id }
    switch (command.type) {
      case 'update':
        return change(state, command.patch)
      case 'rotate': {
        const { nowMs, overlapMs, text } = command
        if (state.expires !== null && Date.parse(state.expires) <= nowMs) return reject('expired')
        // Two texts at most are accepted: the one before the last must be over, or all end at once.
        const isRotating = state.previous_ends !== null && Date.parse(state.previous_ends) > nowMs
        if (isRotating && overlapMs > 0) return reject('still_rotating')
        const previous_ends = new Date(nowMs + overlapMs).toISOString()
        return accept({ type: 'ApiKeyRotated', data: { ...ids, ...text, previous_ends } })
      }
      case 'revoke':
        return accept({ type: 'ApiKeyRevoked', data: ids })
    }
  },
}

function change(key: StoredKey, patch: Partial<ApiKeyFields>) {
  if (patch.scopes?.length === 0) return reject<ApiKeyRejection>('no_scopes')
  const { key_id, workspace_id, name, scopes, cidrs } = key
  const fields: ApiKeyFields = { name, scopes, cidrs, ...patch }
  if (JSON.stringify(fields) === JSON.stringify({ name, scopes, cidrs })) return accept<ApiKeyEvent>()
  return accept<ApiKeyEvent>({ type: 'ApiKeyChanged', data: { key_id, workspace_id, ...fields } })
}
