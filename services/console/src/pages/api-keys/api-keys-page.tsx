// The keys of the workspace; revoked ones stay in sight for 31 days.
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Stack } from '../../components/layout.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Code, Text } from '../../components/text.ts'
import { useList } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { texts } from '../../texts.ts'
import { maskedKey } from '../../view-models/api-key-draft.ts'
import { type ApiKey, useCreatorNames } from './api-key.ts'

const columnsWith = (nameOf: (creator: string | null) => string): readonly Column<ApiKey>[] => [
  {
    title: words.name,
    cell: (key) => (
      <Stack gap={4} align="flex-start">
        <RouteLink to={`api-keys/${key.id}`}>{key.name}</RouteLink>
        <Code className="wds-nowrap">{maskedKey(key)}</Code>
      </Stack>
    ),
  },
  { title: words.status, cell: ({ status }) => <StatusBadge status={status} />, isNarrow: true },
  { title: words.scopes, cell: ({ scopes }) => <Text size="sm">{words.scopesOf(scopes)}</Text> },
  {
    title: words.from,
    cell: ({ cidrs }) => <Text size="sm">{cidrs.length === 0 ? words.anywhere : words.scopesOf(cidrs)}</Text>,
    isNarrow: true,
  },
  {
    title: words.madeBy,
    cell: ({ creator, created }) => (
      <Stack gap={2}>
        <Text size="sm">{nameOf(creator)}</Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={created} />
        </Text>
      </Stack>
    ),
  },
  { title: words.lastUsed, cell: (key) => <RelativeTime at={key.last_used} none={words.never} />, isNarrow: true },
  { title: words.ends, cell: (key) => <Ends apiKey={key} />, isNarrow: true },
]

/** Its own end, and the earlier one of a key that nobody uses. */
function Ends({ apiKey: { expires, ends_unused } }: { apiKey: ApiKey }) {
  if (ends_unused === null) return <RelativeTime at={expires} none={words.never} />
  return (
    <Text size="sm">
      {words.endsUnused} <RelativeTime at={ends_unused} />
    </Text>
  )
}

export function ApiKeysPage() {
  const list = useList('/v1/api-keys', {}, { pace: 'slow' })
  const nameOf = useCreatorNames()
  const create = (
    <ButtonLink look="primary" icon="plus" to="api-keys/new">
      {words.create}
    </ButtonLink>
  )
  return (
    <Page title={texts.nav.apiKeys} lead={words.lead} actions={create}>
      <Loaded source={{ ...list, data: list.rows }}>
        {(rows) => (
          <Card isPadded={false}>
            {rows.length === 0 ? (
              <EmptyState icon="key" title={words.none} text={words.noneText}>
                {create}
              </EmptyState>
            ) : (
              <DataTable caption={words.caption} columns={columnsWith(nameOf)} rows={rows} keyOf={({ id }) => id} />
            )}
            <LoadMore list={list} />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
