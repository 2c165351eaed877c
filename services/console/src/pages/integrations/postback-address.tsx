// The address that a network calls: that there is one, what the network sends, and another one.
import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/layout.ts'
import { RotateSecret } from '../../components/rotate-secret.tsx'
import { Text } from '../../components/text.ts'
import { useAllowed } from '../../permissions.ts'
import { postbackTexts as words } from '../../texts/postbacks.ts'
import type { Integration } from './integration-frame.tsx'
import { PostbackParameters, PostbackQuery } from './postback-guide.tsx'

export function PostbackAddress({ integration: { id, settings, credentials } }: { integration: Integration }) {
  const canWrite = useAllowed('integrations:write')
  return (
    <Card title={words.title} hint={words.hint} actions={canWrite && <Rotate id={id} />}>
      <Stack>
        <Text size="sm">{words.address(credentials.fingerprint ?? '')}</Text>
        <PostbackQuery settings={settings} />
        <PostbackParameters settings={settings} />
      </Stack>
    </Card>
  )
}

function Rotate({ id }: { id: string }) {
  return (
    <RotateSecret
      words={words.rotation}
      overlaps={words.overlaps}
      preset={24}
      send={async (_, { idempotencyKey }) => {
        const options = { path: { id }, idempotencyKey }
        return (await api.post('/v1/integrations/{id}/rotate-postback-token', options)).data.postback_url ?? ''
      }}
      invalidates={['/v1/integrations']}
    />
  )
}
