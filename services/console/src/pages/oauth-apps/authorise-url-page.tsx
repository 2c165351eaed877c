// Builds an authorisation as an app begins it: state and PKCE are made in this browser, and nothing of it is sent or stored (ui.md 2).
import { useQuery } from '@tanstack/react-query'
import { isScope, type Scope } from '@wds/contracts/scopes'
import { useEffect, useState } from 'react'
import { baseUrl } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextInput } from '../../components/fields.ts'
import { Group, Stack } from '../../components/layout.ts'
import { Notice } from '../../components/notice.tsx'
import { ScopePicker } from '../../components/scope-picker.tsx'
import { Select } from '../../components/select.ts'
import { Anchor, Text } from '../../components/text.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { authoriseUrl, base64url, challengeOf, tokenCurl } from '../../view-models/authorise-url.ts'
import type { OAuthApp } from './oauth-app.ts'
import { OAuthAppFrame } from './oauth-app-frame.tsx'

const random = (bytes: number) => base64url(crypto.getRandomValues(new Uint8Array(bytes)))

export function AuthoriseUrlPage() {
  return <OAuthAppFrame tab="authorise-url">{(app) => <Builder app={app} />}</OAuthAppFrame>
}

/** Of the metadata, which are on this origin; until they are there, what they say by design. */
function useEndpoints(): { authorization_endpoint: string; token_endpoint: string } {
  const known = {
    authorization_endpoint: `${location.origin}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
  }
  const { data } = useQuery({
    queryKey: ['oauth metadata'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const answer = await fetch('/.well-known/oauth-authorization-server', { signal })
      return answer.ok ? ((await answer.json()) as typeof known) : known
    },
  })
  return data ?? known
}

function Builder({ app }: { app: OAuthApp }) {
  const endpoints = useEndpoints()
  const [redirectUrl, setRedirectUrl] = useState(app.redirect_urls[0] ?? '')
  const [scopes, setScopes] = useState<Scope[]>(() => app.scopes.filter(isScope))
  const [state, setState] = useState(() => random(16))
  const [verifier, setVerifier] = useState(() => random(32))
  const challenge = useChallenge(verifier)
  const url =
    challenge === null || scopes.length === 0
      ? null
      : authoriseUrl(endpoints.authorization_endpoint, {
          clientId: app.client_id,
          redirectUrl,
          scopes,
          state,
          challenge,
        })
  return (
    <>
      <Card title={words.request} hint={words.builderHint}>
        <Stack gap="lg">
          <Select
            label={words.redirectUrl}
            data={app.redirect_urls}
            value={redirectUrl}
            allowDeselect={false}
            onChange={(value) => setRedirectUrl(value ?? redirectUrl)}
          />
          <ScopePicker value={scopes} onChange={setScopes} only={app.scopes} isOfApp />
          <TextInput
            label={words.stateField}
            description={words.stateFieldHint}
            value={state}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setState(event.currentTarget.value)}
          />
          <TextInput label={words.verifier} description={words.verifierHint} value={verifier} readOnly />
          <Group>
            <Button
              icon="refresh"
              onClick={() => {
                setState(random(16))
                setVerifier(random(32))
              }}
            >
              {words.makeAnew}
            </Button>
          </Group>
        </Stack>
      </Card>
      <Card title={words.builder} hint={words.openHint}>
        {url === null ? (
          <Notice>{challenge === null ? words.insecure : words.noUrls}</Notice>
        ) : (
          <Stack>
            <CodeBlock what={words.authoriseUrl} text={url} isTitled={false} />
            <Anchor href={url} target="_blank" rel="noreferrer" underline="always" size="sm">
              {words.openUrl}
            </Anchor>
          </Stack>
        )}
      </Card>
      <Card title={words.tokenCallTitle} hint={words.tokenHint}>
        <CodeBlock
          what={words.tokenCall}
          text={tokenCurl(endpoints.token_endpoint, { clientId: app.client_id, redirectUrl, verifier })}
          isTitled={false}
        />
        <Text size="sm" c="dimmed" pt="sm">
          {words.tokenNote}
        </Text>
      </Card>
    </>
  )
}

/** Null until it is made, and where the browser makes none. */
function useChallenge(verifier: string): string | null {
  const [challenge, setChallenge] = useState<string | null>(null)
  useEffect(() => {
    let isLatest = true
    challengeOf(verifier).then(
      (made) => isLatest && setChallenge(made),
      () => isLatest && setChallenge(null),
    )
    return () => {
      isLatest = false
    }
  }, [verifier])
  return challenge
}
