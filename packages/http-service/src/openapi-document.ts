// Puts a service's OpenAPI document together from the `openapi.yaml` of its concepts and what all services share. What every
// operation has is filled in, so that none can forget it. The document is the same at the start, for the generators and in tests.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { load } from 'js-yaml'

export type JsonObject = Record<string, unknown>

export interface OpenApiDocument extends JsonObject {
  /** By path, then by method, `parameters` among them. */
  paths: Record<string, JsonObject>
  /** By kind, then by name. */
  components: Record<string, JsonObject>
}

/** Whether a path is for operators and other services alone: the internal listener serves it, the public one and the public document do not. */
export function isInternal(path: string): boolean {
  return path.startsWith('/internal/')
}

/** `folder`: its own `openapi.yaml`, where it has one, and that of each folder within it. Throws when two of them describe one path or component. */
export function readOpenApiDocument(folder: URL): OpenApiDocument {
  const document: OpenApiDocument = { ...read(new URL('./shared.openapi.yaml', import.meta.url)), paths: {} }
  for (const file of filesOf(folder)) {
    const { paths = {}, components = {} } = read(file)
    for (const [path, item] of Object.entries(paths)) add(document.paths, path, completed(item))
    for (const [kind, named] of Object.entries(components)) {
      document.components[kind] ??= {}
      for (const [name, value] of Object.entries(named)) add(document.components[kind], name, value)
    }
  }
  return document
}

function filesOf(folder: URL): URL[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = ['openapi.yaml', ...inner.map(({ name }) => `${name}/openapi.yaml`).sort()]
  return names.map((name) => new URL(name, folder)).filter((file) => existsSync(file))
}

function read(file: URL): OpenApiDocument {
  return load(readFileSync(file, 'utf8')) as OpenApiDocument
}

function add<T>(all: Record<string, T>, name: string, value: T): void {
  if (all[name] !== undefined) throw new Error(`${name} is described twice in the OpenAPI files.`)
  all[name] = value
}

/** Any operation asks for a token unless its scope is null, or for a session, and may answer with a problem: 401 and 429 at least. */
function completed(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (name === 'parameters') return [name, value]
      const operation = value as JsonObject & { parameters?: object[]; responses?: JsonObject }
      const parameters = [...(operation.parameters ?? []), ...headersOf(name, operation)]
      const filledIn = withoutUndefined<JsonObject>({
        parameters: parameters.length === 0 ? undefined : parameters,
        responses: { ...problems, ...operation.responses },
      })
      return [name, { security: securityOf(name, operation), ...operation, ...filledIn }]
    }),
  )
}

/** What a POST is repeated with (C30), and what a change is conditional on (C41). */
function headersOf(method: string, operation: JsonObject): object[] {
  const required = readRequiredHeaders(operation)
  const optional = [
    ...(method === 'post' && operation['x-scope'] !== null ? ['Idempotency-Key' as const] : []),
    ...(method === 'patch' || operation['x-if-match'] === true ? ['If-Match' as const] : []),
  ]
  return [...new Set([...optional, ...required])].map((name) => {
    const component = `${componentOf[name]}${required.includes(name) ? '_required' : ''}`
    return { $ref: `#/components/parameters/${component}` }
  })
}

const componentOf = { 'Idempotency-Key': 'idempotency_key', 'If-Match': 'if_match' } as const
export type RequiredHeader = keyof typeof componentOf

/** `x-required-headers` of an operation. Throws where it names others than these two. */
export function readRequiredHeaders({ 'x-required-headers': names = [] }: JsonObject): RequiredHeader[] {
  const unknown = (names as string[]).filter((name) => !Object.hasOwn(componentOf, name))
  if (unknown.length > 0) throw new Error(`x-required-headers names ${unknown.join(', ')}, which no route judges.`)
  return names as RequiredHeader[]
}

/** The alternatives that the operation takes; none: everybody may call. */
function securityOf(method: string, { 'x-scope': scope, 'x-session': session }: JsonObject): object[] {
  const person = method === 'get' ? { session: [] } : { session: [], csrf: [] }
  const token = scope === null || (scope === undefined && session !== undefined) ? [] : [{ bearer: [] }]
  return [...token, ...(session === undefined ? [] : [person])]
}

const problems = {
  '429': { $ref: '#/components/responses/QuotaExceeded' },
  default: { $ref: '#/components/responses/Problem' },
}
