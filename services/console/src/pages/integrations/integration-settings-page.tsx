// The fields of one integration, saved only over the version that was looked at; and its end.
import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EditForm } from '../../components/form.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { useEdit } from '../../edit.ts'
import { useAllowed } from '../../permissions.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import {
  draftOfIntegration,
  fieldsOfIntegration,
  settingFaults,
  settingFields,
} from '../../view-models/integration-draft.ts'
import { DeleteIntegration } from './delete-integration.tsx'
import { IntegrationFields } from './integration-fields.tsx'
import { type Integration, IntegrationFrame } from './integration-frame.tsx'
import { type Provider, useProviders } from './use-providers.ts'

export function IntegrationSettingsPage() {
  const providers = useProviders()
  const canWrite = useAllowed('integrations:write')
  return (
    <IntegrationFrame tab="settings">
      {({ integration, etag }) =>
        canWrite ? (
          <>
            <Loaded source={providers}>
              {(list) => {
                const provider = list.find((one) => one.provider === integration.provider)
                return provider && <EditIntegration integration={integration} etag={etag} provider={provider} />
              }}
            </Loaded>
            <DeleteIntegration integration={integration} etag={etag} />
          </>
        ) : (
          <Card title={words.tabs.settings} hint={<Notice title={words.readOnly} />}>
            <JsonView text={JSON.stringify(integration)} what={words.asJson} />
          </Card>
        )
      }
    </IntegrationFrame>
  )
}

interface EditIntegrationProps {
  integration: Integration
  etag: string | null
  provider: Provider
}

function EditIntegration({ integration, etag, provider }: EditIntegrationProps) {
  const fields = settingFields(provider)
  const { id } = integration
  const form = useEdit({
    resource: integration,
    etag,
    draftOf: (saved) => draftOfIntegration(saved, fields),
    fieldsOf: (draft) => fieldsOfIntegration(draft, fields),
    send: (body, version) => api.patch('/v1/integrations/{id}', { path: { id }, body, ...version }),
    invalidates: ['/v1/integrations'],
    saved: words.saved,
  })
  const { draft, setDraft, patch, error } = form
  return (
    <EditForm
      form={form}
      canSave={Object.keys(settingFaults(provider, draft)).length === 0}
      beside={<CurlView method="patch" path={`/v1/integrations/${id}`} body={patch} />}
    >
      <IntegrationFields provider={provider} draft={draft} onChange={setDraft} isNew={false} error={error} wasTried />
    </EditForm>
  )
}
