// The dead letters of all subscriptions: by cause, by row, and back to life one by one or in bulk (ui.md 5).
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Group } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters } from '../../filters.ts'
import { useRead } from '../../queries.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { texts } from '../../texts.ts'
import { searchText } from '../../view-models/filters.ts'
import { replayFilterOf } from '../../view-models/replays.ts'
import { useCatalogTypes } from '../webhooks/use-catalog-types.ts'
import { CausesCard } from './causes-card.tsx'
import { DeadLetterFilters, deadLetterRules } from './dead-letter-filters.tsx'
import { DeadLetterRows } from './dead-letter-rows.tsx'
import { ReplayDialog, type ReplayRequest } from './replay-dialog.tsx'
import { RunningReplays } from './running-replays.tsx'

type NewReplay = Schemas['NewReplayOfDeadLetters']

/** `filter`: of the list, or `delivery_ids`. */
function requestOf(filter: NewReplay): ReplayRequest {
  return {
    key: JSON.stringify(filter),
    count: async () =>
      (await api.post('/v1/replays', { body: { ...filter, dry_run: true } })).data as Schemas['ReplayDryRun'],
    begin: async (idempotencyKey) =>
      (await api.post('/v1/replays', { body: filter, idempotencyKey })).data as Schemas['Replay'],
  }
}

export function DeadLettersPage() {
  const filters = useFilters(deadLetterRules)
  const [request, setRequest] = useState<ReplayRequest | null>(null)
  const filter = replayFilterOf(filters.values)
  const isFiltered = Object.keys(filter).length > 0
  const types = useCatalogTypes().map(({ type }) => type)
  const causes = useRead('/v1/dead-letters/causes', { query: filter as object }, { pace: 'live' })
  const retryAll = (
    <Button look="primary" icon="repeat" onClick={() => setRequest(requestOf(filter as NewReplay))}>
      {words.retryAll}
    </Button>
  )
  return (
    <Page title={texts.nav.deadLetters} lead={words.lead} actions={causes.data?.data.length ? retryAll : null}>
      <RunningReplays />
      <DeadLetterFilters filters={filters} types={types} />
      <Loaded source={causes}>
        {(loaded) =>
          loaded.data.length === 0 ? (
            <None isFiltered={isFiltered} onClear={filters.clear} />
          ) : (
            <>
              <CausesCard
                causes={loaded}
                filter={filter}
                onRetry={(cause) => setRequest(requestOf(replayFilterOf(cause) as NewReplay))}
              />
              <DeadLetterRows
                key={searchText(filter)}
                filter={filter}
                onRetry={(ids) => setRequest(requestOf({ delivery_ids: ids }))}
              />
            </>
          )
        }
      </Loaded>
      <Group>
        <CurlView method="get" path="/v1/dead-letters" query={filter} />
      </Group>
      <ReplayDialog request={request} onClose={() => setRequest(null)} />
    </Page>
  )
}

function None({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <Card>
      {isFiltered ? (
        <EmptyState icon="filter" title={words.noneMatch}>
          <Button onClick={onClear}>{texts.list.clear}</Button>
        </EmptyState>
      ) : (
        <EmptyState icon="check" title={words.none} text={words.noneText} />
      )}
    </Card>
  )
}
