// Handlers outside the OpenAPI document: pages, forms and protocol endpoints. They run behind the same listener as routes, with the same
// bounds, request id, log line and security headers; no CORS header is ever added to their answers (auth.md T32).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runAs } from '@wds/telemetry/event-loop-delay'
import type { Admission } from './admission.ts'
import { hasContent, readBytes } from './body.ts'
import { callerAt } from './caller.ts'
import type { FairTurns } from './fair-turns.ts'
import { inTurn } from './in-turn.ts'
import type { HttpLimits } from './limits.ts'
import { Problem } from './problem.ts'
import type { RequestContext } from './request-context.ts'

/** What a handler is given beside request and response; `send` and `sendProblem` of `respond` take it. */
export interface MountExchange extends RequestContext {
  /** Parameters of the path, as requested: not decoded, at most 255 characters. */
  params: Readonly<Record<string, string>>
  /** The whole body. Throws Problem `payload_too_large` over `bytesMax`, `request_timeout`, and ClientDisconnected. */
  readBody(o: { bytesMax: number }): Promise<Buffer>
  /** Counts the request for the quota of its address, for a mount that does not always. Throws Problem `quota_exceeded`. */
  countAddress(): Promise<void>
  /**
   * One transaction in a workspace that the handler knows by other means than a token. It waits its turn for a connection, and counts
   * among the requests of the workspace that are worked on; above their number it throws Problem `quota_exceeded`.
   */
  inWorkspace<T>(workspaceId: string, fn: (tx: Transaction) => Promise<T>): Promise<T>
}

/** One path outside the OpenAPI document. What the handler throws is answered as a problem. */
export interface Mount {
  /** Template as in OpenAPI: `/oauth/consent/{uid}`; a parameter is one segment. */
  path: string
  /** All others are 405 with these in `Allow`. */
  methods: readonly string[]
  /** Left out: a request counts for the quota of its address (C62). `own`: the handler has limits of its own. */
  quota?: 'own'
  handle(request: IncomingMessage, response: ServerResponse, exchange: MountExchange): Promise<void>
}

/** A mount that takes a path. */
export interface FoundMount {
  mount: Mount
  params: Readonly<Record<string, string>>
}

/** Finds the mount of a path (without its query), null when there is none. The first that fits is taken. */
export function createMountFinder(mounts: readonly Mount[]): (path: string) => FoundMount | null {
  const templates = mounts.map((mount) => ({ mount, segments: mount.path.split('/') }))
  return (path) => {
    const segments = path.split('/')
    for (const { mount, segments: template } of templates) {
      const params = template.length === segments.length ? match(template, segments) : null
      if (params) return { mount, params }
    }
    return null
  }
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [at, part] of template.entries()) {
    const given = segments[at] ?? ''
    if (!part.startsWith('{')) {
      if (part !== given) return null
    } else if (given === '' || given.length > 255) return null
    else params[part.slice(1, -1)] = given
  }
  return params
}

/** Judges method and quota, then hands the request over. */
export async function handOver(
  { mount, params }: FoundMount,
  context: RequestContext,
  o: { admission: Admission; limits: HttpLimits; pool: Pool; turns: FairTurns },
): Promise<void> {
  const { request, response, requestId } = context
  context.route = mount.path
  const countAddress = async () => {
    context.standing = await o.admission.count(callerAt(context.origin.address), response)
  }
  if (mount.quota !== 'own') await countAddress()
  if (!mount.methods.includes(request.method ?? '')) {
    throw new Problem('method_not_allowed', { headers: { allow: mount.methods.join(', ') } })
  }
  const readBody = async ({ bytesMax }: { bytesMax: number }) => {
    if (!hasContent(request)) return Buffer.alloc(0)
    const bytes = await readBytes(request, { bytesMax, deadlineMs: o.limits.requestDeadlineMs })
    if (bytes instanceof Problem) throw bytes
    return bytes
  }
  const inWorkspace: MountExchange['inWorkspace'] = async (workspaceId, fn) => {
    const leave = o.admission.enter(workspaceId)
    try {
      return await inTurn(o, { workspaceId }, fn)
    } finally {
      leave()
    }
  }
  const work = () => ({ request_id: requestId, method: request.method, route: mount.path })
  const exchange = Object.assign(context, { params, readBody, countAddress, inWorkspace })
  await runAs(work, () => mount.handle(request, response, exchange))
}
