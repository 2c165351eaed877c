// The end of a key, for good.
import { api } from '../../api.ts'
import { DeleteByName } from '../../components/delete-by-name.tsx'
import { apiKeyTexts } from '../../texts/api-keys.ts'
import type { ApiKey } from './api-key.ts'

const words = apiKeyTexts.revocation

export function RevokeKey({ apiKey: { id, name }, etag }: { apiKey: ApiKey; etag: string | null }) {
  return (
    <DeleteByName
      words={{ ...words, question: words.questionOf(name) }}
      icon="ban"
      name={name}
      etag={etag}
      send={(version) => api.delete('/v1/api-keys/{id}', { path: { id }, ...version })}
      invalidates={['/v1/api-keys']}
    >
      {words.text(name)}
    </DeleteByName>
  )
}
