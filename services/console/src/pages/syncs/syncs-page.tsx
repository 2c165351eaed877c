// The sync runs of all integrations; one opens in a drawer that has an address of its own.
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { workspacePath } from '../../components/route-link.tsx'
import { Select } from '../../components/select.ts'
import { useFilters } from '../../filters.ts'
import { useAllowed } from '../../permissions.ts'
import { useList } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { syncTexts as words } from '../../texts/syncs.ts'
import { texts } from '../../texts.ts'
import { oneOf, searchText, upTo } from '../../view-models/filters.ts'
import { runStatuses, runTriggers } from '../../view-models/sync-run.ts'
import { RunDrawer } from './run-drawer.tsx'
import { RunsTable } from './runs-table.tsx'

type SyncRun = Schemas['SyncRun']

const rules = { status: oneOf(runStatuses), trigger: oneOf(runTriggers), integration: upTo(40) }

export function SyncsPage() {
  const { values, refused, set, clear } = useFilters(rules)
  const { run: runId = null } = useParams({ strict: false }) as { run?: string }
  const { workspace } = useSession()
  const navigate = useNavigate()
  const integrations = useList('/v1/integrations', { query: { limit: 100 } })
  const { status, trigger, integration } = values
  const query = {
    ...(status === undefined ? {} : { status: [status as SyncRun['status']] }),
    ...(trigger === undefined ? {} : { trigger: [trigger as SyncRun['trigger']] }),
    ...(integration === undefined ? {} : { integration_id: [integration] }),
  }
  const list = useList('/v1/sync-runs', { query }, { pace: 'live' })
  const names = new Map(integrations.rows?.map(({ id, name }) => [id, name]))
  const nameOf = ({ integration_id: id, brand_slug: brand }: SyncRun) => names.get(id) ?? brand
  const close = () => void navigate(workspacePath(workspace.slug, `syncs${searchText(values)}`) as object)
  const isFiltered = Object.keys(values).length > 0
  return (
    <Page title={texts.nav.syncs} lead={words.lead}>
      {refused.length > 0 && <Notice look="warning" title={words.refused(refused.join(', '))} />}
      <SyncFilters values={values} set={set} integrations={[...names]} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(runs) => (
          <Card isPadded={false}>
            {runs.length > 0 && <RunsTable runs={runs} nameOf={nameOf} filters={values} openId={runId} />}
            {runs.length === 0 && (isFiltered ? <NoMatch clear={clear} /> : <NoRuns />)}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
      <CurlView method="get" path={`/v1/sync-runs${searchText({ status, trigger, integration_id: integration })}`} />
      <RunDrawer id={runId} nameOf={nameOf} onClose={close} />
    </Page>
  )
}

type Values = { readonly [N in keyof typeof rules]?: string }

interface SyncFiltersProps {
  values: Values
  set: (change: Values) => void
  integrations: readonly (readonly [string, string])[]
}

function SyncFilters({ values, set, integrations }: SyncFiltersProps) {
  const { integration = '' } = values
  // An address may name an integration that is gone, or beyond the first hundred.
  const stranger = integration !== '' && !integrations.some(([id]) => id === integration)
  const choices = [...integrations, ...(stranger ? [[integration, integration] as const] : [])]
  return (
    <Columns width="narrow" isShort>
      <Select
        label={words.integration}
        data={[{ value: '', label: words.allIntegrations }, ...choices.map(([value, label]) => ({ value, label }))]}
        value={integration}
        searchable={choices.length > 10}
        allowDeselect={false}
        onChange={(value) => set({ integration: value ?? '' })}
      />
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...runStatuses.map((value) => ({ value, label: value }))]}
        value={values.status ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.trigger}
        data={[
          { value: '', label: words.allTriggers },
          ...runTriggers.map((value) => ({ value, label: words.triggers[value] })),
        ]}
        value={values.trigger ?? ''}
        allowDeselect={false}
        onChange={(value) => set({ trigger: value ?? '' })}
      />
    </Columns>
  )
}

function NoMatch({ clear }: { clear: () => void }) {
  return (
    <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
      <Button onClick={clear}>{texts.list.clear}</Button>
    </EmptyState>
  )
}

function NoRuns() {
  const canWrite = useAllowed('integrations:write')
  return (
    <EmptyState icon="refresh" title={words.none} text={words.noneText}>
      {canWrite && (
        <ButtonLink look="primary" icon="plus" to="integrations/new">
          {words.addIntegration}
        </ButtonLink>
      )}
    </EmptyState>
  )
}
