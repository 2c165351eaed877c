// The fields of an integration, for a new one and for its settings: ours, and those that the provider's JSON Schema names.
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { Stack } from '../../components/layout.ts'
import { Select } from '../../components/select.ts'
import { Text } from '../../components/text.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import { faultOf } from '../../view-models/faults.ts'
import {
  campaignRules,
  credentialFields,
  type IntegrationDraft,
  settingFields,
  shownFaults,
  windowModes,
} from '../../view-models/integration-draft.ts'
import { isUpload } from '../../view-models/integration-health.ts'
import { AboutFields } from './about-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { SettingField } from './setting-field.tsx'
import { type Provider, providerWords } from './use-providers.ts'

const words = integrationTexts.form

interface IntegrationFieldsProps {
  provider: Provider
  draft: IntegrationDraft
  onChange: (draft: IntegrationDraft) => void
  isNew: boolean
  error: Error | null
  wasTried: boolean
}

export function IntegrationFields({ provider, draft, error, isNew, wasTried, onChange }: IntegrationFieldsProps) {
  const set = (change: Partial<IntegrationDraft>) => onChange({ ...draft, ...change })
  return (
    <>
      <AboutFields draft={draft} set={set} error={error} isNew={isNew} />
      {!isUpload(provider.provider) && <ScheduleFields draft={draft} set={set} error={error} isNew={isNew} />}
      <RowRules draft={draft} set={set} error={error} />
      <ProviderSettings
        provider={provider}
        draft={draft}
        set={set}
        error={error}
        faults={shownFaults(provider, draft, { wasTried })}
      />
      <Credentials provider={provider} draft={draft} set={set} error={error} isNew={isNew} />
    </>
  )
}

interface PartProps {
  draft: IntegrationDraft
  set: (change: Partial<IntegrationDraft>) => void
  error: Error | null
}

function RowRules({ draft, set, error }: PartProps) {
  const choice = <K extends string>(values: readonly K[], labels: Record<K | '', string>) =>
    (['', ...values] as const).map((value) => ({ value, label: labels[value as K | ''] }))
  return (
    <Card title={words.rows}>
      <Columns>
        <Select
          label={words.windowMode}
          data={choice(windowModes, words.windowModes)}
          value={draft.windowMode}
          allowDeselect={false}
          error={faultOf(error, '/window_mode')}
          onChange={(value) => set({ windowMode: value ?? '' })}
        />
        <Select
          label={words.unknown}
          data={choice(campaignRules, words.unknowns)}
          value={draft.onUnknownCampaign}
          allowDeselect={false}
          error={faultOf(error, '/on_unknown_campaign')}
          onChange={(value) => set({ onUnknownCampaign: value ?? '' })}
        />
      </Columns>
    </Card>
  )
}

type SettingsProps = PartProps & { provider: Provider; faults: ReturnType<typeof shownFaults> }

function ProviderSettings({ provider, draft, set, error, faults }: SettingsProps) {
  const fields = settingFields(provider)
  return (
    <Card title={words.settings(providerWords(provider.provider).name)} hint={words.settingsHint}>
      {fields.length === 0 ? (
        <Text size="sm">{words.noSettings}</Text>
      ) : (
        <Stack>
          {fields.map((field) => (
            <SettingField
              key={field.name}
              field={field}
              value={draft.settings[field.name] ?? ''}
              fault={faults[field.name]}
              refusal={faultOf(error, `/settings/${field.name}`)}
              onChange={(value) => set({ settings: { ...draft.settings, [field.name]: value } })}
            />
          ))}
        </Stack>
      )}
    </Card>
  )
}

/** What is stored is never shown, so the fields are empty: what is typed replaces all of it. */
function Credentials({ provider, draft, set, error, isNew }: PartProps & { provider: Provider; isNew: boolean }) {
  const fields = credentialFields(provider)
  if (fields.length === 0) return null
  const refusal = faultOf(error, '/credentials')
  return (
    <Card title={words.credentials} hint={isNew ? words.credentialsHint : words.credentialsKeptHint}>
      <Stack>
        {refusal !== null && <Text size="sm">{refusal}</Text>}
        {fields.map((field) => (
          <SettingField
            key={field.name}
            field={field}
            value={draft.credentials[field.name] ?? ''}
            fault={undefined}
            refusal={faultOf(error, `/credentials/${field.name}`)}
            onChange={(value) => set({ credentials: { ...draft.credentials, [field.name]: value } })}
          />
        ))}
      </Stack>
    </Card>
  )
}
