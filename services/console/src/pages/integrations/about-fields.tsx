// What an integration is called, whose numbers it brings, and how they are counted.
import { currencyCodes } from '@wds/contracts/currencies'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { hintBelow, TextInput } from '../../components/fields.ts'
import { Select } from '../../components/select.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import { faultOf } from '../../view-models/faults.ts'
import type { IntegrationDraft } from '../../view-models/integration-draft.ts'
import { timeZoneNames } from '../../view-models/time-zones.ts'

const words = { ...integrationTexts, ...integrationTexts.form }
const shownMax = 60

interface AboutFieldsProps {
  draft: IntegrationDraft
  set: (change: Partial<IntegrationDraft>) => void
  error: Error | null
  /** The brand is chosen once. */
  isNew: boolean
}

export function AboutFields({ draft, set, error, isNew }: AboutFieldsProps) {
  return (
    <Card title={words.about}>
      <Columns>
        <TextInput
          {...hintBelow}
          label={words.name}
          description={words.nameHint}
          required
          maxLength={100}
          value={draft.name}
          error={faultOf(error, '/name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        {isNew && (
          <TextInput
            {...hintBelow}
            label={words.brand}
            description={words.brandHint}
            required
            maxLength={63}
            value={draft.brandSlug}
            error={faultOf(error, '/brand_slug')}
            onChange={(event) => set({ brandSlug: event.currentTarget.value })}
          />
        )}
        <Select
          {...hintBelow}
          label={words.currency}
          description={words.currencyHint}
          data={[...currencyCodes]}
          searchable
          limit={shownMax}
          allowDeselect={false}
          value={draft.currency}
          error={faultOf(error, '/currency')}
          onChange={(value) => set({ currency: value ?? '' })}
        />
        <Select
          {...hintBelow}
          label={words.timeZone}
          description={words.timeZoneHint}
          data={timeZoneNames(draft.timeZone)}
          searchable
          limit={shownMax}
          allowDeselect={false}
          value={draft.timeZone}
          error={faultOf(error, '/source_time_zone')}
          onChange={(value) => set({ timeZone: value ?? '' })}
        />
      </Columns>
    </Card>
  )
}
