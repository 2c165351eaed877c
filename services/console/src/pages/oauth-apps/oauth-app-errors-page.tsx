// The last refusals of an app, with the reason that the app itself is not told.
import type { Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Code, Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import type { OAuthApp } from './oauth-app.ts'
import { OAuthAppFrame } from './oauth-app-frame.tsx'

type OAuthError = Schemas['OAuthError']

const columns: readonly Column<OAuthError>[] = [
  { title: words.reason, cell: ({ reason }) => <Text size="sm">{reason}</Text> },
  { title: words.answered, cell: ({ error }) => <Code>{error}</Code>, isNarrow: true },
  { title: words.where, cell: ({ endpoint }) => endpoint, isNarrow: true },
  { title: words.when, cell: ({ created }) => <RelativeTime at={created} />, isNarrow: true },
  { title: words.requestId, cell: (row) => <IdText id={row.request_id} what={words.requestId} />, isNarrow: true },
]

export function OAuthAppErrorsPage() {
  return <OAuthAppFrame tab="errors">{(app) => <Errors app={app} />}</OAuthAppFrame>
}

function Errors({ app }: { app: OAuthApp }) {
  const reading = useRead('/v1/oauth-apps/{id}/errors', { path: { id: app.id } }, { pace: 'slow' })
  return (
    <Loaded source={reading}>
      {({ data }) => (
        <Card title={words.errorsCaption} hint={words.errorsHint} isPadded={false}>
          {data.length === 0 ? (
            <EmptyState icon="check" title={words.noErrors} text={words.noErrorsText} />
          ) : (
            <DataTable
              caption={words.errorsCaption}
              columns={columns}
              rows={data}
              keyOf={({ request_id, created }) => `${created} ${request_id}`}
            />
          )}
        </Card>
      )}
    </Loaded>
  )
}
