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
import { CausesCard } from './causes-card.tsx'
import { DeadLetterFilters, deadLetterRules } from './dead-letter-filters.tsx'
import { DeadLetterRows } from './dead-letter-rows.tsx'
import { ReplayDialog, type ReplayWish } from './replay-dialog.tsx'
import { RunningReplays } from './running-replays.tsx'
import { useTypeNames } from './use-type-names.ts'

type NewReplay = Schemas['NewReplayOfDeadLetters']

/** `filter`: of the list, or `delivery_ids`. */
function wishOf(filter: NewReplay): ReplayWish {
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
  const [wish, setWish] = useState<ReplayWish | null>(null)
  const filter = replayFilterOf(filters.values)
  const isFiltered = Object.keys(filter).length > 0
  const causes = useRead('/v1/dead-letters/causes', { query: filter as object }, { pace: 'live' })
  const retryAll = (
    <Button look="primary" icon="repeat" onClick={() => setWish(wishOf(filter as NewReplay))}>
      {words.retryAll}
    </Button>
  )
  return (
    <Page title={texts.nav.deadLetters} lead={words.lead} actions={causes.data?.data.length ? retryAll : null}>
      <RunningReplays />
      <DeadLetterFilters filters={filters} types={useTypeNames()} />
      <Loaded source={causes}>
        {(loaded) =>
          loaded.data.length === 0 ? (
            <None isFiltered={isFiltered} onClear={filters.clear} />
          ) : (
            <>
              <CausesCard
                causes={loaded}
                filter={filter}
                onRetry={(cause) => setWish(wishOf(replayFilterOf(cause) as NewReplay))}
              />
              <DeadLetterRows filter={filter} onRetry={(ids) => setWish(wishOf({ delivery_ids: ids }))} />
            </>
          )
        }
      </Loaded>
      <Group>
        <CurlView method="get" path={`/v1/dead-letters${searchText(filter)}`} />
      </Group>
      <ReplayDialog wish={wish} onClose={() => setWish(null)} />
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
