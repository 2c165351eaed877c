// Name and slug of the workspace; the plan is read only.
import { api, type Schemas } from '../../api.ts'
import { TextInput } from '../../components/fields.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'
import { faultOf } from '../../view-models/faults.ts'
import { isSlug } from '../../view-models/workspace-settings.ts'
import { FormCard } from './form-card.tsx'
import { useForm } from './use-form.ts'

export function WorkspaceForm({
  workspace: { name, slug, plan },
  etag,
}: {
  workspace: Schemas['Workspace']
  etag: string | null
}) {
  const current = { draft: { name, slug }, etag }
  const form = useForm({
    current,
    send: (patch, ifMatch) => api.patch('/v1/workspace', { body: patch, ...(ifMatch === null ? {} : { ifMatch }) }),
    invalidates: ['/v1/workspace', 'session'],
    // The address of every page names the slug.
    onSaved: (saved) => saved.slug !== slug && location.assign(`/w/${saved.slug}/settings`),
  })
  const { draft } = form
  return (
    <FormCard title={words.workspace} form={form} theirs={current.draft}>
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
      <TextInput label={words.plan} value={plan} readOnly variant="unstyled" />
    </FormCard>
  )
}
