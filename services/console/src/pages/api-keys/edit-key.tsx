// Name, scopes and ranges of a key.
import { api } from '../../api.ts'
import { EditForm } from '../../components/form.tsx'
import { useEdit } from '../../edit.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { draftOfKey, fieldsOfKey } from '../../view-models/api-key-draft.ts'
import type { ApiKey } from './api-key.ts'
import { KeyFields } from './key-fields.tsx'

export function EditKey({ apiKey, etag }: { apiKey: ApiKey; etag: string | null }) {
  const form = useEdit({
    resource: apiKey,
    etag,
    draftOf: draftOfKey,
    fieldsOf: fieldsOfKey,
    send: (body, version) => api.patch('/v1/api-keys/{id}', { path: { id: apiKey.id }, body, ...version }),
    invalidates: ['/v1/api-keys'],
    saved: words.saved,
  })
  return (
    <EditForm form={form} title={words.edit} hint={words.editHint}>
      <KeyFields draft={form.draft} onChange={form.setDraft} error={form.error} wasTried={form.wasTried} />
    </EditForm>
  )
}
