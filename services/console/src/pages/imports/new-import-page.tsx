// Uploads a file: stats for an integration that takes files, exchange rates, payments of invoices, campaigns of an integration.
import { useState } from 'react'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { TextInput } from '../../components/fields.ts'
import { Form } from '../../components/form.tsx'
import { Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Radio } from '../../components/radio.ts'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { useScopes } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { importTexts as words } from '../../texts/imports.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import { texts } from '../../texts.ts'
import { isUpload } from '../../view-models/integration-health.ts'
import { type ImportType, typesWith, type UploadDraft } from '../../view-models/upload.ts'
import { CoveredDays, UploadedFile, useUpload } from './file-fields.tsx'

interface Choice {
  value: string
  label: string
}

export function NewImportPage() {
  const list = useList('/v1/integrations', { query: { limit: 100 } })
  return (
    <Page title={words.create} above={<RouteLink to="imports">{texts.nav.imports}</RouteLink>}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => {
          const choicesOf = (some: typeof rows) => some.map(({ id: value, name: label }) => ({ value, label }))
          const takers = rows.filter(({ provider, status }) => isUpload(provider) && status !== 'paused')
          return <NewImport takers={choicesOf(takers)} all={choicesOf(rows)} />
        }}
      </Loaded>
    </Page>
  )
}

/** `takers`: integrations that take files of stats; those of campaigns each has. */
function NewImport({ takers, all }: { takers: readonly Choice[]; all: readonly Choice[] }) {
  const openPage = useOpenPage()
  const types = typesWith(useScopes())
  const choices: Partial<Record<ImportType, readonly Choice[]>> = { stats: takers, campaigns: all }
  const firstOf = (type: ImportType) => choices[type]?.[0]?.value ?? ''
  const [draft, setDraft] = useState<UploadDraft>(() => ({
    type: types[0] ?? 'stats',
    integration: firstOf(types[0] ?? 'stats'),
    source: '',
    from: '',
    to: '',
  }))
  const set = (change: Partial<UploadDraft>) => setDraft({ ...draft, ...change })
  const upload = useUpload(({ id }) => {
    announce(integrationTexts.uploadTaken)
    openPage(`imports/${id}`)
  })
  const choose = (type: ImportType) => set({ type, integration: firstOf(type) })
  const type = <ChooseType type={draft.type} types={types} onChange={choose} />
  const own = choices[draft.type]
  if (own?.length === 0)
    return (
      <Card title={words.about}>
        {type}
        <NoTakers />
      </Card>
    )
  return (
    <Form
      title={words.about}
      hint={integrationTexts.uploadHint}
      onSubmit={() => upload.send(draft)}
      submit={integrationTexts.send}
      isRunning={upload.isRunning}
      error={upload.error}
    >
      {type}
      {own !== undefined && (
        <Select
          label={words.integration}
          data={[...own]}
          searchable
          allowDeselect={false}
          value={draft.integration}
          onChange={(integration) => set({ integration: integration ?? '' })}
        />
      )}
      {draft.type === 'fx_rates' && (
        <TextInput
          label={words.source}
          description={words.sourceHint}
          maxLength={100}
          value={draft.source}
          onChange={(event) => set({ source: event.currentTarget.value })}
        />
      )}
      <UploadedFile onChange={upload.setFile} isMissing={upload.isMissing} />
      {draft.type === 'stats' && <CoveredDays days={draft} set={set} />}
    </Form>
  )
}

interface ChooseTypeProps {
  type: ImportType
  /** That the person may take in. */
  types: readonly ImportType[]
  onChange: (type: ImportType) => void
}

function ChooseType({ type, types, onChange }: ChooseTypeProps) {
  return (
    <Radio.Group
      label={words.type}
      description={words.hints[type]}
      value={type}
      onChange={(value) => onChange(value as ImportType)}
    >
      <Stack gap="xs" mt="xs">
        {types.map((value) => (
          <Radio key={value} value={value} label={words.types[value]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function NoTakers() {
  return (
    <EmptyState icon="plug" title={words.noUploads} text={words.noUploadsText}>
      <ButtonLink look="primary" icon="plus" to="integrations/new">
        {words.addIntegration}
      </ButtonLink>
    </EmptyState>
  )
}
