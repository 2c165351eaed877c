// For tests: the routes over a real listener and the real Postgres. The bearer token names the workspace. It never stands in a running service.

import { randomBytes } from 'node:crypto'
import { routesOf } from '@wds/aggregate/concept'
import { scopes } from '@wds/contracts/scopes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import {
  createEnvelopeEncryption,
  type EnvelopeEncryption,
  type KeyEncryptionKey,
} from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import type { RequestClient } from '@wds/http-service/route'
import { createHttpService, type HttpServiceOptions } from '@wds/http-service/service'
import { createLogger } from '@wds/telemetry/logger'
import { createEngine, type Engine } from './engine.fixture.ts'
import { concepts } from './resources.ts'

/** Members of answers that tests read by name; an answer has only those of its shape. */
export interface AnswerBody {
  id: string
  code: string
  status: string
  epoch: number
  version: number
  matched: number
  opened: number
  started: string | null
  finished: string | null
  description: string | null
  failing_since: string | null
  secret: string
  secrets: object[]
  headers: Record<string, string>
  errors: { pointer: string; code: string }[]
  data: AnswerBody[]
  has_more: boolean
  next_cursor: string | null
}

/** An answer. A body that is not there, as with 204, is an empty object. */
export interface Answer {
  status: number
  etag: string | null
  body: AnswerBody
}

type Client = Exclude<RequestClient, { kind: 'user' }>
type ClientOf<K extends Client['kind']> = Omit<Extract<Client, { kind: K }>, 'workspaceId'>

/** An engine with a listener before it. */
export interface RoutesUnderTest {
  engine: Engine
  /** Of stored secrets. */
  envelope: EnvelopeEncryption
  /** The name by which `call` is made as another client than the key with all scopes. */
  as(workspaceId: string, client: ClientOf<'api_key'> | ClientOf<'client'>): string
  /** `headers`: further ones, names in lower case. */
  call(
    workspaceId: string,
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answer>
  stop(): Promise<void>
}

/** Starts one; `stop` ends the listener and drops the database. */
export async function startRoutes(o: { keys?: KeyEncryptionKey[] } = {}): Promise<RoutesUnderTest> {
  const engine = await createEngine()
  const envelope = createEnvelopeEncryption(o.keys ?? [{ kid: 'k1', key: randomBytes(32) }])
  const id = `key_${'0'.repeat(26)}`
  const clients = new Map<string, Client>()
  const authenticator: HttpServiceOptions['authenticator'] = {
    async authenticate(authorization = '') {
      const [workspaceId = '', as] = authorization.replace('Bearer ', '').split('+')
      const key = { workspaceId, kind: 'api_key' as const, id, scopes: new Set(scopes) }
      const client = as === undefined ? key : clients.get(as)
      return client === undefined
        ? { ok: false, problem: 'invalid_token' }
        : { ok: true, client: { ...client, workspaceId } }
    },
  }
  const service = createHttpService({
    openapi: new URL('./', import.meta.url),
    routes: routesOf(concepts, {
      cursors: createCursors([randomBytes(32)]),
      envelope,
      checkUrl: async (url) => (url.startsWith('https://') ? { ok: true, value: url } : { ok: false, error: 'scheme' }),
      attemptsMax: 6,
      onDue: () => undefined,
    }),
    baseUrl: 'http://127.0.0.1',
    pool: engine.http,
    authenticator,
    envelope,
    logger: createLogger({ service: 'test', level: 'error' }),
  })
  const listener = await service.listen({ host: '127.0.0.1', port: 0 })
  return {
    engine,
    envelope,
    as(workspaceId, client) {
      const name = String(clients.size)
      clients.set(name, { ...client, workspaceId } as Client)
      return `${workspaceId}+${name}`
    },
    async call(workspaceId, method, path, body, headers = {}) {
      const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
        method,
        headers: withoutUndefined<Record<string, string>>({
          authorization: `Bearer ${workspaceId}`,
          'content-type': body ? 'application/json' : undefined,
          ...headers,
        }),
        body: body ? JSON.stringify(body) : null,
      })
      const text = await response.text()
      return {
        status: response.status,
        etag: response.headers.get('etag'),
        body: text === '' ? {} : JSON.parse(text),
      }
    },
    async stop() {
      await listener.close({ graceMs: 0 })
      await engine.stop()
    },
  }
}
