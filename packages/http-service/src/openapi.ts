// Reads a service's OpenAPI file into one record per operation and compares them with the routes, both ways (C80).
// It stops the start when the two differ: a route that the file does not describe must never answer.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Route } from './route.ts'

export type JsonObject = Record<string, unknown>

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
  /** `x-scope`: a scope, 'any', or null for no token. */
  scope: string | null
  query: Parameter[]
  pathParameters: Parameter[]
  /** Schemas of the body by media type; null where the operation takes none. */
  body: { required: boolean; content: Record<string, JsonObject> } | null
  /** Media types of its 2xx answers, `application/json` when it has none. */
  produces: string[]
}

export interface OpenApi {
  document: JsonObject
  operations: Operation[]
}

const methods = ['get', 'post', 'patch', 'delete', 'put', 'head', 'options', 'trace']

/** Reads and judges the file. Throws an Error that names what is wrong. */
export function readOpenApi(file: URL): OpenApi {
  const document = asObject(parse(readFileSync(file, 'utf8')), 'the OpenAPI file')
  const operations: Operation[] = []
  for (const [path, value] of Object.entries(asObject(document.paths ?? {}, 'paths'))) {
    const item = asObject(value, path)
    for (const method of methods) {
      if (item[method] === undefined) continue
      const operation = asObject(item[method], `${method} ${path}`)
      operations.push(readOperation(document, { method: method.toUpperCase(), path, item, operation }))
    }
  }
  return { document, operations }
}

/** Throws an Error that lists every difference of method, path and scope between routes and file. */
export function compareRoutes(routes: Route[], operations: Operation[]): void {
  const described = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  const differences: string[] = []
  const seen = new Set<string>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const operation = described.get(name)
    if (seen.has(name)) differences.push(`${name} is routed twice`)
    seen.add(name)
    if (!operation) differences.push(`${name} is not in the OpenAPI file`)
    else if (operation.scope !== route.scope) {
      differences.push(`${name} has the scope ${route.scope}, in the OpenAPI file ${operation.scope}`)
    }
  }
  for (const name of described.keys()) if (!seen.has(name)) differences.push(`${name} has no route`)
  if (differences.length > 0) throw new Error(`Routes and OpenAPI file differ: ${differences.join('; ')}.`)
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
  const scope = operation['x-scope']
  if (scope !== null && typeof scope !== 'string') throw new Error(`${name} has no x-scope (a scope, any or null).`)
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
  judgeResponses(operation, name)
  // The operation's own parameter replaces the path's one of the same name and place.
  const unique = [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
  return {
    method,
    path,
    scope,
    query: unique.filter((parameter) => parameter.in === 'query'),
    pathParameters: unique.filter((parameter) => parameter.in === 'path'),
    body: readBody(document, operation, name),
    produces: readProduces(document, operation),
  }
}

/** Any operation may answer with a problem: 401 and 429 at least. */
function judgeResponses(operation: JsonObject, name: string): void {
  const responses = asObject(operation.responses ?? {}, `the responses of ${name}`)
  if (responses.default === undefined) throw new Error(`${name} has no default response, a problem.`)
}

function readBody(document: JsonObject, operation: JsonObject, name: string): Operation['body'] {
  if (operation.requestBody === undefined) return null
  const body = resolve(document, operation.requestBody)
  const content: Record<string, JsonObject> = {}
  for (const [mediaType, value] of Object.entries(asObject(body.content, `the body of ${name}`))) {
    content[mediaType.toLowerCase()] = asObject(asObject(value, mediaType).schema ?? {}, `the body of ${name}`)
  }
  return { required: body.required === true, content }
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
