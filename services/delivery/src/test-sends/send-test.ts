// POST /v1/webhooks/{id}/test: the catalog's example of an event type as a real delivery to this subscription only (domain.md 3.13).
import { randomBytes } from 'node:crypto'
import { execute } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import { serializeEnvelope } from '@wds/contracts/envelope'
import { exampleOf } from '@wds/contracts/event-schemas'
import { type EventType, eventTypes, isEventType, matchesEventPattern } from '@wds/contracts/event-types'
import { makeId } from '@wds/contracts/ids'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest, RouteOf } from '@wds/http-service/route'
import { showDelivery } from '../deliveries/read-delivery.ts'
import { deliveryIdOf } from '../fan-out/compose-turn.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { fieldsOf, subscriptions } from '../subscriptions/resource.ts'
import { ownerOf } from '../subscriptions/saver.ts'
import { countTest, lockWorkspace } from '../workspaces/store.ts'
import { insertTest } from './store.ts'

/** Of a workspace in a minute (security.md 5). */
const testsMax = 10

/** What main gives it. */
export interface TestSendOptions {
  /** WDS_DELIVERY_ATTEMPTS. */
  attemptsMax: number
  /** Wakes the sender of this process after a commit that made something due. */
  onDue(): void
}

export function testSendRoutes(o: TestSendOptions): RouteOf<paths>[] {
  const path = '/v1/webhooks/{id}/test'
  return [{ method: 'POST', path, scope: 'webhooks:manage', handle: (request) => sendTest(request, o) }]
}

async function sendTest(
  request: ApiRequest<operations['testWebhook']>,
  o: TestSendOptions,
): Promise<ApiAnswer<operations['testWebhook']>> {
  const { workspaceId } = request.client
  return request.write(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const loaded = await loadOr404(tx, subscriptions, request.params.id, { lock: true })
    const { id, nowMs } = loaded
    const type = typeToTest(request.body.type, fieldsOf(loaded.state).events)
    const eventId = makeId('evt', nowMs, randomBytes(10))
    const outcome = await execute(tx, subscriptions, {
      context: request.context,
      loaded,
      command: { type: 'test', requestedBy: ownerOf(request.client).type, eventId, eventType: type },
    })
    if (!outcome.ok) throw new Problem('webhook_disabled')
    if (!(await countTest(tx, workspaceId, testsMax))) throw tooManyTests()
    const payload = serializeEnvelope({ ...exampleOf(type), id: eventId, created: new Date(nowMs).toISOString() })
    const deliveryId = deliveryIdOf(eventId, id)
    const { traceparent } = request.context.trace
    await insertTest(tx, { subscriptionId: id, deliveryId, eventId, type, payload, traceparent, createdMs: nowMs })
    const place = { params: { id: deliveryId }, client: request.client }
    const body = await showDelivery(tx, place, o.attemptsMax)
    return { status: 202, body, location: `/v1/deliveries/${deliveryId}`, afterCommit: o.onDue }
  })
}

/** What was asked for, else the first type of the catalog that the first pattern means. */
function typeToTest(asked: string | undefined, [first = '*']: string[]): EventType {
  if (asked !== undefined && !isEventType(asked)) {
    throw problemOfFaults([
      { pointer: '/type', code: 'unknown_event_type', detail: 'The event catalog has no such type.' },
    ])
  }
  const found = asked ?? eventTypes.find(({ type }) => matchesEventPattern(first, type))?.type
  if (found === undefined) throw new Problem('unknown_event_type')
  return found
}

function tooManyTests(): Problem {
  const detail = `A workspace may send ${testsMax} tests in a minute.`
  return new Problem('quota_exceeded', { detail, headers: { 'Retry-After': '60' } })
}
