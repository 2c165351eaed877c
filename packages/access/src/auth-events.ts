// Reads the events of auth that decide who may call. It passes over all other events, and calls a malformed one poison.

import type { AuthEvents } from '@wds/contracts/auth-events'
import type { LogRecord } from '@wds/event-log/port'
import { type NewDenial, readDenial } from './denial-events.ts'
import { instant, instantOrNull, poison, type RawEvent, readEvent, text, texts } from './event-fields.ts'

/** A key was made. `digest`: SHA-256 in hex; `expires`: RFC 3339 or null. */
export interface KeyCreated {
  eventId: string
  key_id: string
  workspace_id: string
  digest: string
  scopes: string[]
  cidrs: string[]
  expires: string | null
}

/** Scopes, CIDRs or end changed; what is null stays as it is (`expires`: only with `sets_expires`). */
export interface KeyChanged {
  eventId: string
  key_id: string
  workspace_id: string
  scopes: string[] | null
  cidrs: string[] | null
  sets_expires: boolean
  expires: string | null
}

/** A key got another digest; the ones before end at `previous_ends`. */
export interface KeyRotated {
  eventId: string
  key_id: string
  workspace_id: string
  digest: string
  previous_ends: string
}

/** Public half of a key that signs access tokens. */
export type SigningJwk = AuthEvents['SigningKeyPublished']['jwk']

/** What a batch says, each list in the order of the log. */
export interface AccessEvents {
  created: KeyCreated[]
  changed: KeyChanged[]
  rotated: KeyRotated[]
  revoked: string[]
  deletedWorkspaces: string[]
  denials: NewDenial[]
  publishedKeys: SigningJwk[]
  /** `kid` of each. */
  retiredKeys: string[]
}

function digest(data: RawEvent['data']): string {
  const value = text(data, 'digest')
  if (!/^[0-9a-f]{64}$/.test(value)) throw poison('digest')
  return value
}

/** Sorts a batch. Throws `PoisonRecord` for a record that can never take effect. */
export function readAuthEvents(records: readonly LogRecord[]): AccessEvents {
  const events: AccessEvents = {
    created: [],
    changed: [],
    rotated: [],
    revoked: [],
    deletedWorkspaces: [],
    denials: [],
    publishedKeys: [],
    retiredKeys: [],
  }
  for (const record of records) {
    const event = readEvent(record)
    if (event === null) continue
    const denial = readDenial(event)
    if (denial !== null) events.denials.push(denial)
    if (event.type === 'WorkspaceDeleted') events.deletedWorkspaces.push(text(event.data, 'workspace_id'))
    if (event.type === 'SigningKeyPublished') events.publishedKeys.push(signingJwk(event.data.jwk))
    if (event.type === 'SigningKeyRetired') events.retiredKeys.push(text(event.data, 'kid'))
    if (event.type.startsWith('ApiKey')) addKeyEvent(events, event)
  }
  return events
}

/** The members that are used, and no others. Throws PoisonRecord unless it is an ES256 key. */
export function signingJwk(value: unknown): SigningJwk {
  const { kty, crv, x, y, alg, kid } = (value ?? {}) as Record<string, unknown>
  const isCoordinate = (part: unknown): part is string => typeof part === 'string' && /^[\w-]{43}$/.test(part)
  const isNamed = typeof kid === 'string' && kid !== '' && kid.length <= 200
  if (kty !== 'EC' || crv !== 'P-256' || alg !== 'ES256' || !isNamed || !isCoordinate(x) || !isCoordinate(y)) {
    throw poison('jwk')
  }
  return { kty, crv, x, y, alg, use: 'sig', kid }
}

function addKeyEvent(events: AccessEvents, { eventId, key, type, data }: RawEvent): void {
  const key_id = text(data, 'key_id')
  if (type === 'ApiKeyRevoked') events.revoked.push(key_id)
  if (type === 'ApiKeyCreated') {
    const place = { eventId, key_id, workspace_id: text(data, 'workspace_id'), digest: digest(data) }
    const rights = { scopes: texts(data, 'scopes'), cidrs: texts(data, 'cidrs') }
    events.created.push({ ...place, ...rights, expires: instantOrNull(data, 'expires') })
  }
  if (type === 'ApiKeyRotated') {
    const previous_ends = instant(data, 'previous_ends')
    events.rotated.push({ eventId, key_id, workspace_id: key, digest: digest(data), previous_ends })
  }
  if (type === 'ApiKeyChanged') {
    events.changed.push({
      eventId,
      key_id,
      workspace_id: key,
      scopes: data.scopes === undefined ? null : texts(data, 'scopes'),
      cidrs: data.cidrs === undefined ? null : texts(data, 'cidrs'),
      sets_expires: data.expires !== undefined,
      expires: instantOrNull(data, 'expires'),
    })
  }
}
