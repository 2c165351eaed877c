// One import: how far it is, what became of its lines, and which were rejected.

import { useState } from 'react'
import { api } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useScopes } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { importTexts as words } from '../../texts/imports.ts'
import { texts } from '../../texts.ts'
import { type Import, titleOf } from '../../view-models/imports.ts'
import { countText, rangeText } from '../../view-models/numbers.ts'
import { importScopes, isUnderWay } from '../../view-models/upload.ts'
import { RejectedLines } from './rejected-lines.tsx'

export function ImportPage() {
  const id = useParam('id')
  const [isOver, setOver] = useState(false)
  const reading = useRead('/v1/imports/{id}', { path: { id } }, { pace: isOver ? 'slow' : 'live' })
  const { data } = reading
  if (data !== undefined && isUnderWay(data) === isOver) setOver(!isOver)
  const integrationId = data?.integration_id ?? null
  const { data: integration } = useRead(
    '/v1/integrations/{id}',
    { path: { id: integrationId ?? '' } },
    { enabled: integrationId !== null },
  )
  const name = integration?.name ?? null
  const scopes = useScopes()
  return (
    <Page
      title={data === undefined ? words.import : titleOf(data, name)}
      above={<RouteLink to="imports">{texts.nav.imports}</RouteLink>}
      beside={data === undefined ? undefined : <StatusBadge status={data.status} />}
    >
      <Loaded source={reading} rows={8}>
        {(one) => (
          <>
            {one.error && (
              <Notice look="warning">
                {words.failed(one.error.message, one.error.line)} {words.kept[one.type]}
              </Notice>
            )}
            {isUnderWay(one) && <Text size="sm">{words.underWay}</Text>}
            {isUnderWay(one) && scopes.includes(importScopes[one.type]) && <CancelImport import={one} />}
            <Card title={words.facts}>
              <Facts facts={factsOf(one, name)} />
            </Card>
            {!isUnderWay(one) && (one.rejected ?? 0) > 0 && <RejectedLines import={one} />}
            <CurlView method="get" path={`/v1/imports/${one.id}`} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function CancelImport({ import: { id, type } }: { import: Import }) {
  return (
    <div>
      <AskButton
        icon="ban"
        title={words.cancelTitle}
        action={words.cancel}
        about={words.cancelTexts[type]}
        done={words.canceled}
        isDangerous
        body={{}}
        send={(_, o) => api.post('/v1/imports/{id}/cancel', { path: { id }, ...o })}
        invalidates={['/v1/imports', '/v1/sync-runs', '/v1/integrations']}
      />
    </div>
  )
}

function factsOf(one: Import, integration: string | null) {
  const { integration_id: integrationId, sync_run_id: runId, covers, source, rate_set: rateSet } = one
  const when = (name: string, at: string | null | undefined) => (at ? [{ name, value: <RelativeTime at={at} /> }] : [])
  return [
    { name: words.type, value: words.types[one.type] },
    ...(integrationId === null
      ? []
      : [
          {
            name: words.integration,
            value: <RouteLink to={`integrations/${integrationId}`}>{integration ?? integrationId}</RouteLink>,
          },
        ]),
    { name: words.format, value: one.format },
    ...(covers === null ? [] : [{ name: words.covers, value: rangeText(covers.from, covers.to) }]),
    ...(source ? [{ name: words.source, value: source }] : []),
    { name: words.lines, value: countText(one.lines) },
    { name: words.accepted, value: countText(one.accepted) },
    { name: words.unchanged, value: countText(one.unchanged) },
    { name: words.rejected, value: countText(one.rejected) },
    ...(runId ? [{ name: words.run, value: <RouteLink to={`syncs/${runId}`}>{runId}</RouteLink> }] : []),
    ...(rateSet ? [{ name: words.rateSet, value: rateSet }] : []),
    ...when(words.added, one.created),
    ...when(words.started, one.started),
    ...when(words.finished, one.finished),
    { name: words.id, value: <IdText id={one.id} what={words.id} isWhole /> },
  ]
}
