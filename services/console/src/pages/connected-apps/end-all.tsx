// Ends every grant that the list shows.
import { api } from '../../api.ts'
import { AskButton } from '../../components/ask-button.tsx'
import { connectedAppTexts as words } from '../../texts/connected-apps.ts'

/** `count`: in words, such as `3 grants`. */
export function EndAll({ count }: { count: string }) {
  return (
    <AskButton
      icon="ban"
      title={words.endAllTitle}
      action={words.endAll}
      about={words.endAllText(count)}
      typed={words.typed}
      isDangerous
      body={{}}
      send={(_, { idempotencyKey }) => api.post('/v1/connected-apps/end-all', { idempotencyKey })}
      done={({ data }) => words.allEnded(data.ended)}
      invalidates={['/v1/connected-apps', '/v1/oauth-apps']}
    />
  )
}
