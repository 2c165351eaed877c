// What an OpenAPI document must say so that clients made from it ask as the kit understands, and are prepared for its refusals.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { compareRoutes, readOpenApi } from './openapi.ts'
import { readOpenApiDocument } from './openapi-document.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Record<string, object>): URL {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  return pathToFileURL(`${folder}/`)
}

const ok = { '200': { description: 'Done.' } }
const pathOf = (path: string, operation: object) => ({ paths: { [path]: { get: { 'x-scope': 'any', ...operation } } } })
const document = (operation: object) => readOpenApiDocument(write({ 'openapi.yaml': pathOf('/v1/x', operation) }))

test('C06: regression: a list that says nothing of explode would be sent as a name given twice, so it is refused', () => {
  const list = { name: 'status', in: 'query', schema: { type: 'array', items: { type: 'string' } } }
  const reading = (parameter: object) => () =>
    readOpenApi(write({ 'openapi.yaml': pathOf('/v1/x', { responses: ok, parameters: [parameter] }) }))
  expect(reading(list)).toThrow('The list status of GET /v1/x must say explode: false.')
  expect(reading({ ...list, explode: false })().operations).toHaveLength(1)
})

test('a list that filters by other parameters than the file says stops the start', () => {
  const named = (name: string) => ({ name, in: 'query', schema: { type: 'string' } })
  const parameters = ['status', 'tag', 'limit', 'cursor', 'created[gte]'].map(named)
  const { operations } = readOpenApi(write({ 'openapi.yaml': pathOf('/v1/x', { responses: ok, parameters }) }))
  const route = { method: 'GET', path: '/v1/x', scope: 'any', handle: async () => ({ status: 200 }) } as const
  const starting = (filters: string[]) => () => compareRoutes([{ ...route, filters }], operations)
  expect(starting(['status'])).toThrow('GET /v1/x does not filter by tag.')
  expect(starting(['status', 'tag', 'state'])).toThrow(
    'GET /v1/x has the filter state, which is not in the OpenAPI file.',
  )
  expect(starting(['status', 'tag'])).not.toThrow()
  expect(() => compareRoutes([route], operations)).not.toThrow()
})

test('C30, C41: regression: the file says with which headers a request is repeated or conditional, and which are required', () => {
  const headersOf = (method: string, operation: object) => {
    const { paths } = readOpenApiDocument(write({ 'openapi.yaml': { paths: { '/v1/x': { [method]: operation } } } }))
    const { parameters = [] } = (paths['/v1/x']?.[method] ?? {}) as { parameters?: { $ref: string }[] }
    return parameters.map(({ $ref }) => $ref.split('/').at(-1))
  }
  const scope = { 'x-scope': 'any', responses: ok }
  expect(headersOf('get', scope)).toEqual([])
  expect(headersOf('post', { ...scope, 'x-scope': null })).toEqual([])
  expect(headersOf('post', scope)).toEqual(['idempotency_key'])
  expect(headersOf('patch', scope)).toEqual(['if_match'])
  expect(headersOf('post', { ...scope, 'x-if-match': true })).toEqual(['idempotency_key', 'if_match'])
  const required = { 'x-required-headers': ['If-Match', 'Idempotency-Key'] }
  expect(headersOf('post', { ...scope, ...required })).toEqual(['idempotency_key_required', 'if_match_required'])
  expect(() => headersOf('post', { ...scope, 'x-required-headers': ['X-Other'] })).toThrow('names X-Other')
})

test('a route that requires an Idempotency-Key unlike the file stops the start', () => {
  const reading = (operation: object) =>
    readOpenApi(
      write({ 'openapi.yaml': { paths: { '/v1/x': { post: { 'x-scope': 'any', responses: ok, ...operation } } } } }),
    )
  const route = { method: 'POST', path: '/v1/x', scope: 'any', handle: async () => ({ status: 200 }) } as const
  const starting = (operation: object, idempotencyKeyRequired: boolean) => () =>
    compareRoutes([{ ...route, idempotencyKeyRequired }], reading(operation).operations)
  const required = { 'x-required-headers': ['Idempotency-Key'] }
  expect(starting({}, false)).not.toThrow()
  expect(starting(required, true)).not.toThrow()
  expect(starting({}, true)).toThrow('POST /v1/x requires an Idempotency-Key, unlike the OpenAPI file.')
  expect(starting(required, false)).toThrow('POST /v1/x does not require an Idempotency-Key, unlike the OpenAPI file.')
})

test('C81: regression: every operation documents its problems, whatever its file says', () => {
  const problems = { '429': expect.anything(), default: { $ref: '#/components/responses/Problem' } }
  expect(document({ responses: ok }).paths['/v1/x']?.get).toMatchObject({ responses: { ...ok, ...problems } })
  const own = { description: 'A problem of its own.' }
  expect(document({ responses: { ...ok, default: own } }).paths['/v1/x']?.get).toMatchObject({
    responses: { ...problems, default: own },
  })
})

test('C80: an operation asks for a token exactly where it has a scope', () => {
  expect(document({ responses: ok }).paths['/v1/x']?.get).toMatchObject({ security: [{ bearer: [] }] })
  expect(document({ responses: ok, 'x-scope': null }).paths['/v1/x']?.get).toMatchObject({ security: [] })
})

test('C80: an operation asks for a session exactly where it names a right, with the CSRF token where it writes', () => {
  const file = (operation: object) => write({ 'openapi.yaml': { paths: { '/v1/x': operation } } })
  const item = { get: { responses: ok, 'x-session': 'be_member' }, post: { responses: ok, 'x-session': 'manage_keys' } }
  const { paths } = readOpenApiDocument(file(item))
  expect(paths['/v1/x']).toMatchObject({
    get: { security: [{ session: [] }] },
    post: { security: [{ session: [], csrf: [] }] },
  })
  expect(readOpenApi(file(item)).operations).toMatchObject([{ session: 'be_member' }, { session: 'manage_keys' }])
  const both = { get: { responses: ok, 'x-scope': 'any', 'x-session': 'be_member' } }
  expect(readOpenApiDocument(file(both)).paths['/v1/x']?.get).toMatchObject({
    security: [{ bearer: [] }, { session: [] }],
  })
  expect(() => readOpenApi(file({ get: { responses: ok, 'x-session': 'rule_all' } }))).toThrow('no right')
  expect(() => readOpenApi(file({ get: { responses: ok } }))).toThrow('has no x-scope')
})

test('a route with another right than the file stops the start', () => {
  const item = { get: { responses: ok, 'x-session': 'be_member' } }
  const { operations } = readOpenApi(write({ 'openapi.yaml': { paths: { '/v1/x': item } } }))
  const route = { method: 'GET', path: '/v1/x', handle: async () => ({ status: 200 }) } as const
  expect(() => compareRoutes([{ ...route, session: 'manage_keys' }], operations)).toThrow(
    'GET /v1/x has the session manage_keys, in the OpenAPI file be_member',
  )
  expect(() => compareRoutes([{ ...route, session: 'be_member' }], operations)).not.toThrow()
})

test('the files of the concepts are one document, with what all services share', () => {
  const schemas = (name: string) => ({ components: { schemas: { [name]: { type: 'object' } } } })
  const { paths, components } = readOpenApiDocument(
    write({
      'a/openapi.yaml': { ...pathOf('/v1/a', { responses: ok }), ...schemas('A') },
      'b/openapi.yaml': { ...pathOf('/v1/b', { responses: ok }), ...schemas('B') },
      'b/deeper/openapi.yaml': pathOf('/v1/not-looked-for', { responses: ok }),
    }),
  )
  expect(Object.keys(paths)).toEqual(['/v1/a', '/v1/b'])
  expect(Object.keys(components.schemas ?? {})).toEqual(expect.arrayContaining(['A', 'B', 'List', 'Problem']))
})

test.each([
  ['a path', pathOf('/v1/a', { responses: ok }), '/v1/a is described twice'],
  ['a schema', { components: { schemas: { A: {} } } }, 'A is described twice'],
])('%s that two concepts describe is refused', (_, content, message) => {
  const folder = write({ 'a/openapi.yaml': content, 'b/openapi.yaml': content })
  expect(() => readOpenApiDocument(folder)).toThrow(message)
})

test('a schema that all services share is not described again', () => {
  const folder = write({ 'a/openapi.yaml': { components: { schemas: { Problem: {} } } } })
  expect(() => readOpenApiDocument(folder)).toThrow('Problem is described twice')
})
