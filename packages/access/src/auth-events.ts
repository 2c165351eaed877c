// Reads the events of auth that concern API keys. It passes over all other events, and calls a malformed one poison.

import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'

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
  scopes: string[] | null
  cidrs: string[] | null
  sets_expires: boolean
  expires: string | null
}

/** A key got another digest; the ones before end at `previous_ends`. */
export interface KeyRotated {
  eventId: string
  key_id: string
  digest: string
  previous_ends: string
}

/** What a batch says about keys, each list in the order of the log. */
export interface KeyEvents {
  created: KeyCreated[]
  changed: KeyChanged[]
  rotated: KeyRotated[]
  revoked: string[]
  deletedWorkspaces: string[]
}

type Data = Record<string, unknown>

const poison = (what: string) => new PoisonRecord(`malformed ${what}`)

function text(data: Data, name: string): string {
  const value = data[name]
  if (typeof value !== 'string' || value === '' || value.length > 200) throw poison(name)
  return value
}

function texts(data: Data, name: string): string[] {
  const value = data[name]
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw poison(name)
  return value
}

function digest(data: Data): string {
  const value = text(data, 'digest')
  if (!/^[0-9a-f]{64}$/.test(value)) throw poison('digest')
  return value
}

/** An instant that Postgres reads without knowing a time zone. */
function instant(data: Data, name: string): string {
  const ms = Date.parse(text(data, name))
  if (Number.isNaN(ms)) throw poison(name)
  return new Date(ms).toISOString()
}

const instantOrNull = (data: Data, name: string) => ((data[name] ?? null) === null ? null : instant(data, name))

function dataOf(record: LogRecord): { type: string; data: Data } | null {
  if (record.payload === null) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(record.payload).toString())
  } catch {
    throw poison('JSON')
  }
  const { type, data } = (parsed ?? {}) as { type?: unknown; data?: unknown }
  if (typeof type !== 'string' || typeof data !== 'object' || data === null) throw poison('event')
  return { type, data: data as Data }
}

/** Sorts a batch. Throws `PoisonRecord` for a record that can never take effect. */
export function readKeyEvents(records: readonly LogRecord[]): KeyEvents {
  const events: KeyEvents = { created: [], changed: [], rotated: [], revoked: [], deletedWorkspaces: [] }
  for (const record of records) {
    const event = dataOf(record)
    if (event !== null) addEvent(events, record.eventId, event)
  }
  return events
}

function addEvent(events: KeyEvents, eventId: string, { type, data }: { type: string; data: Data }): void {
  if (type === 'WorkspaceDeleted') events.deletedWorkspaces.push(text(data, 'workspace_id'))
  if (!type.startsWith('ApiKey')) return
  const key_id = text(data, 'key_id')
  if (type === 'ApiKeyRevoked') events.revoked.push(key_id)
  if (type === 'ApiKeyCreated') {
    const place = { eventId, key_id, workspace_id: text(data, 'workspace_id'), digest: digest(data) }
    const rights = { scopes: texts(data, 'scopes'), cidrs: texts(data, 'cidrs') }
    events.created.push({ ...place, ...rights, expires: instantOrNull(data, 'expires') })
  }
  if (type === 'ApiKeyRotated') {
    events.rotated.push({ eventId, key_id, digest: digest(data), previous_ends: instant(data, 'previous_ends') })
  }
  if (type === 'ApiKeyChanged') {
    events.changed.push({
      eventId,
      key_id,
      scopes: data.scopes === undefined ? null : texts(data, 'scopes'),
      cidrs: data.cidrs === undefined ? null : texts(data, 'cidrs'),
      sets_expires: data.expires !== undefined,
      expires: instantOrNull(data, 'expires'),
    })
  }
}
