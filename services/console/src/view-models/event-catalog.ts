// The event catalog as pages show it: a schema as rows (ui.md 2).
import { catalogTexts as words } from '../texts/event-catalog.ts'

export interface SchemaRow {
  /** With dots, such as `data.status`; of a list's entries with `[]`. */
  path: string
  kind: string
  isRequired: boolean
  rules: string
}

interface Schema {
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  pattern?: string
  description?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

const deepest = 8

/** Each field of an object's schema, depth first, in its order. */
export function schemaRows(schema: unknown, before = '', depth = 0): SchemaRow[] {
  const { properties = {}, required = [] } = schema as Schema
  if (depth > deepest) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = before === '' ? name : `${before}.${name}`
    const row = { path, kind: kindOf(property), isRequired: required.includes(name), rules: rulesOf(property) }
    const inner = property.items ?? property.anyOf?.find((one) => one.properties) ?? property
    return [row, ...schemaRows(inner, property.items ? `${path}[]` : path, depth + 1)]
  })
}

function kindOf(schema: Schema): string {
  if (schema.items) return words.listOf(kindOf(schema.items))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(kindOf))].join(words.or)
  if (schema.type !== undefined) return typeof schema.type === 'string' ? schema.type : schema.type.join(words.or)
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))].join(words.or)
}

function rulesOf(schema: Schema): string {
  const { enum: values, minimum, maximum, maxLength, format, pattern } = schema
  const number = (value: number) => value.toLocaleString('en')
  // The largest whole number that JSON carries limits nobody.
  const rules = [
    schema.description?.replace(/\.$/, ''),
    schema.const === undefined ? undefined : words.always(String(schema.const)),
    values && words.oneOf(values.map(String).join(', ')),
    format,
    minimum === undefined || minimum <= -Number.MAX_SAFE_INTEGER ? undefined : words.from(number(minimum)),
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : words.upTo(number(maximum)),
    maxLength === undefined ? undefined : words.upTo(`${number(maxLength)} characters`),
    // A format says it better.
    pattern === undefined || format !== undefined ? undefined : words.matches(pattern),
  ]
  return rules.filter((rule) => rule !== undefined).join('; ')
}
