// Builds what a handler is given out of a judged request, and puts transactions, the idempotency key and retries around its work.
import type { IncomingMessage } from 'node:http'
import type { Right } from '@wds/contracts/roles'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction, TransactionOptions } from '@wds/postgres/transaction'
import type { TraceContext } from '@wds/telemetry/trace-context'
import type { Body } from './body.ts'
import { actorOf } from './console-client.ts'
import { parseEntityTags } from './etag.ts'
import type { FairTurns } from './fair-turns.ts'
import { runIdempotently } from './idempotency.ts'
import { inTurn } from './in-turn.ts'
import { Problem } from './problem.ts'
import type { ApiAnswer, ApiRequest, RequestClient } from './route.ts'
import { judgeRecentSignIn, judgeRoleNow, type SessionClient } from './session.ts'

export interface RequestParts {
  requestId: string
  incoming: IncomingMessage
  remoteAddress: string
  client: RequestClient | null
  /** That a person needs for the route. */
  right?: Right | undefined
  recentSignIn?: boolean | undefined
  params: Record<string, string>
  query: Record<string, unknown>
  /** The path as requested, without the query. */
  path: string
  body: Body
  idempotencyKey: string | null
  signal: AbortSignal
  trace: TraceContext
  pool: Pool
  /** Of the pool. */
  turns: FairTurns
  envelope: EnvelopeEncryption
}

/** The handler's view of a request. Throws Problem `invalid_parameter` for a malformed If-Match. */
export function createRequest(parts: RequestParts): ApiRequest {
  return new JudgedRequest(parts)
}

// A class, since an object with getters of its own takes longer to make than all of the rest.
class JudgedRequest implements ApiRequest {
  readonly requestId: string
  readonly params: ApiRequest['params']
  readonly query: ApiRequest['query']
  readonly stream: ApiRequest['stream']
  readonly contentType: string | null
  readonly contentEncoding: string | null
  readonly ifMatch: ApiRequest['ifMatch']
  readonly signal: AbortSignal
  readonly remoteAddress: string
  readonly #parts: RequestParts
  readonly #anchorMs = Date.now() - performance.now()

  constructor(parts: RequestParts) {
    const { body } = parts
    this.#parts = parts
    this.requestId = parts.requestId
    this.params = parts.params
    this.query = parts.query
    this.stream = body.stream
    this.contentType = body.contentType
    this.contentEncoding = body.contentEncoding
    this.ifMatch = readIfMatch(parts.incoming)
    this.signal = parts.signal
    this.remoteAddress = parts.remoteAddress
  }

  get client(): RequestClient {
    return known(this.#parts.client)
  }

  get session(): SessionClient {
    const { client } = this
    if (client.kind !== 'user') throw new Error('a token has no session')
    return client
  }

  get userAgent(): string | null {
    return this.#parts.incoming.headers['user-agent']?.slice(0, 255) ?? null
  }

  get body(): unknown {
    return this.#parts.body.judge()
  }

  get context(): ApiRequest['context'] {
    const { client } = this
    const { traceparent } = this.#parts.trace
    const origin = { address: this.remoteAddress, userAgent: this.userAgent }
    const { workspaceId } = client
    return { workspaceId, actor: actorOf(client), correlation: this.requestId, trace: { traceparent }, origin }
  }

  now(): number {
    return Math.round(this.#anchorMs + performance.now())
  }

  read<T>(fn: (tx: Transaction) => Promise<T>, o: { snapshot?: boolean } = {}): Promise<T> {
    const isolation = o.snapshot ? ({ isolation: 'repeatable read' } as const) : {}
    return transaction(this.#parts, { readOnly: true, ...isolation }, fn)
  }

  store<T>(fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return transaction(this.#parts, {}, fn)
  }

  write(fn: Parameters<ApiRequest['write']>[0]): Promise<ApiAnswer> {
    return write(this.#parts, fn)
  }
}

/** One transaction in the client's workspace. */
function transaction<T>(
  parts: RequestParts,
  o: Omit<TransactionOptions, 'workspaceId'>,
  fn: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTurn(parts, { ...o, workspaceId: parts.client?.workspaceId ?? null }, fn)
}

function known(client: RequestClient | null): RequestClient {
  if (!client) throw new Error('a route that everybody may call has no client')
  return client
}

function readIfMatch(incoming: IncomingMessage): ApiRequest['ifMatch'] {
  const header = incoming.headers['if-match']
  if (header === undefined) return null
  const tags = parseEntityTags(header)
  if (tags) return tags
  const detail = 'Must be * or a list of entity tags in double quotes.'
  throw new Problem('invalid_parameter', { errors: [{ parameter: 'If-Match', code: 'invalid_parameter', detail }] })
}

async function write(parts: RequestParts, fn: Parameters<ApiRequest['write']>[0]): Promise<ApiAnswer> {
  const { body, client, right, idempotencyKey: key } = parts
  const judged: typeof fn = async (tx) => {
    const answer = await fn(tx)
    // A handler that had no use for the body must not commit beside a bad one.
    body.judge()
    return answer
  }
  const answer = await retryOnConflict(() =>
    transaction(parts, {}, async (tx) => {
      if (client?.kind === 'user' && right !== undefined) await judgeRoleNow(tx, client, right)
      if (client?.kind === 'user' && parts.recentSignIn === true) await judgeRecentSignIn(tx, client)
      if (key === null || client === null) return judged(tx)
      const scope = { workspaceId: client.workspaceId, clientId: client.id, method: 'POST', path: parts.path, key }
      const fingerprint = async () => `${queryText(parts)} ${await body.fingerprint()}`
      return runIdempotently(tx, { scope, envelope: parts.envelope, fingerprint }, judged)
    }),
  )
  answer.afterCommit?.()
  return answer
}

/** The query as it was understood: the order of parameters makes no difference. */
function queryText(parts: RequestParts): string {
  return JSON.stringify(Object.entries(parts.query).sort(([a], [b]) => (a < b ? -1 : 1)))
}
