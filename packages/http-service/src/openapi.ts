// Reads a service's OpenAPI document into one record per operation and compares them with the routes, both ways (C80).
// It stops the start when the two differ: a route that the file does not describe must never answer.
import { isRight, type Right } from '@wds/contracts/roles'
import { type DeprecationHeaders, readDeprecation } from './deprecation.ts'
import { type JsonObject, type RequiredHeader, readOpenApiDocument, readRequiredHeaders } from './openapi-document.ts'
import type { Route } from './route.ts'

/** A query or path parameter by its literal name. */
export interface Parameter {
  name: string
  required: boolean
  schema: JsonObject
}

/** What the file says of one method of one path. */
export interface Operation {
  method: string
  path: string
  /** `x-scope`: a scope, 'any', or null for no token; undefined where only a session opens it. */
  scope: string | null | undefined
  /** `x-session`: the right that the session's role must have. */
  session: Right | undefined
  /** Headers without which it is refused: 400 `idempotency_key_required`, 428. */
  requiredHeaders: RequiredHeader[]
  query: Parameter[]
  pathParameters: Parameter[]
  /** Schemas of the body by media type; null where the operation takes none. */
  body: { required: boolean; content: Record<string, JsonObject> } | null
  /** Media types of its 2xx answers, `application/json` when it has none. */
  produces: string[]
  /** What each of its answers says of its end. */
  deprecation: DeprecationHeaders
}

export interface OpenApi {
  document: JsonObject
  operations: Operation[]
}

const methods = ['get', 'post', 'patch', 'delete', 'put', 'head', 'options', 'trace']

/** Reads and judges the files of the folder. Throws an Error that names what is wrong. */
export function readOpenApi(folder: URL): OpenApi {
  const document = readOpenApiDocument(folder)
  const operations: Operation[] = []
  for (const [path, value] of Object.entries(document.paths)) {
    const item = asObject(value, path)
    for (const method of methods) {
      if (item[method] === undefined) continue
      const operation = asObject(item[method], `${method} ${path}`)
      operations.push(readOperation(document, { method: method.toUpperCase(), path, item, operation }))
    }
  }
  return { document, operations }
}

/** Throws an Error that lists every difference of method, path, scope and filters between routes and file. */
export function compareRoutes(routes: Route[], operations: Operation[]): void {
  const described = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const differences: string[] = []
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const operation = described.get(name)
    if (seen.has(name)) differences.push(`${name} is routed twice`)
    seen.add(name)
    if (!operation) {
      differences.push(`${name} is not in the OpenAPI file`)
      continue
    }
    for (const which of ['scope', 'session'] as const) {
      if (operation[which] === route[which]) continue
      differences.push(`${name} has the ${which} ${route[which]}, in the OpenAPI file ${operation[which]}`)
    }
    const isKeyRequired = route.idempotencyKeyRequired === true
    if (operation.requiredHeaders.includes('Idempotency-Key') !== isKeyRequired) {
      differences.push(
        `${name} ${isKeyRequired ? 'requires' : 'does not require'} an Idempotency-Key, unlike the OpenAPI file`,
      )
    }
    differences.push(...compareFilters(name, route.filters, operation))
  }
  for (const name of described.keys()) if (!seen.has(name)) differences.push(`${name} has no route`)
  if (differences.length > 0) throw new Error(`Routes and OpenAPI file differ: ${differences.join('; ')}.`)
}

/** A parameter that filters nothing would be answered with everything. */
function compareFilters(name: string, filters: Route['filters'], { query }: Operation): string[] {
  if (filters === undefined) return []
  const described = query.map((parameter) => parameter.name).filter((parameter) => !isOfEveryList(parameter))
  return [
    ...described.filter((parameter) => !filters.includes(parameter)).map((at) => `${name} does not filter by ${at}`),
    ...filters
      .filter((filter) => !described.includes(filter))
      .map((at) => `${name} has the filter ${at}, which is not in the OpenAPI file`),
  ]
}

function isOfEveryList(parameter: string): boolean {
  return parameter === 'limit' || parameter === 'cursor' || parameter.startsWith('created[')
}

interface Place {
  method: string
  path: string
  item: JsonObject
  operation: JsonObject
}

function readOperation(document: JsonObject, place: Place): Operation {
  const { method, path, item, operation } = place
  const name = `${method} ${path}`
  const access = readAccess(operation, name)
  const parameters = [...asArray(item.parameters), ...asArray(operation.parameters)].map((entry) => {
    const parameter = resolve(document, entry)
    const schema = { ...resolve(document, parameter.schema ?? {}) }
    // The query reader looks at types, so what they refer to stands in their place.
    if (schema.items !== undefined) schema.items = resolve(document, schema.items)
    // What is left out means `true`: the name once for each value, which is refused here (C06).
    if (parameter.in === 'query' && schema.type === 'array' && parameter.explode !== false) {
      throw new Error(`The list ${parameter.name} of ${name} must say explode: false.`)
    }
    return { name: String(parameter.name), in: parameter.in, required: parameter.required === true, schema }
  })
  // The operation's own parameter replaces the path's one of the same name and place.
  const unique = [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
  return {
    method,
    path,
    ...access,
    requiredHeaders: readRequiredHeaders(operation),
    query: unique.filter((parameter) => parameter.in === 'query'),
    pathParameters: unique.filter((parameter) => parameter.in === 'path'),
    body: readBody(document, operation, name),
    produces: readProduces(document, operation),
    deprecation: readDeprecation(operation, name),
  }
}

/** Who may call: an operation that says nothing of it is refused. */
function readAccess(operation: JsonObject, name: string): Pick<Operation, 'scope' | 'session'> {
  const { 'x-scope': scope, 'x-session': session } = operation
  if (session !== undefined && !isRight(String(session))) throw new Error(`${name} has an x-session that is no right.`)
  if (scope === undefined ? session === undefined : scope !== null && typeof scope !== 'string') {
    throw new Error(`${name} has no x-scope (a scope, any or null) and no x-session.`)
  }
  return { scope: scope as string | null | undefined, session: session as Right | undefined }
}

function readBody(document: JsonObject, operation: JsonObject, name: string): Operation['body'] {
  if (operation.requestBody === undefined) return null
  const body = resolve(document, operation.requestBody)
  const content: Record<string, JsonObject> = {}
  for (const [mediaType, value] of Object.entries(asObject(body.content, `the body of ${name}`))) {
    const schema = asObject(asObject(value, mediaType).schema ?? {}, `the body of ${name}`)
    content[mediaType.toLowerCase()] = mediaType === 'multipart/form-data' ? withParts(document, schema) : schema
  }
  return { required: body.required === true, content }
}

/** The reader of parts looks at their schemas, so what they refer to stands in their place. */
function withParts(document: JsonObject, schema: JsonObject): JsonObject {
  const parts = Object.entries(asObject(schema.properties, 'the parts of a form'))
  return { ...schema, properties: Object.fromEntries(parts.map(([name, part]) => [name, resolve(document, part)])) }
}

function readProduces(document: JsonObject, operation: JsonObject): string[] {
  const types = new Set<string>()
  for (const [status, value] of Object.entries(asObject(operation.responses ?? {}, 'responses'))) {
    if (!status.startsWith('2')) continue
    for (const mediaType of Object.keys(asObject(resolve(document, value).content ?? {}, status))) types.add(mediaType)
  }
  return types.size > 0 ? [...types] : ['application/json']
}

/** Follows `$ref` within the document. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let current = asObject(value, 'a reference')
  for (let hops = 0; typeof current.$ref === 'string'; hops++) {
    const reference = current.$ref
    if (hops > 8 || !reference.startsWith('#/')) throw new Error(`The reference ${reference} cannot be followed.`)
    let target: unknown = document
    for (const part of reference.slice(2).split('/')) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target = asObject(target, reference)[key]
    }
    current = asObject(target, reference)
  }
  return current
}

function asObject(value: unknown, what: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error(`${what} is not an object.`)
  return value as JsonObject
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
