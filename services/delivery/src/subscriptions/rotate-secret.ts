// POST /v1/webhooks/{id}/rotate-secret: a new signing secret; the old ones stay live until the overlap is over (settled-points.md 12).
import { executeOrFail } from '@wds/aggregate/aggregate'
import { answerOf, loadOr404 } from '@wds/aggregate/resource'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { requireMatch } from '@wds/http-service/conditional'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { signaturesMax } from './domain/subscription.ts'
import { makeSecret } from './make-secret.ts'
import { subscriptions } from './resource.ts'
import { endSecrets, insertSecret } from './store.ts'

const defaultOverlapSeconds = 86_400

export async function rotateSecret(
  request: ApiRequest<operations['rotateWebhookSecret']>,
  envelope: EnvelopeEncryption,
): Promise<ApiAnswer<operations['rotateWebhookSecret']>> {
  const { workspaceId } = request.client
  return request.write(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const loaded = await loadOr404(tx, subscriptions, request.params.id, { lock: true })
    requireMatch(request, loaded.version)
    const { id, nowMs, state } = loaded
    const endsMs = nowMs + (request.body.overlap_seconds ?? defaultOverlapSeconds) * 1_000
    const live = await endSecrets(tx, { subscriptionId: id, endsMs, nowMs })
    if (live >= signaturesMax) throw new Problem('limit_reached', { detail: tooManyLive })
    const secret = makeSecret(envelope, { workspaceId, version: (state.secrets[0]?.version ?? 0) + 1 })
    const rotated = await executeOrFail(tx, subscriptions, {
      context: request.context,
      loaded,
      command: { type: 'rotate_secret', secret: secret.mark, previousExpires: new Date(endsMs).toISOString() },
    })
    await insertSecret(tx, { ...secret.rowOf(id), createdMs: rotated.updatedMs ?? nowMs })
    const shown = await answerOf(tx, subscriptions, rotated)
    return { ...shown, body: { ...shown.body, secret: secret.plain }, holdsSecret: true }
  })
}

const tooManyLive = `At most ${signaturesMax} secrets are live at once. Wait until the overlap of one is over, or rotate with overlap_seconds 0.`
