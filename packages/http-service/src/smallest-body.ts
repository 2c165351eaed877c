// Makes the least that a schema asks for, so that a test can make one of a resource of which it knows nothing else. No service needs it.
import { resolve } from './openapi.ts'
import type { JsonObject } from './openapi-document.ts'

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'x@example.com',
  uri: 'https://example.com/',
}

/** `given`: values of properties by their names. A text whose pattern takes no `x` has to be given; what may be left out is. */
export function smallestBody(document: JsonObject, schema: unknown, given: Readonly<JsonObject> = {}): unknown {
  const asked = resolve(document, schema)
  const [first] = [asked.oneOf ?? asked.anyOf ?? asked.enum ?? []].flat()
  if (asked.const !== undefined) return asked.const
  if (asked.enum !== undefined) return first
  if (first !== undefined) return smallestBody(document, first, given)
  const [type] = [asked.type].flat()
  switch (type) {
    case 'object':
      return Object.fromEntries(
        ((asked.required ?? []) as string[]).map((name) => [
          name,
          given[name] ?? smallestBody(document, (asked.properties as JsonObject)[name], given),
        ]),
      )
    case 'array':
      return Array.from({ length: Number(asked.minItems ?? 0) }, () => smallestBody(document, asked.items, given))
    case 'string':
      return smallestText(asked)
    case 'integer':
    case 'number':
      return asked.minimum ?? 0
    case 'boolean':
      return false
  }
  return null
}

function smallestText({ pattern, format, minLength }: JsonObject): string {
  const text = texts[String(format)] ?? 'x'.repeat(Number(minLength ?? 1))
  if (pattern !== undefined && !new RegExp(String(pattern), 'u').test(text))
    throw new Error(`a text of the pattern ${pattern} must be given`)
  return text
}
