// Decides whether a producer may publish an event: its data must fit the declaration exactly, nothing more and nothing less.
// It judges what the strict JSON Schema judges (a test holds the two together) without a schema library on the way.
import type { EventType } from './event-types.ts'
import type { EventDeclaration } from './events/declaration.ts'
import { eventDeclarations } from './events/declarations.ts'
import { type Field, listItemsMax, parseField, patternOfId, textLengthMax, textPatterns } from './events/field.ts'

const fieldsOf = new Map(
  Object.entries<EventDeclaration>(eventDeclarations).map(([type, declaration]) => [
    type,
    fieldsOfDeclaration(declaration),
  ]),
)
const patterns = new Map(Object.entries(textPatterns).map(([kind, source]) => [kind, new RegExp(source, 'u')]))

/**
 * What is wrong with the data of an event, as sentences that name fields and never values; empty where it may be
 * published. A fault is a defect of the producer (domain.md 5).
 */
export function faultsOfEventData(type: EventType, data: unknown): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return ['data is not an object']
  const fields = fieldsOf.get(type) ?? new Map<string, CheckedField>()
  const unknown = Object.keys(data).filter((name) => !fields.has(name))
  const faults = unknown.map((name) => `${name} is not declared`)
  for (const [name, field] of fields) {
    if (!Object.hasOwn(data, name)) faults.push(`${name} is missing`)
    else if (!fits(field, (data as Record<string, unknown>)[name])) faults.push(`${name} is not ${describe(field)}`)
  }
  return faults
}

interface CheckedField extends Field {
  readonly idPattern: RegExp | null
}

function fieldsOfDeclaration(declaration: EventDeclaration): Map<string, CheckedField> {
  return new Map(Object.entries(declaration.data).map(([name, notation]) => [name, checkedField(notation)]))
}

function checkedField(notation: string): CheckedField {
  const field = parseField(notation)
  return { ...field, idPattern: field.idPrefix === null ? null : new RegExp(patternOfId(field.idPrefix), 'u') }
}

function fits(field: CheckedField, value: unknown): boolean {
  if (value === null) return field.nullable
  if (!field.list) return fitsScalar(field, value)
  return Array.isArray(value) && value.length <= listItemsMax && value.every((item) => fitsScalar(field, item))
}

function fitsScalar(field: CheckedField, value: unknown): boolean {
  switch (field.kind) {
    case 'bool':
      return typeof value === 'boolean'
    case 'num':
      return Number.isFinite(value)
    case 'int':
      return Number.isSafeInteger(value)
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0
    default:
      return typeof value === 'string' && fitsText(field, value)
  }
}

function fitsText(field: CheckedField, text: string): boolean {
  switch (field.kind) {
    case 'id':
      return field.idPattern?.test(text) === true
    case 'closed':
      return field.codes.includes(text)
    case 'str':
      return text.length > 0 && (text.length <= textLengthMax || [...text].length <= textLengthMax)
    case 'date':
      return matches('date', text) && isInstant(`${text}T00:00:00.000Z`)
    case 'ts':
      return matches('ts', text) && isInstant(text)
    case 'zone':
      return text.length <= 64 && matches('zone', text)
    default:
      return matches(field.kind, text)
  }
}

function matches(kind: string, text: string): boolean {
  return patterns.get(kind)?.test(text) === true
}

/** Dates that do not exist, such as 30 February, come back from the parser as another text or not at all. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

function describe(field: Field): string {
  const of = field.list ? 'a list of ' : ''
  return `${of}${field.kind === 'id' ? `${field.idPrefix}_ id` : field.kind}${field.nullable ? ' or null' : ''}`
}
