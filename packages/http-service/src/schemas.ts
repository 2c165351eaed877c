// Compiles the schemas of one OpenAPI file, each once, and turns ajv's errors into faults of the API (C05, C11).
// It never coerces, fills in or drops anything.
import type { FieldFault } from '@wds/contracts/field-fault'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { canonicalJson } from './canonical-json.ts'
import type { JsonObject } from './openapi-document.ts'
import type { Fault } from './problem.ts'

/** The faults of a value, empty when it is valid. Pointers are RFC 6901. */
export type Validate = (value: unknown) => FieldFault[]

export interface Schemas {
  /** The validator compiles itself when it is first asked. */
  compile(schema: JsonObject): Validate
}

const documentId = 'openapi'

/** A compiler that resolves `#/…` in the document. A property marked `readOnly` is a fault wherever it is sent. */
export function createSchemas(document: JsonObject): Schemas {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, ownProperties: true, validateSchema: false })
  // The default export of a CommonJS module arrives as the module object under Node's own loader.
  const formats = addFormats as unknown as typeof addFormats.default
  formats(ajv)
  ajv.addFormat('date-time', isInstant)
  ajv.addFormat('date', (text: string) => isInstant(`${text}T00:00:00Z`))
  ajv.addFormat('time-zone', isTimeZone)
  // The library compares each entry with each, where a schema refers to that of its entries: minutes for 1 MiB.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: areUnique })
  ajv.removeKeyword('readOnly')
  ajv.addKeyword({ keyword: 'readOnly', schemaType: 'boolean', validate: (readOnly: boolean) => !readOnly })
  ajv.addSchema(document, documentId)
  return {
    compile: (schema) => {
      let validate: ValidateFunction | undefined
      return (value) => {
        // At the first value: those of all routes are a third of what a start computes.
        validate ??= ajv.compile(withDocument(schema) as JsonObject)
        return validate(value) ? [] : toFaults(validate.errors ?? [])
      }
    },
  }
}

function areUnique(unique: boolean, items: unknown[]): boolean {
  return !unique || new Set(items.map(canonicalJson)).size === items.length
}

const instantPattern = /^\d{4}-\d{2}-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** RFC 3339, as far as the database can store it: a day that exists, no leap second, the years 1 to 9999 in UTC. */
function isInstant(text: string): boolean {
  const day = Number(instantPattern.exec(text)?.[1])
  const ms = Date.parse(text)
  if (Number.isNaN(day) || Number.isNaN(ms) || ms < firstInstantMs || ms > lastInstantMs) return false
  // Date.parse takes 24:00:00 and the 31st of each month, as something else.
  const [year, month] = text.split('-', 2).map(Number) as [number, number]
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() && !/[Tt]24/.test(text)
}

const firstInstantMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastInstantMs = Date.parse('9999-12-31T23:59:59.999Z')

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== null
  } catch {
    return false
  }
}

/** Inline schemas are compiled alone, so their references must name the document. */
function withDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDocument)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string' && item.startsWith('#')
        ? [key, documentId + item]
        : [key, withDocument(item)],
    ),
  )
}

function toFaults(errors: ErrorObject[]): FieldFault[] {
  const faults = new Map<string, FieldFault>()
  for (const error of withoutBranches(errors)) {
    const fault = toFault(error)
    if (fault) faults.set(`${fault.pointer} ${fault.code}`, fault)
  }
  return [...faults.values()]
}

/** Of a failed choice only the choice itself is told; of 'X or null' only what is wrong with X. */
function withoutBranches(errors: ErrorObject[]): ErrorObject[] {
  let kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error)
      continue
    }
    const within = (other: ErrorObject) => other.instancePath.startsWith(error.instancePath)
    const branches: unknown[] = Array.isArray(error.schema) ? error.schema : []
    if (branches.length === 2 && branches.some(isNullSchema) && error.data !== null) {
      kept = kept.filter((other) => !(other.instancePath === error.instancePath && isNullSchema(other.parentSchema)))
    } else kept = [...kept.filter((other) => !within(other)), error]
  }
  return kept
}

function isNullSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && (schema as JsonObject).type === 'null'
}

function toFault(error: ErrorObject): FieldFault | null {
  const { params, instancePath: at } = error
  switch (error.keyword) {
    case 'additionalProperties':
      return { pointer: below(at, params.additionalProperty), code: 'unknown_field', detail: unknownField }
    case 'unevaluatedProperties':
      return { pointer: below(at, params.unevaluatedProperty), code: 'unknown_field', detail: unknownField }
    case 'readOnly':
      return { pointer: at, code: 'unknown_field', detail: 'This field cannot be set.' }
    case 'required':
      return isReadOnly(error, params.missingProperty)
        ? null
        : { pointer: below(at, params.missingProperty), code: 'required', detail: 'This field is required.' }
    default:
      return { pointer: at, ...judge(error) }
  }
}

const unknownField = 'This field is not known here.'

function judge(error: ErrorObject): Pick<Fault, 'code' | 'detail'> {
  const { params, keyword } = error
  const limit = params.limit
  switch (keyword) {
    case 'type':
      return { code: 'invalid_type', detail: `Must be of type ${[params.type].flat().join(' or ')}.` }
    case 'minimum':
    case 'maximum':
      return { code: 'out_of_range', detail: range(error.parentSchema ?? {}, limit, keyword) }
    case 'exclusiveMinimum':
      return { code: 'out_of_range', detail: `Must be greater than ${limit}.` }
    case 'exclusiveMaximum':
      return { code: 'out_of_range', detail: `Must be less than ${limit}.` }
    case 'minLength':
      return {
        code: 'out_of_range',
        detail: limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`,
      }
    case 'maxLength':
      return { code: 'out_of_range', detail: `Must have at most ${limit} characters.` }
    case 'minItems':
    case 'minProperties':
      return {
        code: 'out_of_range',
        detail: limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} entries.`,
      }
    case 'maxItems':
    case 'maxProperties':
      return { code: 'out_of_range', detail: `Must have at most ${limit} entries.` }
    case 'enum':
      return { code: 'invalid_value', detail: `Must be one of ${list(params.allowedValues)}.` }
    case 'format':
      return {
        code: 'invalid_format',
        detail: formatDetails[params.format] ?? `Must have the format ${params.format}.`,
      }
    case 'pattern':
      return { code: 'invalid_format', detail: patternDetail(error.parentSchema ?? {}) }
    case 'uniqueItems':
      return { code: 'invalid_value', detail: 'Must not name an entry twice.' }
    default:
      return { code: 'invalid_value', detail: 'This value is not acceptable here.' }
  }
}

const formatDetails: Record<string, string> = {
  'date-time': 'Must be an instant that exists, such as 2026-03-01T09:30:00.000Z.',
  date: 'Must be a date that exists, such as 2026-03-01.',
}

/** Nobody is to read a regular expression: the schema's description says the form in words. */
const patternDetail = ({ description }: JsonObject) =>
  `Does not have the required form${typeof description === 'string' ? `: ${description}` : '.'}`

function range(schema: JsonObject, limit: unknown, keyword: string): string {
  if (schema.minimum !== undefined && schema.maximum !== undefined) {
    return `Must be between ${schema.minimum} and ${schema.maximum}.`
  }
  return keyword === 'minimum' ? `Must be at least ${limit}.` : `Must be at most ${limit}.`
}

function list(values: unknown): string {
  return (Array.isArray(values) ? values : []).slice(0, 30).map(String).join(', ')
}

function isReadOnly(error: ErrorObject, name: string): boolean {
  const properties = (error.parentSchema as { properties?: Record<string, { readOnly?: boolean }> }).properties ?? {}
  return Object.hasOwn(properties, name) && properties[name]?.readOnly === true
}

/** The pointer of a member, escaped as RFC 6901 3 says. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
