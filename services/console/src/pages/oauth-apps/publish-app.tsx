// Makes an app in development live; it never goes back.
import { api } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { Card } from '../../components/card.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

export function PublishApp({ app: { id }, etag }: { app: OAuthApp; etag: string | null }) {
  return (
    <Card
      title={words.publishTitle}
      hint={words.publishHint}
      isPadded={false}
      actions={
        <AskButton
          look="primary"
          disabledBecause={usePlanGate()}
          title={words.publishTitle}
          action={words.publish}
          about={words.publishHint}
          done={words.published}
          etag={etag}
          body={{}}
          send={(_, version) => api.post('/v1/oauth-apps/{id}/publish', { path: { id }, ...version })}
          invalidates={['/v1/oauth-apps']}
        />
      }
    />
  )
}
