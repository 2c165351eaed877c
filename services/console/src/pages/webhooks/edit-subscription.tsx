// The fields of a subscription, saved only over the version that was looked at: what somebody else saved meanwhile is shown beside.
import { isProblem } from '@wds/api-client/problem'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { announce } from '../../components/live-region.tsx'
import { VersionConflict } from '../../components/version-conflict.tsx'
import { useCommand } from '../../queries.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import { draftOf, fieldsOf, patchOf } from '../../view-models/webhook-draft.ts'
import type { Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

interface Write {
  patch: Record<string, unknown>
  ifMatch: string | null
}

export function EditSubscription({ webhook, etag }: { webhook: Webhook; etag: string | null }) {
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef({ draft: draftOf(webhook), etag })
  const [draft, setDraft] = useState(opened.current.draft)
  const path = { id: webhook.id }
  const save = useCommand(
    ({ patch, ifMatch }: Write) =>
      api.patch('/v1/webhooks/{id}', { path, body: patch, ...(ifMatch === null ? {} : { ifMatch }) }),
    {
      invalidates: ['/v1/webhooks'],
      onDone: ({ data, etag: next }) => {
        opened.current = { draft: draftOf(data), etag: next }
        setDraft(opened.current.draft)
        announce(words.saved)
      },
    },
  )
  const patch = patchOf(opened.current.draft, draft)
  const isConflict = isProblem(save.error, 'precondition_failed')
  const take = () => {
    opened.current = { draft: draftOf(webhook), etag }
    setDraft(opened.current.draft)
    save.reset()
  }
  return (
    <>
      {isConflict && (
        <VersionConflict
          yours={fieldsOf(draft)}
          theirs={fieldsOf(draftOf(webhook))}
          onTake={take}
          onKeep={() => save.run({ patch: patchOf(draftOf(webhook), draft), ifMatch: etag })}
        />
      )}
      <WebhookForm
        draft={draft}
        onChange={setDraft}
        onSubmit={() => save.run({ patch, ifMatch: opened.current.etag })}
        submit={texts.form.save}
        isRunning={save.isRunning}
        error={isConflict ? null : save.error}
      >
        <CurlView method="patch" path={`/v1/webhooks/${webhook.id}`} body={patch} />
      </WebhookForm>
    </>
  )
}
