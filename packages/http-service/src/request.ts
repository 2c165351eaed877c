// Builds what a handler is given out of a judged request, and puts transactions, the idempotency key and retries around its work.
import type { IncomingMessage } from 'node:http'
import type { Client } from '@wds/access/authenticator'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { withSharedTransaction } from '@wds/postgres/shared-transaction'
import { type Transaction, type TransactionOptions, withTransaction } from '@wds/postgres/transaction'
import type { TraceContext } from '@wds/telemetry/trace-context'
import type { Body } from './body.ts'
import { parseEntityTags } from './etag.ts'
import type { FairTurns } from './fair-turns.ts'
import { runIdempotently } from './idempotency.ts'
import { Problem } from './problem.ts'
import type { ApiAnswer, ApiRequest } from './route.ts'

export interface RequestParts {
  requestId: string
  incoming: IncomingMessage
  client: Client | null
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

// The work on a larger body takes long enough for others to mind.
const sharedBytesMax = 16_384

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
  }

  get client(): Client {
    return known(this.#parts.client)
  }

  get body(): unknown {
    return this.#parts.body.judge()
  }

  get context(): ApiRequest['context'] {
    const { workspaceId, kind, id } = this.client
    const { traceparent } = this.#parts.trace
    return { workspaceId, actor: { type: kind, id }, correlation: this.requestId, trace: { traceparent } }
  }

  now(): number {
    return Math.round(this.#anchorMs + performance.now())
  }

  read<T>(fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return ownTransaction(this.#parts, { readOnly: true }, fn)
  }

  store<T>(fn: (tx: Transaction) => Promise<T>): Promise<T> {
    return ownTransaction(this.#parts, {}, fn)
  }

  write(fn: Parameters<ApiRequest['write']>[0]): Promise<ApiAnswer> {
    return write(this.#parts, fn, ownTransaction)
  }

  change(fn: Parameters<ApiRequest['change']>[0]): Promise<ApiAnswer> {
    return change(this.#parts, fn)
  }
}

type InTransaction = <T>(
  parts: RequestParts,
  o: Omit<TransactionOptions, 'workspaceId'>,
  fn: (tx: Transaction) => Promise<T>,
) => Promise<T>

/** On a connection of its own, for which the workspace waits its turn. */
const ownTransaction: InTransaction = ({ pool, turns, client }, o, fn) => {
  const workspaceId = client?.workspaceId ?? null
  return turns.run(workspaceId ?? '', () => withTransaction(pool, { ...o, workspaceId }, fn))
}

const sharedTransaction: InTransaction = ({ pool, client }, _, fn) =>
  withSharedTransaction(pool, { workspaceId: client?.workspaceId ?? null }, fn)

function known(client: Client | null): Client {
  if (!client) throw new Error('a route with scope null has no client')
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

async function write(
  parts: RequestParts,
  fn: Parameters<ApiRequest['write']>[0],
  inTransaction: InTransaction,
): Promise<ApiAnswer> {
  const { body, client, idempotencyKey: key } = parts
  const judged: typeof fn = async (tx) => {
    const answer = await fn(tx)
    // A handler that had no use for the body must not commit beside a bad one.
    body.judge()
    return answer
  }
  let run = inTransaction
  const answer = await retryOnConflict(() => {
    const tried = run
    run = ownTransaction
    return tried(parts, {}, (tx) => {
      if (key === null || client === null) return judged(tx)
      const scope = { workspaceId: client.workspaceId, clientId: client.id, method: 'POST', path: parts.path, key }
      const fingerprint = async () => `${queryText(parts)} ${await body.fingerprint()}`
      return runIdempotently(tx, { scope, envelope: parts.envelope, fingerprint }, judged)
    })
  })
  answer.afterCommit?.()
  return answer
}

function change(parts: RequestParts, fn: Parameters<ApiRequest['change']>[0]): Promise<ApiAnswer> {
  if (parts.body.size > sharedBytesMax) return write(parts, fn, ownTransaction)
  try {
    // Now, since others wait for what is done in the transaction.
    parts.body.judge()
  } catch {
    // What is wrong with it is told where the handler asks for it: 404 goes before 422.
  }
  return write(parts, fn, sharedTransaction)
}

/** The query as it was understood: the order of parameters makes no difference. */
function queryText(parts: RequestParts): string {
  return JSON.stringify(Object.entries(parts.query).sort(([a], [b]) => (a < b ? -1 : 1)))
}
