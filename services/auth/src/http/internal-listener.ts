/**
 * The operator's commands, on a listener of their own that takes one service token and nothing else.
 * It is bound to loopback or a cluster-internal address, never to the public one (auth.md 1.4).
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isScope, type Scope } from '@wds/contracts/scopes'
import type { Logger } from '@wds/telemetry/logger'
import { type Plan, plans } from '../domain/workspace.ts'
import { type CreatedWorkspace, CreateWorkspaceRefused, type CreateWorkspaceRequest } from './create-workspace.ts'

const bodyBytesMax = 64 * 1024

interface InternalListenerOptions {
  token: string
  logger: Logger
  createWorkspace(request: CreateWorkspaceRequest): Promise<CreatedWorkspace>
}

/** What the operator sent, or the reason why it cannot be read. */
type Parsed = { ok: true; request: CreateWorkspaceRequest } | { ok: false; detail: string }

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function answer(response: ServerResponse, status: number, body: object): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, code: string, detail: string): void {
  answer(response, status, { type: 'about:blank', title: code, status, code, detail })
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > bodyBytesMax) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function parseCreateWorkspace(text: string): Parsed {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { ok: false, detail: 'The body is not JSON.' }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { ok: false, detail: 'The body is not an object.' }
  const known = ['name', 'plan', 'key_name', 'scopes']
  const unknown = Object.keys(body).filter((field) => !known.includes(field))
  if (unknown.length > 0) return { ok: false, detail: `Unknown: ${unknown.join(', ')}.` }
  const { name, plan = 'free', key_name: keyName = 'first key', scopes = null } = body as Record<string, unknown>
  if (typeof name !== 'string' || name.length < 1 || name.length > 255)
    return { ok: false, detail: 'name: 1 to 255 characters.' }
  if (!plans.includes(plan as Plan)) return { ok: false, detail: `plan: one of ${plans.join(', ')}.` }
  if (typeof keyName !== 'string' || keyName.length > 255)
    return { ok: false, detail: 'key_name: at most 255 characters.' }
  if (scopes !== null && !(Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => isScope(scope)))) {
    return { ok: false, detail: 'scopes: a list of scope names, not empty.' }
  }
  return { ok: true, request: { name, plan: plan as Plan, keyName, scopes: scopes as Scope[] | null } }
}

async function handle(o: InternalListenerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !timingSafeEqual(digest(token ?? ''), digest(o.token))) {
    return refuse(response, 401, 'invalid_token', 'The service token is missing or wrong.')
  }
  if (request.url !== '/internal/workspaces') return refuse(response, 404, 'not_found', 'No such command.')
  if (request.method !== 'POST') return refuse(response, 405, 'method_not_allowed', 'POST only.')
  const text = await readBody(request)
  if (text === null) return refuse(response, 413, 'payload_too_large', 'At most 64 KiB.')
  const parsed = parseCreateWorkspace(text)
  if (!parsed.ok) return refuse(response, 422, 'validation_failed', parsed.detail)
  const created = await o.createWorkspace(parsed.request)
  answer(response, 201, { workspace_id: created.workspaceId, key_id: created.keyId, api_key: created.apiKey })
}

/** Builds the listener; the caller listens and closes. */
export function createInternalListener(o: InternalListenerOptions): Server {
  return createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    handle(o, request, response).catch((error: unknown) => {
      if (error instanceof CreateWorkspaceRefused) return refuse(response, 422, 'validation_failed', error.message)
      o.logger.error({ err: error }, 'an internal command failed')
      return refuse(response, 503, 'unavailable', 'The command could not be carried out. Try again.')
    })
  })
}
