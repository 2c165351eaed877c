// Reads the query string by the parameters that the OpenAPI file lists (C06, C50, C55). What is not listed is refused; nothing is clamped or guessed.
import type { Parameter } from './openapi.ts'
import { type Fault, problemOfFaults } from './problem.ts'
import type { Schemas, Validate } from './schemas.ts'

/** The values by literal name. Throws a Problem with all faults at once. `query` is the text after `?`. */
export type ReadQuery = (query: string) => Record<string, unknown>

interface CompiledParameter extends Parameter {
  validate: Validate
}

/** Compiles the parameters of one operation. */
export function createQueryReader(parameters: Parameter[], schemas: Schemas): ReadQuery {
  const known = new Map<string, CompiledParameter>(
    parameters.map((parameter) => [parameter.name, { ...parameter, validate: schemas.compile(parameter.schema) }]),
  )
  return (query) => {
    const faults: Fault[] = []
    const given = readPairs(query, faults)
    const values: Record<string, unknown> = Object.create(null)
    for (const name of given.keys()) {
      if (!known.has(name))
        faults.push({ parameter: name, code: 'unknown_parameter', detail: 'This parameter is not known here.' })
    }
    for (const parameter of known.values()) {
      const text = given.get(parameter.name)
      if (text !== undefined) readValue(parameter, text, values, faults)
      else if (parameter.required) {
        faults.push({ parameter: parameter.name, code: 'invalid_parameter', detail: 'This parameter is required.' })
      } else if (parameter.schema.default !== undefined) values[parameter.name] = parameter.schema.default
    }
    if (faults.length > 0) throw problemOfFaults(faults)
    return { ...values }
  }
}

/** The part after the first `?`, '' without one. */
export function queryOf(target: string): string {
  const at = target.indexOf('?')
  return at < 0 ? '' : target.slice(at + 1)
}

/** Name and text of each parameter, decoded; used before judging, for `access_token` (auth.md B5). */
export function readPairs(query: string, faults: Fault[]): Map<string, string> {
  const pairs = new Map<string, string>()
  const doubled = new Set<string>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = decode(at < 0 ? part : part.slice(0, at))
    const text = decode(at < 0 ? '' : part.slice(at + 1))
    if (name === null) faults.push({ parameter: '', code: 'unknown_parameter', detail: 'The name is not valid UTF-8.' })
    else if (pairs.has(name)) doubled.add(name)
    else if (text === null) {
      pairs.set(name, '')
      faults.push({ parameter: name, code: 'invalid_parameter', detail: 'The value is not valid text.' })
    } else pairs.set(name, text)
  }
  for (const name of doubled) {
    faults.push({ parameter: name, code: 'duplicate_parameter', detail: 'This parameter is given twice.' })
  }
  return pairs
}

/** Percent-decoding of a form; null for what is no UTF-8 or holds U+0000. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}

function readValue(parameter: CompiledParameter, text: string, values: Record<string, unknown>, faults: Fault[]): void {
  if (faults.some((fault) => fault.parameter === parameter.name)) return
  const value = coerce(text, parameter.schema)
  const [fault] = parameter.validate(value)
  if (!fault) {
    values[parameter.name] = value
    return
  }
  const code = parameter.name === 'limit' ? 'limit_out_of_range' : 'invalid_parameter'
  const detail = typeof value === 'string' && isList(parameter.schema) ? listFault(value) : fault.detail
  faults.push({ parameter: parameter.name, code, detail })
}

const isList = ({ type }: Parameter['schema']) => [type].flat().includes('array')

function listFault(text: string): string {
  if (splitList(text) !== null) return `At most ${itemsMax} values.`
  return 'A backslash stands before a comma that belongs to a value, or before a backslash; nowhere else.'
}

/** The values between the commas. A comma within a value is written `\,`, a backslash `\\`; null where a backslash stands before anything else. */
export function splitList(text: string): string[] | null {
  // Most lists hold neither.
  if (!text.includes('\\')) return text.split(',')
  const values = ['']
  for (const part of text.match(/\\.?|,|[^\\,]+/gs) ?? []) {
    if (part === ',') values.push('')
    else if (part.startsWith('\\') && part !== '\\,' && part !== '\\\\') return null
    else values[values.length - 1] += part.startsWith('\\') ? part.slice(1) : part
  }
  return values
}

// A comma means "or" over at most 20 values (api-conventions.md 7), unless the schema has its own maxItems.
const itemsMax = 20

/** The value that the schema's type asks for, or the text itself where it is not one: then the schema refuses it. */
function coerce(text: string, schema: Parameter['schema']): unknown {
  const types = [schema.type].flat()
  if (isList(schema)) {
    const items = (schema.items ?? {}) as Parameter['schema']
    const parts = splitList(text)
    if (parts === null || (parts.length > itemsMax && schema.maxItems === undefined)) return text
    return parts.map((part) => coerce(part, items))
  }
  if (types.includes('integer') && /^-?(0|[1-9][0-9]{0,15})$/.test(text)) return Number(text)
  if (types.includes('number') && /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?$/.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
