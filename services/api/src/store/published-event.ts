// Judges an event by its strict schema before it is published (domain.md 5). A breach is a defect of this service: it throws.
import type { EventSchema } from '@wds/contracts/json-schema'

/** An event that breaks its schema; the request fails and the breach is logged. */
export class EventBreach extends Error {}

interface Schema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  maxItems?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean
}

const patterns = new Map<string, RegExp>()

/** Throws EventBreach where the envelope does not fit; names the place, never the value. */
export function assertEnvelope(schema: EventSchema, envelope: unknown): void {
  const fault = faultOf(schema as Schema, envelope, '')
  if (fault !== null) throw new EventBreach(`the event ${schema.title} breaks its schema at ${fault}`)
}

function faultOf(schema: Schema, value: unknown, at: string): string | null {
  if (schema.type !== undefined && ![schema.type].flat().some((type) => hasType(value, type))) return `${at} (type)`
  if (schema.const !== undefined && value !== schema.const) return `${at} (const)`
  if (schema.enum && !schema.enum.includes(value)) return `${at} (enum)`
  if (typeof value === 'string') return isText(schema, value) ? null : `${at} (text)`
  if (typeof value === 'number') {
    return value < (schema.minimum ?? value) || value > (schema.maximum ?? value) ? `${at} (range)` : null
  }
  if (Array.isArray(value)) return arrayFault(schema, value, at)
  return value !== null && typeof value === 'object' ? objectFault(schema, value as Record<string, unknown>, at) : null
}

function arrayFault(schema: Schema, value: unknown[], at: string): string | null {
  if (value.length > (schema.maxItems ?? value.length)) return `${at} (items)`
  const { items } = schema
  if (!items) return null
  for (const [index, item] of value.entries()) {
    const fault = faultOf(items, item, `${at}/${index}`)
    if (fault !== null) return fault
  }
  return null
}

function objectFault(schema: Schema, value: Record<string, unknown>, at: string): string | null {
  for (const name of schema.required ?? []) if (value[name] === undefined) return `${at}/${name} (missing)`
  for (const [name, member] of Object.entries(value)) {
    const known = schema.properties?.[name]
    const fault = known ? faultOf(known, member, `${at}/${name}`) : closedFault(schema, `${at}/${name}`)
    if (fault !== null) return fault
  }
  return null
}

function closedFault(schema: Schema, at: string): string | null {
  return schema.additionalProperties === false ? `${at} (unknown)` : null
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function isText(schema: Schema, value: string): boolean {
  const characters = [...value].length
  if (characters < (schema.minLength ?? 0) || characters > (schema.maxLength ?? characters)) return false
  if (schema.pattern === undefined) return true
  const known = patterns.get(schema.pattern) ?? new RegExp(schema.pattern, 'u')
  patterns.set(schema.pattern, known)
  return known.test(value)
}
