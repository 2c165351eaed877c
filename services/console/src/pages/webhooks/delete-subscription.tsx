// The end of a subscription, with the deliveries that end with it; its host is typed.
import { api } from '../../api.ts'
import { DeleteByName } from '../../components/delete-by-name.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { useRead } from '../../queries.ts'
import { webhookTexts } from '../../texts/webhooks.ts'
import { texts } from '../../texts.ts'
import { hostOf } from '../../view-models/host.ts'
import { openText } from './condition.ts'
import type { Webhook } from './webhook.ts'

const words = webhookTexts.deletion

export function DeleteSubscription({ webhook: { id, url }, etag }: { webhook: Webhook; etag: string | null }) {
  const openPage = useOpenPage()
  const host = hostOf(url).shown
  return (
    <DeleteByName
      words={{ ...words, question: words.questionOf(host) }}
      name={host}
      etag={etag}
      send={(version) => api.delete('/v1/webhooks/{id}', { path: { id }, ...version })}
      invalidates={['/v1/webhooks', '/v1/dead-letters']}
      onDone={() => openPage('webhooks')}
    >
      <EndingDeliveries webhookId={id} />
    </DeleteByName>
  )
}

function EndingDeliveries({ webhookId }: { webhookId: string }) {
  const { data } = useRead('/v1/webhooks/{id}/condition', { path: { id: webhookId } })
  return data === undefined ? texts.list.loading : words.text(openText(data))
}
