// The filters of the dead letters; a cause sets three of them.
import { FilterBar } from '../../components/filter-bar.tsx'
import { PeriodFilter, periodChips, TypeFilter } from '../../components/filter-fields.tsx'
import { Select } from '../../components/select.ts'
import { chipsOf, type Filters } from '../../filters.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { isInstant, oneOf, upTo } from '../../view-models/filters.ts'
import { useSubscriptionNames, useSubscriptions } from './use-subscription-names.ts'

export const deadLetterRules = {
  webhook_id: (text: string) => /^whk_[0-9A-HJKMNP-TV-Z]{26}$/.test(text),
  type: upTo(100),
  reason: oneOf(['attempts_exhausted', 'subscription_disabled', 'subscription_deleted']),
  error_code: upTo(40),
  status_class: oneOf(['1xx', '2xx', '3xx', '4xx', '5xx']),
  since: isInstant,
  until: isInstant,
}

interface DeadLetterFiltersProps {
  filters: Filters<typeof deadLetterRules>
  types: readonly string[]
}

export function DeadLetterFilters({ filters, types }: DeadLetterFiltersProps) {
  const { values, set } = filters
  const subscriptions = useSubscriptions()
  const nameOf = useSubscriptionNames()
  const chips = chipsOf(filters, {
    ...words.chips,
    ...periodChips,
    webhook_id: (id) => words.chips.webhook_id(nameOf(id)),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <Select
        label={words.subscription}
        placeholder={words.anySubscription}
        data={subscriptions.map(({ id, url }) => ({ value: id, label: url }))}
        value={values.webhook_id ?? null}
        searchable
        clearable
        onChange={(value) => set({ webhook_id: value ?? undefined })}
      />
      <TypeFilter filters={filters} types={types} />
      <PeriodFilter filters={filters} />
    </FilterBar>
  )
}
