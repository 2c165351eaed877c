// Holds every answer of the tests against openapi.yaml (C81), closed: a member that the file does not name is a fault.
// For integration tests only.
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'

type Json = Record<string, unknown>
interface Operation {
  path: RegExp
  responses: Record<string, Json>
}

const document = closed(parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'))) as Json
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
  const operation = operations.get(method)?.find((known) => known.path.test(target))
  // 304 is the same everywhere: no body, the rest in the conventions.
  if (!operation || answer.status === 304) return
  const response = operation.responses[String(answer.status)] ?? (answer.status >= 400 && operation.responses.default)
  if (!response) throw new Error(`${method} ${target} answered ${answer.status}, which is not documented`)
  const content = (resolve(response).content ?? {}) as Record<string, { schema: Json }>
  const media = answer.media?.split(';', 1)[0] ?? ''
  if (Object.keys(content).length === 0 && media === '') return
  const schema = content[media]?.schema
  if (!schema) throw new Error(`${method} ${target} answered ${answer.status} as ${media}, which is not documented`)
  if (!media.endsWith('ndjson')) judge(schema, answer.body, `${method} ${target} ${answer.status}`)
}

function judge(schema: Json, body: unknown, where: string): void {
  const key = JSON.stringify(schema)
  const validate = compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')))
  compiled.set(key, validate)
  if (!validate(body)) throw new Error(`${where} is not as documented: ${ajv.errorsText(validate.errors)}`)
}

function operationsOf(paths: Record<string, Json>): Map<string, Operation[]> {
  const found = new Map<string, Operation[]>()
  for (const [template, methods] of Object.entries(paths)) {
    const path = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
    for (const [method, operation] of Object.entries(methods)) {
      const { responses } = operation as { responses?: Record<string, Json> }
      const known = found.get(method.toUpperCase()) ?? []
      if (responses) found.set(method.toUpperCase(), [...known, { path, responses }])
    }
  }
  return found
}

function resolve(node: Json): Json {
  if (typeof node.$ref !== 'string') return node
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name] as Json, document)
}

/** The published file leaves answers open, so that clients survive growth; here each object is as closed as its members are named. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (node === null || typeof node !== 'object') return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)])) as Json
  const isObjectSchema = 'properties' in copy && 'type' in copy && [copy.type].flat().includes('object')
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy
}
