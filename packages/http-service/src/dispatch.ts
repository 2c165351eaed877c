// Judges one request of a known route in the order of api-conventions.md 3: token and scope, or session and role; query, then the handler, which judges existence before it asks for the body.
import type { IncomingMessage } from 'node:http'
import type { Authenticator } from '@wds/access/authenticator'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Pool } from '@wds/postgres/pool'
import { resumed } from '@wds/telemetry/event-loop-delay'
import type { TraceContext } from '@wds/telemetry/trace-context'
import type { Admission } from './admission.ts'
import { judgeBearer, judgeScope } from './bearer.ts'
import { type BodyRule, hasContent, receiveBody } from './body.ts'
import { callerAt, callerOf } from './caller.ts'
import type { FairTurns } from './fair-turns.ts'
import { linesOf } from './headers.ts'
import { readIdempotencyKey } from './idempotency.ts'
import type { HttpLimits } from './limits.ts'
import type { Operation } from './openapi.ts'
import type { JsonObject } from './openapi-document.ts'
import { Problem } from './problem.ts'
import { createQueryReader, queryOf, type ReadQuery } from './query.ts'
import { createRequest } from './request.ts'
import type { ApiAnswer, BodyKind, RequestClient, Route } from './route.ts'
import type { Schemas, Validate } from './schemas.ts'
import { findSession, hasBearer, judgeSession, type SessionJudge } from './session.ts'

export interface DispatchOptions {
  pool: Pool
  authenticator: Authenticator
  sessions?: SessionJudge | undefined
  envelope: EnvelopeEncryption
  baseUrl: string
  limits: HttpLimits
  schemas: Schemas
  admission: Admission
  turns: FairTurns
}

/** One request on its way through a route. */
export interface Incoming {
  request: IncomingMessage
  params: Record<string, string>
  requestId: string
  /** Of the client, as listed proxies tell. */
  remoteAddress: string
  signal: AbortSignal
  trace: TraceContext
  /** Counts the request for this caller. Throws Problem `quota_exceeded`. */
  count(caller: string): Promise<void>
  /** Called once the token or session was accepted. */
  onClient(client: RequestClient): void
}

export type Dispatch = (incoming: Incoming) => Promise<ApiAnswer>

/** Compiles one route with what the OpenAPI file says of it. */
export function createDispatch(route: Route, operation: Operation, o: DispatchOptions): Dispatch {
  const readQuery = createQueryReader(operation.query, o.schemas)
  const pathValidators = operation.pathParameters.map(({ name, schema }) => [name, o.schemas.compile(schema)] as const)
  const rule = bodyRuleOf(route, operation, o)
  const { pool, turns, envelope } = o
  return async (incoming) => {
    const client = await judgeClient(incoming, route, o)
    const leave = client ? o.admission.enter(client.workspaceId) : null
    try {
      return await judge(incoming, client)
    } finally {
      leave?.()
    }
  }

  async function judge(incoming: Incoming, client: RequestClient | null): Promise<ApiAnswer> {
    const { request, params, requestId, remoteAddress, signal, trace } = incoming
    judgePath(params, pathValidators)
    const query = judgeHead(request, readQuery, { operation, route })
    const idempotencyKey = judgeIdempotencyKey(request, route)
    const body = await receiveBody(request, rule)
    resumed()
    const answer = await handle(route, {
      pool,
      turns,
      envelope,
      requestId,
      remoteAddress,
      params,
      signal,
      trace,
      client,
      right: route.session,
      recentSignIn: route.recentSignIn,
      query,
      body,
      idempotencyKey,
      incoming: request,
      path: pathOf(request.url ?? ''),
    })
    // Also where the handler neither wrote nor looked: a body that is not understood is refused.
    body.judge()
    return answer
  }
}

/** Whoever asks, counted: a client by itself, anybody else by the address (C61, C62). */
async function judgeClient(
  incoming: Incoming,
  { scope = null, session: right }: Route,
  o: Pick<DispatchOptions, 'authenticator' | 'baseUrl' | 'sessions'>,
): Promise<RequestClient | null> {
  const { request, remoteAddress } = incoming
  const asPerson =
    right !== undefined && (scope === null || (!hasBearer(request) && request.headers.cookie !== undefined))
  let judged: { client: RequestClient | null; judge(): void } | null = null
  try {
    if (asPerson) {
      const session = await findSession(request, o.sessions)
      judged = { client: session.client, judge: () => void judgeSession(request, session, right) }
    } else if (scope !== null) {
      const client = await judgeBearer(request, { ...o, remoteAddress })
      judged = { client, judge: () => judgeScope(client, scope) }
    }
  } finally {
    // A refused token counts too, and above the quota it is 429.
    if (!judged?.client) await incoming.count(callerAt(remoteAddress))
  }
  if (judged === null) return null
  const { client } = judged
  if (client) {
    incoming.onClient(client)
    await incoming.count(callerOf(client))
  }
  judged.judge()
  return client
}

async function handle(route: Route, parts: Parameters<typeof createRequest>[0]): Promise<ApiAnswer> {
  const request = createRequest(parts)
  try {
    return await route.handle(request)
  } catch (error) {
    // RFC 9110 13.1.1: nothing is there, so not even `*` matches (C41).
    const missing = error instanceof Problem && error.code === 'not_found'
    if (missing && request.ifMatch === '*' && route.method !== 'GET') throw new Problem('precondition_failed')
    throw error
  }
}

/** The part before the first `?`. */
export function pathOf(target: string): string {
  const at = target.indexOf('?')
  return at < 0 ? target : target.slice(0, at)
}

/** An id that cannot exist answers as one that does not (XT02). */
function judgePath(params: Record<string, string>, validators: (readonly [string, Validate])[]): void {
  for (const value of Object.values(params)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (value.length > 255 || /[\u0000-\u001f\u007f]/.test(value)) throw new Problem('not_found')
  }
  for (const [name, validate] of validators) if (validate(params[name]).length > 0) throw new Problem('not_found')
}

function judgeHead(
  request: IncomingMessage,
  readQuery: ReadQuery,
  { operation, route }: { operation: Operation; route: Route },
): Record<string, unknown> {
  if (!accepts(request.headers.accept, operation.produces)) {
    throw new Problem('not_acceptable', { detail: `This route answers ${operation.produces.join(' or ')}.` })
  }
  const query = readQuery(queryOf(request.url ?? ''))
  if (route.method === 'GET' && hasContent(request)) {
    throw new Problem('invalid_request', { detail: 'A GET request has no body.', headers: { connection: 'close' } })
  }
  return query
}

/** True unless nothing of `types` is acceptable (RFC 9110 12.5.1): the most specific range decides, `q=0` refuses. */
export function accepts(header: string | undefined, types: string[]): boolean {
  // What most clients send goes without a look at its parts.
  if (header === undefined || header === '*/*' || types.includes(header) || header.trim() === '') return true
  const ranges = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2)
    return { range, refused: quality !== undefined && Number(quality) === 0 }
  })
  return types.some((offered) => {
    const type = (offered.split(';', 1)[0] ?? '').trim().toLowerCase()
    const candidates = [type, `${type.split('/', 1)[0]}/*`, '*/*']
    const found = candidates.map((name) => ranges.find(({ range }) => range === name)).find((range) => range)
    return found !== undefined && !found.refused
  })
}

function judgeIdempotencyKey(request: IncomingMessage, route: Route): string | null {
  if (route.method !== 'POST') return null
  const key = readIdempotencyKey(linesOf(request, 'idempotency-key'))
  if (key === null && route.idempotencyKeyRequired) throw new Problem('idempotency_key_required')
  return key
}

function bodyRuleOf(route: Route, operation: Operation, o: DispatchOptions): BodyRule {
  const kind = route.bodyKind ?? defaultKind(route, operation)
  const { limits, schemas } = o
  const content = new Map<string, Validate>()
  if (kind === 'none') content.set('application/json', schemas.compile({ type: 'object', additionalProperties: false }))
  else if (!operation.body) throw new Error(`${route.method} ${route.path} has no requestBody in the OpenAPI file.`)
  else for (const [type, schema] of Object.entries(operation.body.content)) content.set(type, schemas.compile(schema))
  const stream = kind === 'stream'
  return {
    kind,
    content,
    required: kind !== 'none' && operation.body?.required === true,
    bytesMax: route.bodyBytesMax ?? (stream ? limits.streamBytesMax : limits.bodyBytesMax),
    encodings: stream ? (route.contentEncodings ?? []) : [],
    byteParts: kind === 'multipart' ? bytePartsOf(operation) : [],
    deadlineMs: stream ? limits.streamDeadlineMs : limits.requestDeadlineMs,
  }
}

/** The parts whose schema says what bytes they are. */
function bytePartsOf({ body }: Operation): string[] {
  const parts = Object.entries((body?.content['multipart/form-data']?.properties ?? {}) as Record<string, JsonObject>)
  return parts.filter(([, schema]) => schema.contentMediaType !== undefined).map(([name]) => name)
}

function defaultKind(route: Route, operation: Operation): BodyKind {
  if (route.method === 'GET' || route.method === 'DELETE' || !operation.body) return 'none'
  if (operation.body.content['multipart/form-data']) return 'multipart'
  return route.method === 'PATCH' ? 'merge-patch' : 'json'
}
