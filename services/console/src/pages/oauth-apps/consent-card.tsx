// The page on which people decide, live beside the form: logo, name, host and scopes as typed (ui.md 2).
import { AppLogo } from '../../components/app-logo.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Stack } from '../../components/layout.ts'
import { ScopeList } from '../../components/scope-list.tsx'
import { Code, Text } from '../../components/text.ts'
import { useSession } from '../../session.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { type AppDraft, hostOfDraft } from '../../view-models/oauth-app-draft.ts'

export function ConsentCard({ draft, logo }: { draft: AppDraft; logo: string | null }) {
  const { workspace } = useSession()
  const name = draft.name.trim() === '' ? words.yourApp : draft.name
  const facts = [
    { name: words.madeBy, value: <bdi>{workspace.name}</bdi> },
    { name: words.sendsTo, value: <Code>{hostOfDraft(draft) ?? words.noHost}</Code> },
  ]
  return (
    <div className="wds-sticky">
      <Card title={words.preview} hint={words.previewHint}>
        <Stack gap="md">
          <AppLogo src={logo} name={name} size={64} />
          <Text fw={600} size="lg" lh={1.3}>
            <bdi>{name}</bdi> {words.wants} {words.theirWorkspace}
          </Text>
          <Facts facts={facts} />
          <Text fw={600}>{words.asksTo}</Text>
          {draft.scopes.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noScopes}
            </Text>
          ) : (
            <ScopeList scopes={draft.scopes} isFull />
          )}
          <div className="wds-consent-choices" aria-hidden="true">
            <span>{words.cancel}</span>
            <span>{words.allow}</span>
          </div>
        </Stack>
      </Card>
    </div>
  )
}
