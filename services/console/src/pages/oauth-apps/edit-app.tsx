// Name, redirect URLs and scopes of an app.
import { api } from '../../api.ts'
import { EditForm } from '../../components/form.tsx'
import { useEdit } from '../../edit.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { draftOfApp, fieldsOfApp } from '../../view-models/oauth-app-draft.ts'
import { AppFields } from './app-fields.tsx'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

export function EditApp({ app, etag }: { app: OAuthApp; etag: string | null }) {
  const gate = usePlanGate()
  const form = useEdit({
    resource: app,
    etag,
    draftOf: draftOfApp,
    fieldsOf: fieldsOfApp,
    send: (body, version) => api.patch('/v1/oauth-apps/{id}', { path: { id: app.id }, body, ...version }),
    invalidates: ['/v1/oauth-apps'],
    saved: words.saved,
  })
  return (
    <EditForm form={form} title={words.edit} hint={words.editHint} disabledBecause={gate}>
      <AppFields draft={form.draft} onChange={form.setDraft} error={form.error} at="" wasTried={form.wasTried} />
    </EditForm>
  )
}
