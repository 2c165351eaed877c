// One event type: what it means, its fields, an example, and the way to a subscription.

import { baseUrl, type Schemas } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Anchor, Code, Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { catalogTexts as words } from '../../texts/event-catalog.ts'
import { texts } from '../../texts.ts'
import { type SchemaRow, schemaRows } from '../../view-models/event-catalog.ts'
import { dayText } from '../../view-models/numbers.ts'

const columns: readonly Column<SchemaRow>[] = [
  { title: words.field, cell: ({ path }) => <Code>{path}</Code> },
  {
    title: words.kind,
    cell: ({ kind, isRequired }) => (
      <Stack gap={0}>
        <span>{kind}</span>
        <Text size="xs" c="dimmed">
          {isRequired ? words.required : words.optional}
        </Text>
      </Stack>
    ),
  },
  { title: words.rules, cell: ({ rules }) => (rules === '' ? texts.time.none : rules) },
]

export function EventTypePage() {
  const type = useParam('type')
  const reading = useRead('/v1/event-types/{type}', { path: { type } })
  const canSubscribe = useAllowed('webhooks:manage')
  const { data } = reading
  return (
    <Page
      title={type}
      lead={data?.meaning}
      beside={data && <StatusBadge status={data.stability} />}
      above={<RouteLink to="event-catalog">{texts.nav.eventCatalog}</RouteLink>}
      actions={
        canSubscribe && data ? (
          <ButtonLink look="primary" icon="plus" to={`webhooks/new?event=${type}`}>
            {words.subscribe}
          </ButtonLink>
        ) : undefined
      }
    >
      <Loaded source={reading} rows={10}>
        {(eventType) => (
          <>
            <Card title={words.facts}>
              <Facts facts={factsOf(eventType)} />
            </Card>
            <Card
              title={words.schema}
              hint={words.schemaHint}
              isPadded={false}
              actions={
                <Anchor
                  href={`${baseUrl}/v1/event-types/${encodeURIComponent(type)}/schema`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {words.fullSchema}
                </Anchor>
              }
            >
              <DataTable
                caption={words.schema}
                columns={columns}
                rows={schemaRows(eventType.schema)}
                keyOf={({ path }) => path}
              />
            </Card>
            <Card title={words.example}>
              <JsonView text={JSON.stringify(eventType.example)} what={words.exampleName} fileName={`${type}.json`} />
            </Card>
            <CurlView method="get" path={`/v1/event-types/${type}`} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function factsOf(eventType: Schemas['EventType']) {
  const scopes = eventType.read_scope
  return [
    { name: words.oncePer, value: eventType.once_per },
    {
      name: words.scope,
      value: (
        <Stack gap={2}>
          {scopes.length === 0 ? words.noScope : scopes.join(', ')}
          <Text size="xs" c="dimmed">
            {words.scopeHint}
          </Text>
        </Stack>
      ),
    },
    { name: words.volume, value: eventType.volume },
    { name: words.since, value: dayText(eventType.since, 'en-GB', true) },
  ]
}
