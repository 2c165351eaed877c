// The files that were made, newest first: how far each is, its download, its end. Those of stats are asked for on the page of the stats,
// those of lists here.
import type { QueryOf } from '@wds/api-client/operations'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Select } from '../../components/select.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { chipsOf, type Filters, useFilters } from '../../filters.ts'
import { useList } from '../../queries.ts'
import { exportTexts } from '../../texts/exports.ts'
import { texts } from '../../texts.ts'
import { oneOf } from '../../view-models/filters.ts'
import { dayText } from '../../view-models/numbers.ts'
import {
  contentOf,
  dayOf,
  exportFormats,
  exportStatuses,
  exportTypes,
  fileNameOf,
  percentOfExport,
  stateWords,
} from '../../view-models/stats-export.ts'
import { ExportButtons } from './export-buttons.tsx'
import { ExportList } from './export-list.tsx'
import { useDownload } from './use-download.ts'

type Export = Schemas['Export']
const words = { ...exportTexts, ...exportTexts.list }
const rules = { type: oneOf(exportTypes), status: oneOf(exportStatuses), format: oneOf(exportFormats) }

export function ExportsPage() {
  const filters = useFilters(rules)
  const { values, clear } = filters
  const { type, status, format } = values
  const query = withoutUndefined<QueryOf<'/v1/exports'>>({
    type: type === undefined ? undefined : [type as Export['type']],
    status: status === undefined ? undefined : [status as Export['status']],
    format: format === undefined ? undefined : [format as Export['format']],
  })
  const list = useList('/v1/exports', { query }, { pace: 'live' })
  const isFiltered = Object.keys(values).length > 0
  const actions = (
    <>
      <ExportList />
      <ButtonLink icon="list" to="stats">
        {words.toStats}
      </ButtonLink>
    </>
  )
  return (
    <Page title={texts.nav.exports} lead={words.lead} actions={actions}>
      <ExportFilters filters={filters} />
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <>
            {rows.length > 0 && <ExportsTable files={rows} />}
            {rows.length === 0 && (
              <Card isPadded={false}>
                {isFiltered ? (
                  <EmptyState icon="filter" title={words.noMatch} text={words.noMatchText}>
                    <Button onClick={clear}>{texts.list.clear}</Button>
                  </EmptyState>
                ) : (
                  <EmptyState icon="download" title={words.none} text={words.noneText} />
                )}
              </Card>
            )}
            <LoadMore list={list} />
          </>
        )}
      </Loaded>
      <CurlView method="get" path="/v1/exports" query={query} />
    </Page>
  )
}

function ExportsTable({ files }: { files: readonly Export[] }) {
  const download = useDownload()
  const [asked, setAsked] = useState<string | null>(null)
  const fetchFile = (one: Export) => {
    setAsked(one.id)
    download.run(one)
  }
  const columns: Column<Export>[] = [
    {
      title: words.file,
      cell: (one) => (
        <Stack gap={2}>
          <span>{fileNameOf(one)}</span>
          <Text size="xs" c="dimmed">
            {contentOf(one)}
          </Text>
        </Stack>
      ),
    },
    { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
    {
      title: words.state,
      cell: (one) => (
        <Stack gap={4}>
          {stateWords(one)}
          {one.status === 'running' && <ProgressBar percent={percentOfExport(one)} label={words.progress} isActive />}
        </Stack>
      ),
    },
    { title: words.asked, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
    { title: words.until, cell: ({ expires }) => dayText(dayOf(expires), 'en-GB', true), isNarrow: true },
    {
      title: words.actions,
      isTitleHidden: true,
      cell: (one) => (
        <ExportButtons
          file={one}
          isFetching={download.isRunning && asked === one.id}
          onDownload={() => fetchFile(one)}
        />
      ),
      isNarrow: true,
    },
  ]
  return (
    <>
      {download.error !== null && <ProblemNote error={download.error} takesFocus />}
      <Card isPadded={false}>
        <DataTable caption={words.caption} columns={columns} rows={files} keyOf={({ id }) => id} />
      </Card>
    </>
  )
}

function ExportFilters({ filters }: { filters: Filters<typeof rules> }) {
  const { values, set } = filters
  const { type = '', status = '', format = '' } = values
  return (
    <FilterBar filters={filters} chips={chipsOf(filters, words.chips)}>
      <Select
        label={words.type}
        data={[
          { value: '', label: words.allTypes },
          ...exportTypes.map((value) => ({ value, label: words.types[value] ?? value })),
        ]}
        value={type}
        allowDeselect={false}
        onChange={(value) => set({ type: value ?? '' })}
      />
      <Select
        label={words.status}
        data={[{ value: '', label: words.allStatuses }, ...exportStatuses.map((value) => ({ value, label: value }))]}
        value={status}
        allowDeselect={false}
        onChange={(value) => set({ status: value ?? '' })}
      />
      <Select
        label={words.format}
        data={[{ value: '', label: words.allFormats }, ...words.formats]}
        value={format}
        allowDeselect={false}
        onChange={(value) => set({ format: value ?? '' })}
      />
    </FilterBar>
  )
}
