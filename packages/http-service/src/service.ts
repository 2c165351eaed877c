// Puts a service's routes behind one listener: what every request goes through and in which order. It holds no knowledge of any resource.
import type { RequestListener, ServerResponse } from 'node:http'
import type { Authenticator } from '@wds/access/authenticator'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { connectTimeoutMs, type Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import { type Admission, type AdmissionOptions, createAdmission } from './admission.ts'
import { ClientDisconnected } from './body.ts'
import { pathOf } from './dispatch.ts'
import { cutAnswer } from './end-answer.ts'
import { messagesOf } from './express-messages.ts'
import { toProblem } from './failure.ts'
import { FairTurns } from './fair-turns.ts'
import { setCorsHeaders } from './headers.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { type CertificatePair, closeListener, createListener, listen, renewCertificate } from './listener.ts'
import { shedLoad } from './load-shedding.ts'
import { createMountFinder, type FoundMount, handOver, type Mount } from './mount.ts'
import { Problem } from './problem.ts'
import { addPublicPages } from './public-pages.ts'
import { createQuotaStore } from './quota-store.ts'
import { contextOf, openContext, type RequestContext } from './request-context.ts'
import { createReadOrigin, type ReadOrigin } from './request-origin.ts'
import { createRequestQuotas } from './request-quotas.ts'
import { judgeTarget } from './request-target.ts'
import { send, sendProblem } from './respond.ts'
import type { Route } from './route.ts'
import { addRoutes } from './router.ts'
import { judgeServiceToken } from './service-token.ts'
import type { SessionJudge } from './session.ts'

export interface HttpServiceOptions {
  /** Folder that holds the service's `openapi.yaml`, or one in each of its folders: every request is judged by them. */
  openapi: URL
  routes: Route[]
  /** Paths outside the document; none unless told. They come before routes. */
  mounts?: readonly Mount[]
  /** Public address without a slash at the end. */
  baseUrl: string
  /** Pool of the HTTP role. */
  pool: Pool
  authenticator: Authenticator
  /** Knows signed-in people; without it routes with `session` refuse everybody. */
  sessions?: SessionJudge
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
  /** Serves the routes under `/internal/` instead of all others and the mounts, and those to holders of one of the tokens that hold now alone. */
  internal?: { tokens(): readonly string[] } | undefined
  /** For tests. */
  limits?: Partial<HttpLimits>
}

export interface RunningHttpService {
  port: number
  /** Another pair for connections from now on. Throws for one that TLS cannot use, and where plain HTTP is served. */
  renewCertificate(certificate: CertificatePair): void
  /** Lets requests end for `graceMs`, then cuts them. */
  close(o: { graceMs: number }): Promise<void>
}

export interface HttpService {
  /** `certificate`: serves TLS; plain HTTP unless told. */
  listen(o: { host: string; port: number; certificate?: CertificatePair | undefined }): Promise<RunningHttpService>
}

/** Compiles the routes. Throws an Error that lists every difference between routes and OpenAPI file. */
export function createHttpService(o: HttpServiceOptions): HttpService {
  const limits = { ...defaultLimits, ...o.limits }
  const baseUrl = o.baseUrl.replace(/\/+$/, '')
  const state = { closing: false }
  const readOrigin = createReadOrigin(o.trustedProxies)
  const origins = new Set(o.cors ?? [])
  const findMount = createMountFinder(o.internal ? [] : (o.mounts ?? []))
  const app = createApp({
    ...o,
    baseUrl,
    limits,
    state,
    readOrigin,
    origins,
    findMount,
    admission: admissionOf(o),
    turns: new FairTurns(o.pool.options.max ?? 10, { waitMs: connectTimeoutMs }),
  })
  const messages = messagesOf(app)
  return {
    listen: async (at) => {
      // At least as of 16, so that few connections refuse no burst of a hundred.
      const connections = Math.max(16, o.pool.options.max ?? 10)
      const inWork = { most: 16 * connections, always: 8 * connections }
      const serve = shedLoad(app as RequestListener, {
        baseUrl,
        logger: o.logger,
        limits,
        readOrigin,
        ...inWork,
        setCors: (request, response) =>
          !findMount(pathOf(request.url ?? '')) && setCorsHeaders(request, response, origins),
      })
      const { logger } = o
      const { certificate } = at
      const server = createListener(serve, { baseUrl, logger, limits, readOrigin, messages, certificate })
      return {
        port: await listen(server, at),
        renewCertificate: (renewed) => renewCertificate(server, renewed),
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
  origins: ReadonlySet<string>
  findMount: (path: string) => FoundMount | null
}

function createApp(o: AppOptions): Express {
  const app = express()
  app.disable('x-powered-by').set('etag', false).set('query parser', false).set('trust proxy', false)
  app.enable('case sensitive routing').enable('strict routing')
  const { origins, findMount } = o
  app.use(async (request, response, next) => {
    const context = openContext(request, response, o)
    const mounted = findMount(request.path)
    if (!mounted && setCorsHeaders(request, response, origins)) return send(context, 204, null)
    judgeTarget(request, o.limits)
    if (o.internal) judgeServiceToken(request, o.internal.tokens())
    // The platform asks for /healthz inside its own network.
    if (o.httpsOnly && !context.origin.secure && request.path !== '/healthz') refusePlainHttp()
    if (mounted) await handOver(mounted, context, o)
    else next()
  })
  addPublicPages(app)
  addRoutes(app, o)
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    fail(contextOf(response), error, { logger: o.logger, next })
  })
  return app
}

function refusePlainHttp(): never {
  throw new Problem('invalid_request', {
    detail: 'Plain HTTP is not served: use https.',
    headers: { connection: 'close' },
  })
}

function fail(context: RequestContext, error: unknown, o: { logger: Logger; next: NextFunction }): void {
  const response: ServerResponse = context.response
  if (error instanceof ClientDisconnected || response.destroyed) {
    response.destroy()
    return
  }
  const problem = isMalformedPath(error) ? new Problem('invalid_request') : toProblem(error)
  context.code = problem.code
  if (problem.status >= 500) o.logger.error({ request_id: context.requestId, err: error }, 'request failed')
  if (response.headersSent) cutAnswer(response)
  else sendProblem(context, problem)
}

/** The router's own error for a path that is no percent-encoded UTF-8. */
function isMalformedPath(error: unknown): boolean {
  return error instanceof URIError
}
