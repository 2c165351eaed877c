// A list that can be narrowed: its rows page behind page, or why there is none.
import type { ReactNode } from 'react'
import type { ListReading } from '../queries.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'
import type { IconName } from './icon.tsx'
import { LoadMore } from './load-more.tsx'
import { Loaded } from './loaded.tsx'

interface ListCardProps<Row> {
  list: ListReading<Row>
  /** Without: the list has none. */
  filters?: { values: object; clear: () => void }
  /** Of a list that holds nothing. */
  icon: IconName
  words: { none: string; noneText: string; noMatch?: string; noMatchText?: string }
  /** What to do about it. */
  create?: ReactNode
  /** The table. */
  children: (rows: readonly Row[]) => ReactNode
}

export function ListCard<Row>({ list, filters, icon, words, create, children }: ListCardProps<Row>) {
  const isFiltered = filters !== undefined && Object.keys(filters.values).length > 0
  return (
    <Loaded source={{ ...list, data: list.rows }}>
      {(rows) => (
        <Card isPadded={false}>
          {rows.length > 0 && children(rows)}
          {rows.length === 0 && isFiltered && (
            <EmptyState icon="filter" title={words.noMatch ?? words.none} {...textOf(words.noMatchText)}>
              <Button onClick={filters.clear}>{texts.list.clear}</Button>
            </EmptyState>
          )}
          {rows.length === 0 && !isFiltered && (
            <EmptyState icon={icon} title={words.none} text={words.noneText}>
              {create}
            </EmptyState>
          )}
          <LoadMore list={list} />
        </Card>
      )}
    </Loaded>
  )
}

const textOf = (text: string | undefined) => (text === undefined ? {} : { text })
