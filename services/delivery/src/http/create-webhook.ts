// POST /v1/webhooks: 201 with the secret, shown once (domain.md 3.13). After it the next event is delivered.
import { randomBytes } from 'node:crypto'
import { makeId } from '@wds/contracts/ids'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { generateSecret } from '@wds/webhook-signature/secret'
import type { SubscriptionFields } from '../domain/subscription.ts'
import { insertSecret, secretColumn } from '../store/subscription-secrets.ts'
import { changeSubscription } from '../store/subscription-stream.ts'
import { countSubscriptions, readSubscription, type SubscriptionRow } from '../store/subscriptions.ts'
import { lockWorkspace } from '../store/workspaces.ts'
import { toApiSubscription } from './api-shapes.ts'
import type { RouteOptions } from './route-options.ts'
import { judgeFields } from './subscription-fields.ts'

/** security.md 5. */
const subscriptionsMax = 50

export async function createWebhook(request: ApiRequest, o: RouteOptions): Promise<ApiAnswer> {
  const body = request.body as Partial<SubscriptionFields> & { url: string; events: string[] }
  const fields = await judgeFields(
    {
      url: body.url,
      events: body.events,
      description: body.description ?? null,
      headers: body.headers ?? {},
      rate_limit: body.rate_limit ?? null,
      max_in_flight: body.max_in_flight ?? 8,
    },
    { checkUrl: o.checkUrl },
  )
  return request.write(async (tx) => {
    const { workspaceId } = request.client
    await lockWorkspace(tx, workspaceId)
    if ((await countSubscriptions(tx, workspaceId)) >= subscriptionsMax) throw new Problem('limit_reached')
    const id = makeId('whk', request.now(), randomBytes(10))
    const owner = { type: request.client.kind, id: request.client.id }
    const secret = generateSecret(randomBytes(24))
    const mark = { hint: secret.slice(-4), version: 1 }
    const outcome = await changeSubscription(tx, {
      context: request.context,
      id,
      command: { type: 'CreateSubscription', owner, fields, secret: mark },
    })
    if (!outcome.ok) throw new Error(`a new subscription was refused: ${outcome.rejection.code}`)
    // The row's name in the envelope is the subscription and the secret's number, so no ciphertext can be moved.
    const secretId = `${id}.1`
    const ciphertext = o.envelope.encrypt(secret, { workspaceId, rowId: secretId, ...secretColumn })
    await insertSecret(tx, {
      subscriptionId: id,
      secretId,
      version: mark.version,
      ciphertext,
      hint: mark.hint,
      created: outcome.created as string,
    })
    const row = (await readSubscription(tx, workspaceId, id)) as SubscriptionRow
    return {
      status: 201,
      body: toApiSubscription(row, secret),
      location: `/v1/webhooks/${id}`,
      version: row.version,
      holdsSecret: true,
    }
  })
}
