// What the numbers are of, and how they are summed.
import { FilterBar } from '../../components/filter-bar.tsx'
import { Select } from '../../components/select.ts'
import { chipsOf, type Filters } from '../../filters.ts'
import { useRead } from '../../queries.ts'
import { statsTexts as words } from '../../texts/stats.ts'
import {
  chartMetrics,
  type StatsGroup,
  type StatsMetric,
  statsGroups,
  type statsRules,
} from '../../view-models/stats-table.ts'

interface StatsFiltersProps {
  filters: Filters<typeof statsRules>
  /** Those of the integrations. */
  brands: readonly string[]
  /** By slug. */
  brandNames: ReadonlyMap<string, string>
}

export function StatsFilters({ filters, brands, brandNames }: StatsFiltersProps) {
  const { values, set } = filters
  const { data: settings } = useRead('/v1/settings', {})
  const { brand = '', currency = '', compare = '' } = values
  const currencies = [...new Set([currency, settings?.base_currency ?? ''])].filter((code) => code !== '')
  const chips = chipsOf(filters, {
    ...words.chips,
    group: (value) => words.chips.group(words.groups[value as StatsGroup].toLowerCase()),
    brand: (value) => words.chips.brand(brandNames.get(value) ?? value),
    compare: (value) => words.chips.compare(words.comparisons[value as 'previous_period'].toLowerCase()),
    metric: (value) => words.chips.metric(words.metrics[value as StatsMetric]),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <Select
        label={words.period}
        data={Object.entries(words.periods).map(([value, label]) => ({ value, label }))}
        value={values.days ?? '30'}
        allowDeselect={false}
        onChange={(value) => set({ days: value ?? '' })}
      />
      <Select
        label={words.group}
        data={statsGroups.map((value) => ({ value, label: words.groups[value] }))}
        value={values.group ?? 'day'}
        allowDeselect={false}
        onChange={(value) => set({ group: value ?? '' })}
      />
      <Select
        label={words.brand}
        data={[
          { value: '', label: words.allBrands },
          // An address may name a brand that no integration has any more.
          ...[...new Set([...brands, brand])]
            .filter((slug) => slug !== '')
            .map((value) => ({ value, label: brandNames.get(value) ?? value })),
        ]}
        value={brand}
        allowDeselect={false}
        onChange={(value) => set({ brand: value ?? '' })}
      />
      <Select
        label={words.currency}
        data={[
          { value: '', label: words.ownCurrency },
          ...currencies.map((value) => ({ value, label: words.converted(value) })),
        ]}
        value={currency}
        allowDeselect={false}
        onChange={(value) => set({ currency: value ?? '' })}
      />
      <Select
        label={words.compare}
        data={[
          { value: '', label: words.noCompare },
          ...Object.entries(words.comparisons).map(([value, label]) => ({ value, label })),
        ]}
        value={compare}
        allowDeselect={false}
        onChange={(value) => set({ compare: value ?? '' })}
      />
      <Select
        label={words.metric}
        data={chartMetrics.map((value) => ({ value, label: words.metrics[value] }))}
        value={values.metric ?? 'clicks'}
        disabled={(values.group ?? 'day') !== 'day'}
        allowDeselect={false}
        onChange={(value) => set({ metric: value ?? '' })}
      />
    </FilterBar>
  )
}
