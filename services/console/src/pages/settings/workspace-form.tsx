// Name and slug of the workspace; the plan is read only.
import { api, type Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { EditForm } from '../../components/form.tsx'
import { useEdit } from '../../edit.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'
import { faultOf } from '../../view-models/faults.ts'
import { isSlug } from '../../view-models/workspace-settings.ts'

const draftOf = ({ name, slug }: Schemas['Workspace']) => ({ name, slug })

export function WorkspaceForm({ workspace, etag }: { workspace: Schemas['Workspace']; etag: string | null }) {
  const form = useEdit({
    resource: workspace,
    etag,
    draftOf,
    fieldsOf: (draft) => draft,
    send: (body, version) => api.patch('/v1/workspace', { body, ...version }),
    invalidates: ['/v1/workspace', 'session'],
    saved: words.saved,
    // The address of every page names the slug.
    onSaved: ({ slug }) => slug !== workspace.slug && location.assign(`/w/${slug}/settings`),
  })
  const { draft } = form
  return (
    <EditForm form={form} title={words.workspace}>
      <TextInput
        label={words.name}
        required
        maxLength={255}
        value={draft.name}
        error={faultOf(form.error, '/name') ?? (draft.name.trim() === '' ? words.nameNeeded : null)}
        onChange={(event) => form.set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={words.slug}
        description={words.slugHint}
        required
        maxLength={63}
        spellCheck={false}
        value={draft.slug}
        error={faultOf(form.error, '/slug') ?? (isSlug(draft.slug) ? null : words.slugFault)}
        onChange={(event) => form.set({ slug: event.currentTarget.value })}
      />
      <TextInput label={words.plan} value={workspace.plan} readOnly variant="unstyled" />
    </EditForm>
  )
}
