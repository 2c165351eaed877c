// Reads the fields of an event on the log, and calls what cannot be read poison.

import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'

/** An event, its data not judged yet. */
export interface RawEvent {
  eventId: string
  /** Of the record: the workspace, or the user, client or signing key of an event without one. */
  key: string
  type: string
  /** RFC 3339. */
  created: string
  data: Record<string, unknown>
}

type Data = RawEvent['data']

export const poison = (what: string) => new PoisonRecord(`malformed ${what}`)

/** The event of a record; null for a removal of a key. Throws PoisonRecord for what is no event. */
export function readEvent({ payload, eventId, key }: LogRecord): RawEvent | null {
  if (payload === null) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(payload).toString())
  } catch {
    throw poison('JSON')
  }
  const { type, created, data } = (parsed ?? {}) as Partial<RawEvent>
  if (typeof type !== 'string' || typeof data !== 'object' || data === null) throw poison('event')
  return { eventId, key, type, created: created ?? '', data }
}

/** 1 to 200 characters, or as many as `lengthMax`. */
export function text(data: Data, name: string, { lengthMax = 200 } = {}): string {
  const value = data[name]
  if (typeof value !== 'string' || value === '' || value.length > lengthMax) throw poison(name)
  return value
}

/** Of any length. */
export function textOrNull(data: Data, name: string): string | null {
  const value = data[name]
  if (value !== null && typeof value !== 'string') throw poison(name)
  return value
}

export function texts(data: Data, name: string): string[] {
  const value = data[name]
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw poison(name)
  return value
}

/** A whole number from 1 to 2,147,483,647. */
export function version(data: Data, name: string): number {
  const value = data[name]
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 2_147_483_647) throw poison(name)
  return value as number
}

/** An instant, in epoch milliseconds. */
export function instantMs(data: Data, name: string): number {
  const ms = Date.parse(text(data, name))
  if (Number.isNaN(ms)) throw poison(name)
  return ms
}

/** An instant that Postgres reads without knowing a time zone. */
export const instant = (data: Data, name: string): string => new Date(instantMs(data, name)).toISOString()

export const instantOrNull = (data: Data, name: string) => ((data[name] ?? null) === null ? null : instant(data, name))
