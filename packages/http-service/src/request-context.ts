// What the kit knows of one request from its first header to its last byte: what the routes add, and the log line and measurement at its end.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Logger } from '@wds/telemetry/logger'
import { httpMetrics } from '@wds/telemetry/platform-metrics'
import { serverContext } from '@wds/telemetry/spans'
import type { TraceContext } from '@wds/telemetry/trace-context'
import type { Request, Response } from 'express'
import { showQuota } from './admission.ts'
import type { HttpLimits } from './limits.ts'
import type { ReadOrigin, RequestOrigin } from './request-origin.ts'
import type { QuotaState } from './request-quotas.ts'
import { type Exchange, openExchange } from './respond.ts'
import type { RequestClient } from './route.ts'

export interface RequestContext extends Exchange {
  startedMs: number
  /** Template of the path; null until one is found. */
  route: string | null
  /** Programs ask for it without a pause. */
  isPolled: boolean
  client: RequestClient | null
  /** Of the problem that it was answered with. */
  code: string | null
  abort: AbortController
  origin: RequestOrigin
  trace: TraceContext
  /** How the caller stands; null before it was counted. */
  standing: QuotaState | null
}

interface ContextOptions {
  baseUrl: string
  limits: HttpLimits
  logger: Logger
  state: { closing: boolean }
  readOrigin: ReadOrigin
}

/** The context that `openContext` gave this response. */
export const contextOf = (response: Response): RequestContext => response.locals.context as RequestContext

/** First of all: what every answer has, and the log line at the end. */
export function openContext(request: Request, response: Response, o: ContextOptions): RequestContext {
  const context: RequestContext = {
    ...openExchange(request, response, { baseUrl: o.baseUrl, drainMs: o.limits.drainMs }),
    startedMs: performance.now(),
    route: null,
    isPolled: false,
    client: null,
    code: null,
    abort: new AbortController(),
    origin: o.readOrigin(request),
    trace: serverContext(request.headers.traceparent as string | undefined),
    standing: null,
    onUnchanged: () => {
      if (context.standing) showQuota(response, context.standing.giveBack())
    },
  }
  response.locals.context = context
  if (o.state.closing) response.setHeader('Connection', 'close')
  response.on('close', () => {
    if (!response.writableFinished) context.abort.abort()
    writeLogLine(context, o.logger)
    measure(context)
  })
  return context
}

function writeLogLine(context: RequestContext, logger: Logger): void {
  const { response, client, clientRequestId: own } = context
  const fields = withoutUndefined<Record<string, unknown>>({
    request_id: context.requestId,
    trace_id: context.trace.traceId,
    client_request_id: own ?? undefined,
    method: context.request.method,
    // The template, never the target: a query may hold what must not be kept (auth.md B5).
    route: context.route,
    status: wasAnswered(context) ? response.statusCode : 0,
    code: context.code ?? undefined,
    duration_ms: Math.round(performance.now() - context.startedMs),
    workspace_id: client?.workspaceId,
    client_id: client?.id,
  })
  const saysNothing = context.isPolled && wasAnswered(context) && response.statusCode < 400
  logger[saysNothing ? 'debug' : 'info'](fields, 'request')
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

const wasAnswered = ({ response, isSent }: RequestContext) => response.writableFinished || isSent

function measure(context: RequestContext): void {
  const { request, response, route, code, startedMs, trace } = context
  const { method = '' } = request
  const { statusCode } = response
  const labels = {
    'http.request.method': knownMethods.has(method) ? method : '_OTHER',
    'http.route': route ?? undefined,
    'http.response.status_code': wasAnswered(context) ? statusCode : undefined,
    'error.type': statusCode >= 500 ? (code ?? String(statusCode)) : undefined,
  }
  httpMetrics.requestDuration.record((performance.now() - startedMs) / 1_000, labels, trace.traceparent)
}
