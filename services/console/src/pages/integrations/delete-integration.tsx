// The end of an integration, with the runs that end with it.
import { api } from '../../api.ts'
import { DeleteByName } from '../../components/delete-by-name.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { useList } from '../../queries.ts'
import { integrationTexts } from '../../texts/integrations.ts'
import { texts } from '../../texts.ts'
import type { Integration } from './integration-frame.tsx'

const words = integrationTexts.deletion

interface DeleteIntegrationProps {
  integration: Integration
  etag: string | null
}

export function DeleteIntegration({ integration: { id, name }, etag }: DeleteIntegrationProps) {
  const openPage = useOpenPage()
  return (
    <DeleteByName
      words={{ ...words, question: words.questionOf(name) }}
      name={name}
      etag={etag}
      send={(version) => api.delete('/v1/integrations/{id}', { path: { id }, ...version })}
      invalidates={['/v1/integrations', '/v1/sync-runs']}
      onDone={() => openPage('integrations')}
    >
      <EndingRuns integrationId={id} />
    </DeleteByName>
  )
}

function EndingRuns({ integrationId }: { integrationId: string }) {
  const { rows } = useList('/v1/integrations/{integration_id}/sync-runs', {
    path: { integration_id: integrationId },
    query: { status: ['queued', 'running', 'retry_wait'] },
  })
  return rows === undefined ? texts.list.loading : words.text(rows.length)
}
