// Holds every answer of the tests against the OpenAPI document (C81), closed: a member that the file does not name is a fault.
// For integration tests only.
import { readOpenApiDocument } from '@wds/http-service/openapi-document'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>
interface Operation {
  path: RegExp
  responses: Record<string, Json>
}

const open = readOpenApiDocument(new URL('./', import.meta.url))
const document = closed(open) as Json
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true })
ajv.addSchema(document, 'openapi')
const compiled = new Map<string, ValidateFunction>()
const operations = operationsOf(document.paths as Record<string, Json>)

/** Throws an Error that names what of an answer the file does not document. */
export function checkAnswer(
  method: string,
  path: string,
  answer: { status: number; media: string | null; body: unknown },
): void {
  const [target = ''] = path.split('?')
  // The longest template is the most literal one: /v1/x/{id}.csv is no {id}.
  const operation = operations.get(method)?.findLast((known) => known.path.test(target))
  // 304 is the same everywhere: no body, the rest in the conventions.
  if (!operation || answer.status === 304) return
  const response = operation.responses[String(answer.status)] ?? (answer.status >= 400 && operation.responses.default)
  if (!response) throw new Error(`${method} ${target} answered ${answer.status}, which is not documented`)
  const content = (resolve(response).content ?? {}) as Record<string, { schema: Json }>
  const media = answer.media?.split(';', 1)[0] ?? ''
  if (Object.keys(content).length === 0 && media === '') return
  const schema = content[media]?.schema
  if (!schema) throw new Error(`${method} ${target} answered ${answer.status} as ${media}, which is not documented`)
  if (/[/+]json$/.test(media)) judge(schema, answer.body, `${method} ${target} ${answer.status}`)
}

function judge(schema: Json, body: unknown, where: string): void {
  const key = JSON.stringify(schema)
  const validate = compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')))
  compiled.set(key, validate)
  if (!validate(body)) throw new Error(`${where} is not as documented: ${ajv.errorsText(validate.errors)}`)
}

function operationsOf(paths: Record<string, Json>): Map<string, Operation[]> {
  const found = new Map<string, Operation[]>()
  for (const [template, methods] of Object.entries(paths).sort(([a], [b]) => a.length - b.length)) {
    const path = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
    for (const [method, operation] of Object.entries(methods)) {
      const { responses } = operation as { responses?: Record<string, Json> }
      const known = found.get(method.toUpperCase()) ?? []
      if (responses) found.set(method.toUpperCase(), [...known, { path, responses }])
    }
  }
  return found
}

function resolve(node: Json, within: Json = document): Json {
  if (typeof node.$ref !== 'string') return node
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name] as Json, within)
}

/** The published file leaves answers open, so that clients survive growth; here each object is as closed as its members are named. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (node === null || typeof node !== 'object') return node
  const { allOf, ...own } = node as Json & { allOf?: Json[] }
  const copy = closedWithin(own)
  if (allOf) {
    // None of the parts names all of the members, so each stays open to the others.
    const parts = allOf.map((part) => closedWithin(resolve(part, open)))
    return { ...copy, allOf: parts, unevaluatedProperties: false }
  }
  const isObjectSchema = 'properties' in copy && 'type' in copy && [copy.type].flat().includes('object')
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy
}

function closedWithin(node: Json): Json {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
}
