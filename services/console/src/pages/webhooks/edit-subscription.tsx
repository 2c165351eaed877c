// The fields of a subscription that exists.
import { api } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { EditForm } from '../../components/form.tsx'
import { useEdit } from '../../edit.ts'
import { draftOfWebhook, fieldsOfWebhook } from '../../view-models/webhook-draft.ts'
import type { Webhook } from './webhook.ts'
import { WebhookFields } from './webhook-fields.tsx'

export function EditSubscription({ webhook, etag }: { webhook: Webhook; etag: string | null }) {
  const form = useEdit({
    resource: webhook,
    etag,
    draftOf: draftOfWebhook,
    fieldsOf: fieldsOfWebhook,
    send: (body, version) => api.patch('/v1/webhooks/{id}', { path: { id: webhook.id }, body, ...version }),
    invalidates: ['/v1/webhooks'],
  })
  return (
    <EditForm form={form} beside={<CurlView method="patch" path={`/v1/webhooks/${webhook.id}`} body={form.patch} />}>
      <WebhookFields draft={form.draft} onChange={form.setDraft} error={form.error} />
    </EditForm>
  )
}
