// POST /v1/webhooks/{id}/rotate-secret: a new signing secret; the old ones stay live until the overlap is over (settled-points.md 12).
import { change } from '@wds/aggregate/resource'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { signaturesMax } from './domain/subscription.ts'
import { type MadeSecret, makeSecret } from './make-secret.ts'
import { subscriptions } from './resource.ts'
import { endSecrets, insertSecret } from './store.ts'

const defaultOverlapSeconds = 86_400

export function rotateSecret(request: ApiRequest<operations['rotateWebhookSecret']>, envelope: EnvelopeEncryption) {
  const { workspaceId } = request.client
  let secret: MadeSecret
  return change(
    request,
    subscriptions,
    async (tx, { id, nowMs, state }) => {
      const endsMs = nowMs + (request.body.overlap_seconds ?? defaultOverlapSeconds) * 1_000
      const live = await endSecrets(tx, { subscriptionId: id, endsMs, nowMs })
      if (live >= signaturesMax) throw new Problem('limit_reached', { detail: tooManyLive })
      secret = makeSecret(envelope, { workspaceId, version: (state.secrets[0]?.version ?? 0) + 1 })
      return { type: 'rotate_secret', secret: secret.mark, previousExpires: new Date(endsMs).toISOString() }
    },
    {
      after: (tx, { id, updatedMs, nowMs }) => insertSecret(tx, { ...secret.rowOf(id), createdMs: updatedMs ?? nowMs }),
      shownOnce: () => ({ secret: secret.plain }),
    },
  )
}

const tooManyLive = `At most ${signaturesMax} secrets are live at once. Wait until the overlap of one is over, or rotate with overlap_seconds 0.`
