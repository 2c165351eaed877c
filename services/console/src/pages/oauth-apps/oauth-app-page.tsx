// One app: what it is, its fields, its logo, its secrets, its end.
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useRead } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import { AppSecrets } from './app-secrets.tsx'
import { ChangeLogo } from './change-logo.tsx'
import { DeleteApp } from './delete-app.tsx'
import { EditApp } from './edit-app.tsx'
import type { OAuthApp } from './oauth-app.ts'
import { OAuthAppFrame } from './oauth-app-frame.tsx'
import { PublishApp } from './publish-app.tsx'

export function OAuthAppPage() {
  return (
    <OAuthAppFrame tab="settings">
      {(app, { etag }) => (
        <>
          <AppFacts app={app} />
          {app.state === 'development' && <PublishApp app={app} etag={etag} />}
          <AppSecrets app={app} />
          <EditApp app={app} etag={etag} />
          <ChangeLogo app={app} etag={etag} />
          <DeleteApp app={app} etag={etag} />
        </>
      )}
    </OAuthAppFrame>
  )
}

function AppFacts({ app }: { app: OAuthApp }) {
  const usage = useRead('/v1/oauth-apps/usage', { query: { app_id: [app.id] } }, { pace: 'slow' }).data?.data[0]
  const facts = [
    { name: words.clientId, value: <IdText id={app.client_id} what={words.clientId} isWhole /> },
    {
      name: words.grants,
      value: usage === undefined ? texts.time.none : words.grantsOf(usage.people, usage.grants),
    },
    { name: words.created, value: <RelativeTime at={app.created} /> },
  ]
  return (
    <Card title={words.facts}>
      <Facts facts={facts} />
    </Card>
  )
}
