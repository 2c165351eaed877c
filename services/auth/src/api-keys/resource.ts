// An API key in the settings API: how it is shown, and how it is changed. No text or digest of a key is ever shown again.
import { parseRange } from '@wds/access/address-range'
import type { Loaded } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { commonFields, invalidState, type SettingsResource } from '@wds/aggregate/resource'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import { judgeRecentSignIn } from '@wds/http-service/session'
import type { ApiKey, operations } from '../openapi.generated.ts'
import { apiKeys } from './aggregate.ts'
import {
  type ApiKeyCommand,
  type ApiKeyEvent,
  type ApiKeyRejection,
  type ApiKeyState,
  isWider,
  liveKeysMax,
  type StoredKey,
} from './domain/api-key.ts'
import { readUses, unusedDaysMax } from './store-uses.ts'

const dayMs = 86_400_000

export const apiKeySettings: SettingsResource<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection, ApiKey> = {
  ...apiKeys,
  path: '/v1/api-keys',
  rights: { read: 'manage_keys', write: 'manage_keys' },
  filters: { creator: 'creator' },
  isLive: true,
  toApi: async (rows, tx) => {
    const uses = await readUses(
      tx,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => toApiKey(row, uses.get(row.id)))
  },
  patch: (request: ApiRequest<operations['updateApiKey']>) => async (tx, found) => {
    const { name, scopes, cidrs } = storedKey(found)
    const patch = mergePatch({ name, scopes, cidrs }, request.body, { cidrs: [] })
    judgeCidrs(patch.cidrs ?? [])
    if (isWider({ scopes, cidrs }, patch)) await judgeRecentSignIn(tx, request.session)
    return { type: 'update', patch }
  },
  delete: () => () => ({ type: 'revoke' }),
  toProblem,
}

function storedKey({ state }: Loaded<ApiKeyState>): StoredKey {
  if (state.status === 'none') throw new Error('what is stored is a key')
  return state
}

/** Throws Problem 422 with a pointer for each range that cannot be read. */
export function judgeCidrs(cidrs: readonly string[]): void {
  const faults = cidrs.flatMap((text, place): Fault[] => {
    const detail = 'Must be an address or a range, such as 203.0.113.0/24 or 2001:db8::/32.'
    return parseRange(text) === null ? [{ pointer: `/cidrs/${place}`, code: 'invalid_format', detail }] : []
  })
  if (faults.length > 0) throw problemOfFaults(faults)
}

/** The settings page says so from then on. */
const toldBeforeMs = 30 * dayMs

export function toApiKey(row: Loaded<ApiKeyState>, lastUsed?: Date): ApiKey {
  const { status, name, prefix, last4, scopes, cidrs, expires, creator, previous_ends } = storedKey(row)
  const unusedMs = Math.max(row.updatedMs ?? row.nowMs, lastUsed?.getTime() ?? 0) + unusedDaysMax * dayMs
  const isOver = (end: string | null) => end !== null && Date.parse(end) <= row.nowMs
  return {
    ...commonFields('api_key', row),
    name,
    prefix,
    last4,
    scopes,
    cidrs,
    expires,
    creator,
    status: status === 'live' && isOver(expires) ? 'expired' : status,
    previous_ends: isOver(previous_ends) ? null : previous_ends,
    last_used: lastUsed?.toISOString() ?? null,
    ends_unused: status === 'live' && unusedMs - row.nowMs <= toldBeforeMs ? new Date(unusedMs).toISOString() : null,
  }
}

/** What can be done with a key that is revoked or over. */
const allowed = {
  already_revoked: { status: 'revoked', actions: [] },
  expired: { status: 'expired', actions: ['delete'] },
}

export function toProblem(rejection: ApiKeyRejection): Problem {
  switch (rejection) {
    case 'already_revoked':
    case 'expired': {
      const { status, actions } = allowed[rejection]
      return invalidState({ code: 'invalid_state', current_status: status, allowed: actions })
    }
    case 'still_rotating':
      return new Problem('limit_reached', {
        detail:
          'Two texts of this key are accepted already. Wait until the older one has ended, or rotate with `overlap_hours` 0, which ends both.',
      })
    case 'limit_reached':
      return new Problem('limit_reached', {
        detail: `A workspace has at most ${liveKeysMax} live keys: revoke one first.`,
      })
    case 'not_found':
      return new Problem('not_found')
    default:
      // The schema refuses a key without scopes, and ids are new.
      throw new Error(`a refusal without an answer: ${rejection}`)
  }
}
