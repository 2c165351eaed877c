// Decides what the short notation of a field means: its parts and its JSON Schema (notation: declaration.ts).
// It must never accept a notation that it does not know: a typing error stops the import.
import type { FieldSchema } from '../json-schema.ts'

/** Kinds of scalar of the notation. */
const fieldKinds = [
  'id',
  'slug',
  'str',
  'closed',
  'int',
  'count',
  'num',
  'bool',
  'date',
  'month',
  'ts',
  'zone',
  'cur',
] as const
type FieldKind = (typeof fieldKinds)[number]

/** A field's notation in parts. */
export interface Field {
  readonly kind: FieldKind
  /** Prefix of an id, or null. */
  readonly idPrefix: string | null
  /** Known codes of a `str`, all codes of a `closed`; empty where none are named. */
  readonly codes: readonly string[]
  readonly list: boolean
  readonly nullable: boolean
}

/** Longest text of a `str`, in characters (domain.md 2, free text). */
export const textLengthMax = 255
/** Longest list. A day names the workspace's integrations, so this is generous. */
export const listItemsMax = 1000

/** Takes a field's notation apart. Throws a TypeError for a notation that is not known. */
export function parseField(notation: string): Field {
  const nullable = notation.endsWith('?')
  const bare = nullable ? notation.slice(0, -1) : notation
  const list = bare.startsWith('[') && bare.endsWith(']')
  const [kind = '', argument, ...rest] = (list ? bare.slice(1, -1) : bare).split(' ')
  const takesArgument = kind === 'id' || kind === 'closed' || (kind === 'str' && argument !== undefined)
  if (!isFieldKind(kind) || rest.length > 0 || takesArgument !== (argument !== undefined) || argument === '') {
    throw new TypeError(`field notation '${notation}' is not known`)
  }
  const idPrefix = kind === 'id' ? (argument ?? null) : null
  const codes = kind !== 'id' && argument ? argument.split('|') : []
  return { kind, idPrefix, codes, list, nullable }
}

/** JSON Schema of a field. */
export function schemaOfField(field: Field): FieldSchema {
  const scalar = schemaOfScalar(field)
  const schema: FieldSchema = field.list ? { type: 'array', items: scalar, maxItems: listItemsMax } : scalar
  if (!field.nullable) return schema
  const types = [schema.type, 'null'].flat()
  return schema.enum ? { ...schema, type: types, enum: [...schema.enum, null] } : { ...schema, type: types }
}

/** Patterns of the kinds that are text of a fixed form. */
export const textPatterns = {
  slug: '^[a-z0-9][a-z0-9-]{0,62}$',
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  month: '^[0-9]{4}-(0[1-9]|1[0-2])$',
  ts: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  zone: '^[A-Za-z][A-Za-z0-9+_-]*(/[A-Za-z0-9+_-]+)*$',
  cur: '^[A-Z]{3}$',
} as const

/** Pattern of an id with a prefix. */
export function patternOfId(prefix: string): string {
  return `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`
}

function schemaOfScalar(field: Field): FieldSchema {
  switch (field.kind) {
    case 'id':
      return { type: 'string', pattern: patternOfId(field.idPrefix ?? '') }
    case 'str':
      return { type: 'string', minLength: 1, maxLength: textLengthMax, ...knownCodes(field.codes) }
    case 'closed':
      return { type: 'string', enum: field.codes }
    case 'int':
      return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    case 'count':
      return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    case 'num':
      return { type: 'number' }
    case 'bool':
      return { type: 'boolean' }
    case 'date':
      return { type: 'string', format: 'date', pattern: textPatterns.date }
    case 'ts':
      return { type: 'string', format: 'date-time', pattern: textPatterns.ts }
    case 'zone':
      return { type: 'string', maxLength: 64, pattern: textPatterns.zone, description: 'IANA time zone.' }
    case 'cur':
      return { type: 'string', pattern: textPatterns.cur, description: 'ISO 4217 currency code.' }
    default:
      return { type: 'string', pattern: textPatterns[field.kind] }
  }
}

/** The list of codes is open, so it is said in words and not as an enum. */
function knownCodes(codes: readonly string[]): { description?: string } {
  if (codes.length === 0) return {}
  return { description: `Known values, others may follow: ${codes.join(', ')}.` }
}

function isFieldKind(text: string): text is FieldKind {
  return (fieldKinds as readonly string[]).includes(text)
}
