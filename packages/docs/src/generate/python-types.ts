// Writes the schemas of the OpenAPI document as types of Python. They describe; nothing is checked at run time.

// biome-ignore lint/suspicious/noExplicitAny: documents and schemas of every shape
export type JsonObject = Record<string, any>

const banner = `# Holds the schemas of the OpenAPI document. Generated from it by \`npm run generate\`.
# It must never be edited by hand.`

/** The module with a type for each schema. Names within a type stand as text, since some come later. */
export function typesModule(document: JsonObject): string {
  const types = Object.entries(document.components.schemas as Record<string, JsonObject>).map(([name, schema]) => {
    const fields = fieldsOf(document, schema)
    if (fields === null) return `${name}: TypeAlias = ${quoted(typeOf(schema, ''))}\n`
    const lines = Object.entries(fields).map(([field, { type, isRequired }]) => {
      const value = isRequired ? quoted(type) : `NotRequired[${quoted(type)}]`
      return `        ${quoted(field)}: ${value},\n`
    })
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`
  })
  return `${banner}
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

${types.join('\n')}`
}

type Fields = Record<string, { type: string; isRequired: boolean }>

/** The members of an object, those of all parts of an \`allOf\` together; null where the schema names none. */
function fieldsOf(document: JsonObject, schema: JsonObject): Fields | null {
  if (schema.$ref !== undefined) return fieldsOf(document, document.components.schemas[schema.$ref.split('/').at(-1)])
  const required = new Set<string>(schema.required ?? [])
  const own = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, one]) => [
    name,
    { type: typeOf(one, ''), isRequired: required.has(name) },
  ])
  const parts = (schema.allOf ?? []).map((one: JsonObject) => fieldsOf(document, one) ?? {})
  const fields: Fields = Object.assign({}, ...parts, Object.fromEntries(own))
  for (const name of required) if (fields[name]) fields[name].isRequired = true
  return Object.keys(fields).length === 0 || [schema.type].flat().includes('null') ? null : fields
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`

/** A schema as a type; one that is another schema is that one's name behind \`prefix\`. What has no plain type in Python is Any. */
export function typeOf(schema: JsonObject, prefix: string): string {
  if (schema.$ref !== undefined) return `${prefix}${schema.$ref.split('/').at(-1)}`
  if ('const' in schema) return `Literal[${literalOf(schema.const)}]`
  if (schema.enum !== undefined) return `Literal[${(schema.enum as unknown[]).map(literalOf).join(', ')}]`
  const choices: JsonObject[] | undefined = schema.oneOf ?? schema.anyOf
  if (choices !== undefined && schema.type === undefined) return unionOf(choices.map((one) => typeOf(one, prefix)))
  const types: string[] = [schema.type ?? []].flat()
  if (types.length === 0) return 'Any'
  return unionOf(types.map((type) => plainOf(type, schema, prefix)))
}

const plain: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

function plainOf(type: string, schema: JsonObject, prefix: string): string {
  if (type === 'array') return `list[${typeOf(schema.items ?? {}, prefix)}]`
  if (type !== 'object') return plain[type] ?? 'Any'
  const values = schema.additionalProperties
  return typeof values === 'object' ? `dict[str, ${typeOf(values, prefix)}]` : 'dict[str, Any]'
}

function unionOf(types: string[]): string {
  const different = [...new Set(types)]
  return different.length === 1 ? (different[0] as string) : `Union[${different.join(', ')}]`
}

function literalOf(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}
