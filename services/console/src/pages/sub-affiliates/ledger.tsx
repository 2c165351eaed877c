// The ledger of a sub-affiliate, newest first, page behind page.
import type { Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { texts } from '../../texts.ts'
import { dayText, moneyText } from '../../view-models/numbers.ts'

type Entry = Schemas['LedgerEntry']

const columns: Column<Entry>[] = [
  {
    title: words.entry,
    cell: ({ kind, note }) => (note === null ? words.kinds[kind] : `${words.kinds[kind]}: ${note}`),
  },
  { title: words.month, cell: ({ month }) => month, isNarrow: true },
  {
    title: words.day,
    cell: ({ day }) => (day === null ? texts.time.none : dayText(day, 'en-GB', true)),
    isNarrow: true,
  },
  { title: words.amount, cell: ({ amount, currency }) => moneyText(amount, currency), isNumber: true, isNarrow: true },
  {
    title: words.after,
    cell: ({ balance_after: after, currency }) => moneyText(after, currency),
    isNumber: true,
    isNarrow: true,
  },
]

export function Ledger({ id }: { id: string }) {
  const list = useList('/v1/sub-affiliates/{id}/ledger', { path: { id } })
  return (
    <Card title={words.ledger} isPadded={list.rows?.length === 0}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">{words.noEntries}</Text>
          ) : (
            <>
              <DataTable caption={words.ledger} columns={columns} rows={rows} keyOf={(entry) => entry.id} />
              <LoadMore list={list} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
