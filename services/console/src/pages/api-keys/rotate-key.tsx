// A new text for a key.
import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { RotateSecret } from '../../components/rotate-secret.tsx'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { overlapsInHours } from '../../texts/overlaps.ts'
import type { ApiKey } from './api-key.ts'

export function RotateKey({ apiKey: { id } }: { apiKey: ApiKey }) {
  return (
    <Card
      title={words.rotation.title}
      hint={words.rotation.text}
      isPadded={false}
      actions={
        <RotateSecret
          words={words.rotation}
          overlaps={overlapsInHours}
          preset={24}
          send={async (hours, { idempotencyKey }) => {
            const options = { path: { id }, body: { overlap_hours: hours }, idempotencyKey }
            return (await api.post('/v1/api-keys/{id}/rotate', options)).data.api_key
          }}
          invalidates={['/v1/api-keys']}
        />
      }
    />
  )
}
