// Puts a service's routes behind one listener: what every request goes through and in which order. It holds no knowledge of any resource.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Authenticator, Client } from '@wds/access/authenticator'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { connectTimeoutMs, type Pool } from '@wds/postgres/pool'
import { runAs } from '@wds/telemetry/event-loop-delay'
import type { Logger } from '@wds/telemetry/logger'
import { httpMetrics } from '@wds/telemetry/platform-metrics'
import { serverContext } from '@wds/telemetry/spans'
import type { TraceContext } from '@wds/telemetry/trace-context'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { type Admission, type AdmissionOptions, createAdmission, showStanding } from './admission.ts'
import { ClientGone } from './body.ts'
import { callerAt } from './caller.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { messagesOf } from './express-messages.ts'
import { toProblem } from './failure.ts'
import { FairTurns } from './fair-turns.ts'
import { answerCors, linesOf } from './headers.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { compareRoutes, readOpenApi } from './openapi.ts'
import { Problem } from './problem.ts'
import { problemPage } from './problem-page.ts'
import { createQuotaStore } from './quota-store.ts'
import { targetBytesMax } from './raw-answer.ts'
import { createReadOrigin, type ReadOrigin, type RequestOrigin } from './request-origin.ts'
import { createRequestQuotas, type Standing } from './request-quotas.ts'
import { type Exchange, openExchange, send, sendAnswer, sendProblem } from './respond.ts'
import type { Route } from './route.ts'
import { createSchemas } from './schemas.ts'

export interface HttpServiceOptions {
  /** The service's openapi.yaml: every request is judged by it. */
  openapi: URL
  routes: Route[]
  /** Public address without a slash at the end. */
  baseUrl: string
  /** Pool of the HTTP role. */
  pool: Pool
  authenticator: Authenticator
  /** Encrypts stored answers that hold a secret. */
  envelope: EnvelopeEncryption
  logger: Logger
  /** Origins that may read answers in a browser (C85); none unless told. */
  cors?: string[]
  /** Addresses and ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` count (C61); none unless told. */
  trustedProxies?: readonly string[]
  /** Refuses what came over plain HTTP, by what a listed proxy says or the connection itself (C86); off unless told. */
  httpsOnly?: boolean
  /** Quotas of callers, and requests of a workspace at a time (C60 to C62); none unless told. */
  admission?: AdmissionOptions
  /** For tests. */
  limits?: Partial<HttpLimits>
}

export interface RunningHttpService {
  port: number
  /** Lets requests end for `graceMs`, then cuts them. */
  close(o: { graceMs: number }): Promise<void>
}

export interface HttpService {
  listen(o: { host: string; port: number }): Promise<RunningHttpService>
}

/** Compiles the routes. Throws an Error that lists every difference between routes and OpenAPI file. */
export function createHttpService(o: HttpServiceOptions): HttpService {
  const limits = { ...defaultLimits, ...o.limits }
  const baseUrl = o.baseUrl.replace(/\/+$/, '')
  const state = { closing: false }
  const app = createApp({
    ...{ ...o, baseUrl, limits, state },
    readOrigin: createReadOrigin(o.trustedProxies),
    admission: admissionOf(o),
    turns: new FairTurns(o.pool.options.max ?? 10, { waitMs: connectTimeoutMs }),
  })
  const messages = messagesOf(app)
  return {
    listen: async (at) => {
      const server = createListener(app as RequestListener, { baseUrl, logger: o.logger, limits, messages })
      return {
        port: await listen(server, at),
        close: async ({ graceMs }) => {
          state.closing = true
          await closeListener(server, graceMs)
        },
      }
    },
  }
}

/** Without quotas nobody is counted, and no answer speaks of them. */
function admissionOf({ admission, pool, logger }: HttpServiceOptions): Admission {
  const o = admission ?? { requests: 0, windowMs: 1_000, concurrent: Number.POSITIVE_INFINITY }
  if (o.requests === 0) return createAdmission(o, null)
  return createAdmission(o, createRequestQuotas({ ...o, logger, store: createQuotaStore({ ...o, pool }) }))
}

interface AppOptions extends Omit<HttpServiceOptions, 'admission'> {
  admission: Admission
  turns: FairTurns
  limits: HttpLimits
  state: { closing: boolean }
  readOrigin: ReadOrigin
}

/** What a request has gathered on its way, for the answer and the log line. */
interface Passage extends Exchange {
  startedMs: number
  route: string | null
  client: Client | null
  code: string | null
  abort: AbortController
  origin: RequestOrigin
  trace: TraceContext
  /** How the caller stands; null before it was counted. */
  standing: Standing | null
}

const passageOf = (response: Response): Passage => response.locals.passage as Passage

function createApp(o: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').set('etag', false).set('query parser', false).set('trust proxy', false)
  app.enable('case sensitive routing').enable('strict routing')
  const origins = new Set(o.cors ?? [])
  app.use((request, response, next) => {
    begin(request, response, o)
    if (answerCors(request, response, origins)) return
    judgeTarget(request, o.limits)
    // The platform asks for /healthz inside its own network.
    if (o.httpsOnly && !passageOf(response).origin.secure && request.path !== '/healthz') refusePlainHttp()
    next()
  })
  addPublicPages(app)
  addRoutes(app, o)
  app.use(async (_request, response) => {
    await countAddress(passageOf(response), o.admission)
    throw new Problem('not_found', { detail: 'There is no such path.' })
  })
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    fail(passageOf(response), error, { logger: o.logger, next })
  })
  return app
}

/** First of all: what every answer has, and the log line at the end. */
function begin(request: Request, response: Response, o: AppOptions): void {
  const passage: Passage = {
    ...openExchange(request, response, { baseUrl: o.baseUrl, drainMs: o.limits.drainMs }),
    ...{ startedMs: performance.now(), route: null, client: null, code: null, abort: new AbortController() },
    origin: o.readOrigin(request),
    trace: serverContext(request.headers.traceparent as string | undefined),
    standing: null,
    onUnchanged: () => {
      if (passage.standing) showStanding(response, passage.standing.giveBack())
    },
  }
  response.locals.passage = passage
  if (o.state.closing) response.setHeader('Connection', 'close')
  response.on('close', () => {
    if (!response.writableFinished) passage.abort.abort()
    writeLogLine(passage, o.logger)
    measure(passage)
  })
}

function writeLogLine(passage: Passage, logger: Logger): void {
  const { response, client, clientRequestId: own } = passage
  const fields = {
    request_id: passage.requestId,
    trace_id: passage.trace.traceId,
    ...(own === null ? {} : { client_request_id: own }),
    method: passage.request.method,
    // The template, never the target: a query may hold what must not be kept (auth.md B5).
    route: passage.route,
    status: wasAnswered(passage) ? response.statusCode : 0,
    ...(passage.code === null ? {} : { code: passage.code }),
    duration_ms: Math.round(performance.now() - passage.startedMs),
    ...(client ? { workspace_id: client.workspaceId, client_id: client.id } : {}),
  }
  logger.info(fields, 'request')
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

const wasAnswered = ({ response, isSent }: Passage) => response.writableFinished || isSent

function measure(passage: Passage): void {
  const { request, response, route, code, startedMs } = passage
  const { method = '' } = request
  const { statusCode } = response
  httpMetrics.requestDuration.record((performance.now() - startedMs) / 1_000, {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'http.route': route ?? undefined,
    'http.response.status_code': wasAnswered(passage) ? statusCode : undefined,
    'error.type': statusCode >= 500 ? (code ?? String(statusCode)) : undefined,
  })
}

/** What Node's parser lets through but no route should see. */
function judgeTarget(request: IncomingMessage, limits: HttpLimits): void {
  if ((request.url ?? '').length > targetBytesMax) throw new Problem('uri_too_long')
  const bytes = request.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0)
  if (bytes > limits.headerBytesMax) throw new Problem('headers_too_large')
  const hosts = linesOf(request, 'host')
  const hostless = request.httpVersion === '1.0' && hosts.length === 0
  const expects = request.headers.expect
  const understood = expects === undefined || expects.toLowerCase() === '100-continue'
  if ((hosts.length !== 1 && !hostless) || !understood || !request.url?.startsWith('/')) {
    throw new Problem('invalid_request', { headers: { connection: 'close' } })
  }
}

function addPublicPages(app: Express): void {
  const methods = 'GET, HEAD'
  app.route('/healthz').get((_request, response) => {
    const passage = passageOf(response)
    passage.route = '/healthz'
    sendAnswer(passage, { status: 200, body: { status: 'ok' }, cache: 'no-store' })
  })
  app.route('/problems/:code').get((request, response) => {
    const page = problemPage(request.params.code)
    if (page === null) throw new Problem('not_found')
    const passage = passageOf(response)
    passage.route = '/problems/{code}'
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader('Cache-Control', 'public, max-age=300')
    send(passage, 200, page)
  })
  for (const path of ['/healthz', '/problems/:code']) app.all(path, () => refuseMethod(methods))
}

function refusePlainHttp(): never {
  throw new Problem('invalid_request', {
    detail: 'Plain HTTP is not served: use https.',
    headers: { connection: 'close' },
  })
}

function refuseMethod(allow: string): never {
  throw new Problem('method_not_allowed', { headers: { allow } })
}

function addRoutes(app: Express, o: AppOptions): void {
  const { document, operations } = readOpenApi(o.openapi)
  compareRoutes(o.routes, operations)
  const schemas = createSchemas(document)
  const byPath = Map.groupBy(o.routes, (route) => route.path)
  // Literal segments first: /v1/x/mine must not be taken for /v1/x/{id}.
  const paths = [...byPath.keys()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  for (const path of paths) {
    const routes = byPath.get(path) ?? []
    const dispatches = new Map<string, Dispatch>()
    for (const route of routes) {
      const operation = operations.find((entry) => entry.method === route.method && entry.path === path)
      if (operation) dispatches.set(route.method, createDispatch(route, operation, { ...o, schemas }))
    }
    const allow = [...dispatches.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    app.all(path.replaceAll(/\{([^}]+)\}/g, ':$1'), async (request, response) => {
      const passage = passageOf(response)
      passage.route = path
      const dispatch = dispatches.get(request.method === 'HEAD' ? 'GET' : request.method)
      if (!dispatch) {
        await countAddress(passage, o.admission)
        refuseMethod(allow)
      }
      await pass(dispatch, passage, { params: request.params as Record<string, string>, admission: o.admission })
    })
  }
}

const sortKey = (path: string) => path.replaceAll('{', '~')

async function countAddress(passage: Passage, admission: Admission): Promise<void> {
  await admission.count(callerAt(passage.origin.address), passage.response)
}

async function pass(
  dispatch: Dispatch,
  passage: Passage,
  { params, admission }: { params: Record<string, string>; admission: Admission },
): Promise<void> {
  const work = () => ({
    request_id: passage.requestId,
    method: passage.request.method,
    route: passage.route,
    workspace_id: passage.client?.workspaceId,
  })
  const answer = await runAs(work, () =>
    dispatch({
      request: passage.request,
      params: { ...params },
      count: async (caller) => {
        passage.standing = await admission.count(caller, passage.response)
      },
      requestId: passage.requestId,
      remoteAddress: passage.origin.address,
      signal: passage.abort.signal,
      trace: passage.trace,
      onClient: (client) => {
        passage.client = client
        passage.authenticated = true
      },
    }),
  )
  sendAnswer(passage, answer)
}

function fail(passage: Passage, error: unknown, o: { logger: Logger; next: NextFunction }): void {
  const response: ServerResponse = passage.response
  if (error instanceof ClientGone || response.destroyed) {
    response.destroy()
    return
  }
  const problem = isMalformedPath(error) ? new Problem('invalid_request') : toProblem(error)
  passage.code = problem.code
  if (problem.status >= 500) o.logger.error({ request_id: passage.requestId, err: error }, 'a request failed')
  if (response.headersSent) response.destroy()
  else sendProblem(passage, problem)
}

/** The router's own error for a path that is no percent-encoded UTF-8. */
function isMalformedPath(error: unknown): boolean {
  return error instanceof URIError
}
