// For tests: the routes over a real listener and the real Postgres. The bearer token names the workspace. It never stands in a running service.
import { randomBytes } from 'node:crypto'
import { scopes } from '@wds/contracts/scopes'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import { createLogger } from '@wds/telemetry/logger'
import { createEngine, type Engine } from '../store/engine-fixture.ts'
import { routesOf } from './routes.ts'

/** Members of answers that tests read by name; an answer has only those of its shape. */
export interface AnswerBody {
  id: string
  code: string
  status: string
  epoch: number
  version: number
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

/** An engine with a listener before it. */
export interface RoutesUnderTest {
  engine: Engine
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
export async function startRoutes(): Promise<RoutesUnderTest> {
  const engine = await createEngine()
  const envelope = createEnvelopeEncryption([{ kid: 'k1', key: randomBytes(32) }])
  const id = `key_${'0'.repeat(26)}`
  const authenticator = {
    authenticate: (authorization: string | undefined) => ({
      ok: true as const,
      client: {
        workspaceId: (authorization ?? '').replace('Bearer ', ''),
        kind: 'api_key' as const,
        id,
        scopes: new Set(scopes),
      },
    }),
  }
  const service = createHttpService({
    openapi: new URL('../../openapi.yaml', import.meta.url),
    routes: routesOf({
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
    async call(workspaceId, method, path, body, headers = {}) {
      const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${workspaceId}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
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
