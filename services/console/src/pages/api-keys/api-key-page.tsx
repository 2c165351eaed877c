// One key: what it may do, a new text for it, its end.

import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { ScopeList } from '../../components/scope-list.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Code } from '../../components/text.ts'
import { useParam } from '../../page-params.ts'
import { useRead } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { texts } from '../../texts.ts'
import { maskedKey } from '../../view-models/api-key-draft.ts'
import { type ApiKey, useCreatorNames } from './api-key.ts'
import { EditKey } from './edit-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

export function ApiKeyPage() {
  const id = useParam('key')
  const reading = useRead('/v1/api-keys/{id}', { path: { id } }, { pace: 'slow' })
  const key = reading.data
  return (
    <Page
      title={key?.name ?? texts.nav.apiKeys}
      above={<RouteLink to="api-keys">{texts.nav.apiKeys}</RouteLink>}
      beside={key !== undefined && <StatusBadge status={key.status} />}
    >
      <Loaded source={reading}>
        {(data) => (
          <>
            <KeyFacts apiKey={data} />
            {data.status === 'live' ? (
              <>
                <EditKey apiKey={data} etag={reading.etag} />
                <RotateKey apiKey={data} />
                <RevokeKey apiKey={data} etag={reading.etag} />
              </>
            ) : (
              <Notice>{words.over}</Notice>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const nameOf = useCreatorNames()
  const facts = [
    { name: words.key, value: <Code>{maskedKey(apiKey)}</Code> },
    { name: words.scopes, value: <ScopeList scopes={apiKey.scopes} /> },
    { name: words.from, value: apiKey.cidrs.length === 0 ? words.anywhere : apiKey.cidrs.join(', ') },
    {
      name: words.madeBy,
      value: (
        <>
          {nameOf(apiKey.creator)}, <RelativeTime at={apiKey.created} />
        </>
      ),
    },
    { name: words.lastUsed, value: <RelativeTime at={apiKey.last_used} none={words.never} /> },
    { name: words.ends, value: <RelativeTime at={apiKey.expires} none={words.never} /> },
    ...(apiKey.previous_ends === null
      ? []
      : [{ name: words.previousEnds, value: <RelativeTime at={apiKey.previous_ends} /> }]),
  ]
  return (
    <Card title={words.facts}>
      <Facts facts={facts} />
    </Card>
  )
}
