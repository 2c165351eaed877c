// What subscriptions have besides the routes that follow from their declaration: POST and PATCH, which judge the address before the
// transaction, and the actions. An edit moves the retries that wait, too (settled-points.md 8).
import { mergePatch } from '@wds/aggregate/merge-patch'
import { change, create, loadOr404 } from '@wds/aggregate/resource'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import { endLastBatch, lockFailingLane } from '../lanes/store-parked.ts'
import type { operations, paths, UpdateWebhook } from '../openapi.generated.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import type { SubscriptionCommand, SubscriptionFields } from './domain/subscription.ts'
import { type CheckUrl, judgeFields, lowerCased } from './judge-fields.ts'
import { type MadeSecret, makeSecret } from './make-secret.ts'
import { previewStrict } from './preview-strict.ts'
import { readCondition } from './read-condition.ts'
import { fieldsOf, subscriptions } from './resource.ts'
import { rotateSecret } from './rotate-secret.ts'
import { ownerOf, scopesOfSaver } from './saver.ts'
import { countSubscriptions, insertSecret } from './store.ts'

/** What main gives them. */
export interface SubscriptionRouteOptions {
  envelope: EnvelopeEncryption
  checkUrl: CheckUrl
}

export function subscriptionRoutes(o: SubscriptionRouteOptions): RouteOf<paths>[] {
  const scope = 'webhooks:manage'
  return [
    { method: 'POST', path: '/v1/webhooks', scope, handle: (request) => createWebhook(request, o) },
    { method: 'PATCH', path: '/v1/webhooks/{id}', scope, handle: (request) => updateWebhook(request, o.checkUrl) },
    { method: 'GET', path: '/v1/webhooks/strict-event-scopes', scope, handle: previewStrict },
    { method: 'GET', path: '/v1/webhooks/{id}/condition', scope, handle: readCondition },
    { method: 'POST', path: '/v1/webhooks/{id}/enable', scope, handle: enableWebhook },
    { method: 'POST', path: '/v1/webhooks/{id}/disable', scope, handle: disableWebhook },
    {
      method: 'POST',
      path: '/v1/webhooks/{id}/rotate-secret',
      scope,
      handle: (request) => rotateSecret(request, o.envelope),
    },
  ]
}

/** security.md 5. */
const subscriptionsMax = 50

const defaults = { description: null, headers: {}, filter: null, rate_limit: null, max_in_flight: 8 }

/** 201 with the secret, shown once (domain.md 3.13). After it the next event is delivered. */
async function createWebhook(request: ApiRequest<operations['createWebhook']>, o: SubscriptionRouteOptions) {
  const { workspaceId } = request.client
  let secret: MadeSecret
  return create(
    request,
    subscriptions,
    async () => {
      const { body } = request
      const fields = judgeFields(fieldsFrom(defaults, body), await o.checkUrl(body.url))
      return async (tx): Promise<SubscriptionCommand> => {
        await lockWorkspace(tx, workspaceId)
        const scopes = await scopesOfSaver(tx, request.client, fields.events)
        if ((await countSubscriptions(tx, workspaceId)) >= subscriptionsMax) throw new Problem('limit_reached')
        secret = makeSecret(o.envelope, { workspaceId, version: 1 })
        return { type: 'create', owner: ownerOf(request.client), fields, scopes, secret: secret.mark }
      }
    },
    {
      after: (tx, { id, createdMs }) => insertSecret(tx, { ...secret.rowOf(id), createdMs: createdMs ?? 0 }),
      shownOnce: () => ({ secret: secret.plain }),
    },
  )
}

async function updateWebhook(request: ApiRequest<operations['updateWebhook']>, checkUrl: CheckUrl) {
  const { state } = await request.read((tx) => loadOr404(tx, subscriptions, request.params.id))
  const { body: patch } = request
  // Outside of the transaction: it may ask a name server. The present address was judged when it was saved.
  const checked = patch.url === undefined || patch.url === state.fields?.url ? null : await checkUrl(patch.url)
  return change(request, subscriptions, async (tx, found) => {
    const fields = judgeFields(patched(fieldsOf(found.state), patch), checked)
    return { type: 'update', fields, scopes: await scopesOfSaver(tx, request.client, fields.events) }
  })
}

function patched(fields: SubscriptionFields, patch: UpdateWebhook): SubscriptionFields {
  const headers = patch.headers && lowerCased(patch.headers)
  const members = headers === undefined ? patch : { ...patch, headers }
  return fieldsFrom(fields, mergePatch<object>(fields, members, defaults))
}

/** What a filter holds is judged by `judgeFields`, not by its type. */
function fieldsFrom<F extends object>(fields: F, changed: object): SubscriptionFields {
  return { ...fields, ...changed } as SubscriptionFields & F
}

function enableWebhook(request: ApiRequest<operations['enableWebhook']>) {
  return change(request, subscriptions, async (tx, { id }) => {
    const isEnding = !(await endLastBatch(tx, id))
    return { type: 'enable', isEnding }
  })
}

function disableWebhook(request: ApiRequest<operations['disableWebhook']>) {
  return change(request, subscriptions, async (tx, { id }) => {
    const { failing } = await lockFailingLane(tx, { subscriptionId: id, answered: null })
    return { type: 'disable', reason: 'user', failing }
  })
}
