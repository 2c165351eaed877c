// What keys have besides the routes that follow from their declaration: making and rotating one, whose answers show the key once.
import { execute } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import { requireMatch } from '@wds/http-service/conditional'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { apiKeys } from './aggregate.ts'
import { createKey, makeKeyText } from './create-key.ts'
import { judgeCidrs, toApiKey, toProblem } from './resource.ts'
import { readUses } from './store-uses.ts'

const session = 'manage_keys'
const dayMs = 86_400_000
const hourMs = 3_600_000

export function apiKeyRoutes(): RouteOf<paths>[] {
  return [
    { method: 'POST', path: '/v1/api-keys', session, handle: makeKey },
    { method: 'POST', path: '/v1/api-keys/{id}/rotate', session, handle: rotateKey },
  ]
}

const makeKey: Handle<operations['createApiKey']> = (request) => {
  const { name, scopes, cidrs = [], expires_in_days: days } = request.body
  judgeCidrs(cidrs)
  return request.write(async (tx) => {
    const nowMs = await dbNow(tx)
    const expires = days === null ? null : new Date(nowMs + days * dayMs).toISOString()
    const key = { name, scopes, cidrs, expires, creator: request.client.id }
    const made = await createKey(tx, { context: request.context, nowMs, key })
    if (!made.ok) throw toProblem(made.error)
    const { id, version } = made.value
    const body = { ...toApiKey(made.value), api_key: made.apiKey }
    return { status: 201, body, version, location: `/v1/api-keys/${id}`, holdsSecret: true }
  })
}

const rotateKey: Handle<operations['rotateApiKey']> = (request) =>
  request.write(async (tx) => {
    const loaded = await loadOr404(tx, apiKeys, request.params.id, { lock: true })
    requireMatch(request, loaded.version)
    const { overlap_hours = 24 } = request.body
    const { apiKey, text } = makeKeyText()
    const command = { type: 'rotate', text, overlapMs: overlap_hours * hourMs, nowMs: loaded.nowMs } as const
    const outcome = await execute(tx, apiKeys, { context: request.context, loaded, command })
    if (!outcome.ok) throw toProblem(outcome.error)
    const { id, version } = outcome.value
    const uses = await readUses(tx, [id])
    const body = { ...toApiKey(outcome.value, uses.get(id)), api_key: apiKey }
    return { status: 200, body, version, holdsSecret: true }
  })
