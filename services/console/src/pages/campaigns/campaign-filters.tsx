// What the list of campaigns is narrowed by. The API compares whole values: there is no search within names.

import { useBrandNames } from '../../brand-names.ts'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { TextFilter } from '../../components/text-filter.tsx'
import { chipsOf, type Filters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { campaignStatuses } from '../../view-models/campaigns.ts'
import { oneOf, upTo } from '../../view-models/filters.ts'

const tagMax = 40
const externalIdMax = 100

export const campaignRules = {
  status: oneOf(campaignStatuses),
  integration: upTo(40),
  brand: upTo(255),
  tag: upTo(tagMax),
  external_id: upTo(externalIdMax),
}

export function CampaignFilters({ filters }: { filters: Filters<typeof campaignRules> }) {
  const { values, set } = filters
  const { integration = '', brand = '', tag = '', external_id = '' } = values
  const { rows: integrations = [] } = useList('/v1/integrations', { query: { limit: 100 } })
  // An address may name one that is gone, or beyond the first hundred.
  const known = (value: string, names: Iterable<readonly [string, string]>) =>
    new Map([...(value === '' ? [] : [[value, value] as const]), ...names])
  const names = known(
    integration,
    integrations.map(({ id, name }) => [id, name] as const),
  )
  const brands = known(brand, useBrandNames())
  const chips = chipsOf(filters, {
    ...words.chips,
    integration: (id) => words.chips.integration(names.get(id) ?? id),
    brand: (slug) => words.chips.brand(brands.get(slug) ?? slug),
  })
  return (
    <FilterBar filters={filters} chips={chips}>
      <ChoiceFilter
        label={words.status}
        all={words.allStatuses}
        choices={campaignStatuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <ChoiceFilter
        label={words.integration}
        all={words.allIntegrations}
        choices={names}
        value={values.integration}
        searchable
        onChange={(integration) => set({ integration })}
      />
      <ChoiceFilter
        label={words.brand}
        all={words.allBrands}
        choices={brands}
        value={values.brand}
        searchable
        onChange={(brand) => set({ brand })}
      />
      <TextFilter
        label={words.externalId}
        placeholder={words.wholeHint}
        maxLength={externalIdMax}
        value={external_id}
        onChange={(value) => set({ external_id: value })}
      />
      <TextFilter
        label={words.tag}
        placeholder={words.wholeHint}
        maxLength={tagMax}
        value={tag}
        onChange={(value) => set({ tag: value })}
      />
    </FilterBar>
  )
}
