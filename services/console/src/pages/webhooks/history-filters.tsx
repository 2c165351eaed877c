// The filters of a history: preset or state, type, period, event ID.
import { TextInput } from '../../components/fields.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { PeriodFilter, periodChips, TypeFilter } from '../../components/filter-fields.tsx'
import { SegmentedControl } from '../../components/segmented-control.ts'
import { Select } from '../../components/select.ts'
import { chipsOf, type Filters } from '../../filters.ts'
import { historyTexts as words } from '../../texts/history.ts'
import { isInstant, oneOf, upTo } from '../../view-models/filters.ts'
import { useCatalogTypes } from './use-catalog-types.ts'

const states = ['pending', 'retry', 'replay', 'delivered', 'dead'] as const

export const historyRules = {
  status: oneOf([...states, 'failed']),
  type: upTo(100),
  since: isInstant,
  until: isInstant,
  event: (text: string) => /^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(text),
}

export function HistoryFilters({ filters }: { filters: Filters<typeof historyRules> }) {
  const { values, set } = filters
  const types = useCatalogTypes()
  const { status = 'all' } = values
  return (
    <FilterBar filters={filters} chips={chipsOf(filters, { ...words.chips, ...periodChips })}>
      <SegmentedControl
        aria-label={words.preset}
        data={[...words.presets]}
        value={['all', 'failed', 'dead'].includes(status) ? status : ''}
        onChange={(value) => set({ status: value === 'all' ? undefined : value })}
      />
      <Select
        label={words.status}
        placeholder={words.anyStatus}
        data={[...states]}
        value={status === 'all' || status === 'failed' ? null : status}
        clearable
        onChange={(value) => set({ status: value ?? undefined })}
      />
      <TypeFilter filters={filters} types={types.map(({ type }) => type)} />
      <PeriodFilter filters={filters} />
      <EventIdInput value={values.event ?? ''} onChange={(event) => set({ event })} />
    </FilterBar>
  )
}

/** Takes effect once it is one, so that every key does not ask the server. */
function EventIdInput({ value, onChange }: { value: string; onChange: (value: string | undefined) => void }) {
  return (
    <TextInput
      key={value}
      label={words.eventId}
      placeholder="evt_…"
      defaultValue={value}
      data-search
      onChange={(event) => {
        const text = event.currentTarget.value.trim()
        if (text === '' ? value !== '' : historyRules.event(text)) onChange(text || undefined)
      }}
    />
  )
}
