// A new subscription: what it is, then its secret once, with what a receiver needs to verify it.
import { useState } from 'react'
import { api } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { Form } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useFilters } from '../../filters.ts'
import { useCommand } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { upTo } from '../../view-models/filters.ts'
import { emptyDraft, fieldsOfWebhook, type WebhookDraft } from '../../view-models/webhook-draft.ts'
import { VerifySnippets } from './verify-snippets.tsx'
import { WebhookFields } from './webhook-fields.tsx'

const rules = { event: upTo(100) }

export function NewWebhookPage() {
  const openPage = useOpenPage()
  const { values } = useFilters(rules)
  const [draft, setDraft] = useState<WebhookDraft>(() => ({
    ...emptyDraft,
    events: values.event === undefined ? [] : [values.event],
  }))
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const body = fieldsOfWebhook(draft)
  const create = useCommand(
    (input: ReturnType<typeof fieldsOfWebhook>, { idempotencyKey }) =>
      api.post('/v1/webhooks', { body: input, idempotencyKey }),
    {
      invalidates: ['/v1/webhooks'],
      onDone: ({ data }) => setMade({ id: data.id, secret: data.secret ?? '' }),
    },
  )
  const error = stillWrong(create.error, create.sent, body)
  const done = () => {
    const id = made?.id ?? ''
    // The answer holds the secret: nothing keeps it behind the dialog.
    setMade(null)
    create.reset()
    openPage(`webhooks/${id}`)
  }
  return (
    <Page title={words.create} above={<RouteLink to="webhooks">{texts.nav.webhooks}</RouteLink>}>
      <Form
        onSubmit={() => create.run(body)}
        submit={words.create}
        isRunning={create.isRunning}
        error={error}
        beside={<CurlView method="post" path="/v1/webhooks" body={body} />}
      >
        <WebhookFields draft={draft} onChange={setDraft} error={error} />
      </Form>
      <SecretOnce secret={made?.secret ?? null} title={words.secretTitle} what={words.secret} onDone={done}>
        <VerifySnippets />
      </SecretOnce>
    </Page>
  )
}
