// What keys have besides the routes that follow from their declaration: making and rotating one, whose answers show the key once.
import { change } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { createKey, makeKeyText } from './create-key.ts'
import { apiKeySettings, judgeCidrs, toApiKey, toProblem } from './resource.ts'

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

const rotateKey: Handle<operations['rotateApiKey']> = (request) => {
  let made: ReturnType<typeof makeKeyText>
  return change(
    request,
    apiKeySettings,
    (_tx, { nowMs }) => {
      const { overlap_hours = 24 } = request.body
      made = makeKeyText()
      return { type: 'rotate', text: made.text, overlapMs: overlap_hours * hourMs, nowMs }
    },
    { shownOnce: () => ({ api_key: made.apiKey }) },
  )
}
