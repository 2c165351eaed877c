// The types of a handler follow from those of its operation: each planted fault below must be one for `tsc`, which refuses a
// `@ts-expect-error` above a line without one.
import { expect, test } from '@jest/globals'
import type { ApiAnswer, Handle, RouteOf } from './route.ts'

interface Problems {
  default: { headers: object; content: { 'application/problem+json': object } }
}
interface Widget {
  object: 'widget'
  name: string
}
interface Operations {
  listWidgets: {
    parameters: { query: { limit: number; cursor?: string }; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: { 200: { headers: object; content: { 'application/json': { data: Widget[] } } } } & Problems
  }
  createWidget: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never }
    requestBody: { content: { 'application/json': { name: string; colour?: 'red' } } }
    responses: { 201: { headers: object; content: { 'application/json': Widget } } } & Problems
  }
  testWidget: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }
    requestBody?: { content: { 'application/json': { seconds: number } } }
    responses: { 200: { headers: object; content: { 'application/x-ndjson': string } } } & Problems
  }
  deleteWidget: {
    parameters: { query?: never; header?: never; path: { id: string }; cookie?: never }
    requestBody?: never
    responses: { 204: { headers: object; content?: never } } & Problems
  }
}
interface Paths {
  '/v1/widgets': { get: Operations['listWidgets']; post: Operations['createWidget']; put?: never }
  '/v1/widgets/{id}': { get?: never; delete: Operations['deleteWidget'] }
  '/v1/widgets/{id}/test': { post: Operations['testWidget'] }
}

const list: Handle<Operations['listWidgets']> = async ({ query, body, params }) => {
  const limit: number = query.limit
  // @ts-expect-error: it may be absent
  const cursor: string = query.cursor
  // @ts-expect-error: the operation has no such parameter
  const { order } = query
  // @ts-expect-error: the operation has no body
  const { name } = body
  // @ts-expect-error: the path has no parameter
  const { id } = params
  return { status: 200, body: { data: [{ object: 'widget', name: [limit, cursor, order, name, id].join() }] } }
}

const create: Handle<Operations['createWidget']> = async (request) => {
  const { name, colour } = request.body
  // @ts-expect-error: it has another type
  const wrong: number = name
  return request.write(async () => ({
    status: 201,
    body: { object: 'widget', name: `${colour} ${name} ${wrong}` },
    version: 1,
  }))
}

type Created = ApiAnswer<Operations['createWidget']>
const answers: Created[] = [
  { status: 201, body: { object: 'widget', name: 'a' }, location: '/v1/widgets/1' },
  // @ts-expect-error: a required member is missing
  { status: 201, body: { object: 'widget' } },
  // @ts-expect-error: the member is not described
  { status: 201, body: { object: 'widget', name: 'a', colour: 'red' } },
  // @ts-expect-error: it is another word
  { status: 201, body: { object: 'gadget', name: 'a' } },
  // @ts-expect-error: the operation has no such status
  { status: 200, body: { object: 'widget', name: 'a' } },
  // @ts-expect-error: the answer has a body
  { status: 201 },
]

const run: Handle<Operations['testWidget']> = async ({ params, body }) => {
  // @ts-expect-error: a body that may be left out may be without it
  const seconds: number = body.seconds
  return { status: 200, bytes: Buffer.from(`${params.id} ${seconds}`) }
}
// @ts-expect-error: the answer is no JSON
const runAsJson: Handle<Operations['testWidget']> = async () => ({ status: 200, body: {} })

const remove: Handle<Operations['deleteWidget']> = async () => ({ status: 204 })

const routes: RouteOf<Paths>[] = [
  { method: 'GET', path: '/v1/widgets', scope: null, handle: list },
  { method: 'POST', path: '/v1/widgets', scope: null, handle: create },
  { method: 'DELETE', path: '/v1/widgets/{id}', scope: null, handle: remove },
  { method: 'POST', path: '/v1/widgets/{id}/test', scope: null, handle: run },
]
const faults: RouteOf<Paths>[] = [
  // @ts-expect-error: the handler is that of another operation
  { method: 'GET', path: '/v1/widgets', scope: null, handle: create },
  // @ts-expect-error: there is no such path
  { method: 'GET', path: '/v1/widget', scope: null, handle: list },
  // @ts-expect-error: the path has no such method
  { method: 'GET', path: '/v1/widgets/{id}', scope: null, handle: list },
]

test('handlers are typed by their operations', () => {
  expect(routes).toHaveLength(new Set(Object.values({ list, create, run, remove })).size)
  expect([faults, answers, [runAsJson]].map((planted) => planted.length)).toEqual([3, 6, 1])
})
