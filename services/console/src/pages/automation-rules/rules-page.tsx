// The automation rules of the workspace, newest first.

import { ButtonLink } from '../../components/button.tsx'
import { ChoiceFilter } from '../../components/choice-filter.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Stack } from '../../components/layout.ts'
import { ListCard } from '../../components/list-card.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { texts } from '../../texts.ts'
import { type AutomationRule, actionsText, reasonText, triggerText } from '../../view-models/automation-rules.ts'
import { oneOf } from '../../view-models/filters.ts'

const rules = { enabled: oneOf(['true', 'false']) }

const columns: readonly Column<AutomationRule>[] = [
  { title: words.rule, cell: ({ id, name }) => <RouteLink to={`automation-rules/${id}`}>{name}</RouteLink> },
  {
    title: words.status,
    cell: ({ enabled, disabled_reason: reason }) => (
      <Stack gap={2}>
        <div>
          <StatusBadge status={enabled ? 'enabled' : 'disabled'} />
        </div>
        {reason !== null && reason !== 'user' && <Text size="xs">{reasonText(reason)}</Text>}
      </Stack>
    ),
  },
  { title: words.trigger, cell: triggerText },
  { title: words.acts, cell: actionsText },
]

export function AutomationRulesPage() {
  const filters = useFilters(rules)
  const { values, set } = filters
  const { enabled } = values
  const query = enabled === undefined ? {} : { enabled: enabled === 'true' }
  const list = useList('/v1/automation-rules', { query }, { pace: 'slow' })
  const create = useAllowed('campaigns:write') ? (
    <ButtonLink look="primary" icon="plus" to="automation-rules/new">
      {words.create}
    </ButtonLink>
  ) : undefined
  return (
    <Page title={texts.nav.automationRules} lead={words.lead} actions={create}>
      <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
        <ChoiceFilter
          label={words.enabledFilter}
          all={words.allStates}
          choices={[
            { value: 'true', label: words.chips.enabled('true') },
            { value: 'false', label: words.chips.enabled('false') },
          ]}
          value={enabled}
          onChange={(enabled) => set({ enabled })}
        />
      </FilterBar>
      <ListCard list={list} filters={filters} icon="tool" words={words} create={create}>
        {(rows) => <DataTable caption={words.caption} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </ListCard>
      <CurlView method="get" path="/v1/automation-rules" query={query} />
    </Page>
  )
}
