// The filters of the dead letters; a cause sets three of them.

import { TextInput } from '../../components/fields.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Group } from '../../components/layout.ts'
import { Select } from '../../components/select.ts'
import type { Filters } from '../../filters.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { isInstant, oneOf, upTo } from '../../view-models/filters.ts'
import { fromLocalInput, toLocalInput } from '../../view-models/local-input.ts'
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
  const { values, set, clear, refused } = filters
  const subscriptions = useSubscriptions()
  const nameOf = useSubscriptionNames()
  const names = Object.keys(deadLetterRules) as (keyof typeof deadLetterRules)[]
  const chips = names.flatMap((name) => {
    const value = values[name]
    if (value === undefined) return []
    return [
      {
        label: words.chips[name](name === 'webhook_id' ? nameOf(value) : value),
        onRemove: () => set({ [name]: undefined }),
      },
    ]
  })
  return (
    <FilterBar chips={chips} onClear={clear} refused={refused}>
      <Select
        label={words.subscription}
        placeholder={words.anySubscription}
        data={subscriptions.map(({ id, url }) => ({ value: id, label: url }))}
        value={values.webhook_id ?? null}
        searchable
        clearable
        w={280}
        maw="100%"
        onChange={(value) => set({ webhook_id: value ?? undefined })}
      />
      <Select
        label={words.type}
        placeholder={words.anyType}
        data={[...types]}
        value={values.type ?? null}
        searchable
        clearable
        w={220}
        onChange={(value) => set({ type: value ?? undefined })}
      />
      <Group gap="sm">
        <TextInput
          label={words.since}
          type="datetime-local"
          value={toLocalInput(values.since)}
          w={196}
          onChange={(event) => set({ since: fromLocalInput(event.currentTarget.value) })}
        />
        <TextInput
          label={words.until}
          type="datetime-local"
          value={toLocalInput(values.until)}
          w={196}
          onChange={(event) => set({ until: fromLocalInput(event.currentTarget.value) })}
        />
      </Group>
    </FilterBar>
  )
}
