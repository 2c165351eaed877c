// The fields of one integration, saved only over the version that was looked at; and its end.
import { isProblem } from '@wds/api-client/problem'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { VersionConflict } from '../../components/version-conflict.tsx'
import { useAllowed } from '../../permissions.ts'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { texts } from '../../texts.ts'
import {
  integrationFields,
  integrationPatch,
  settingFields,
  typedIntegration,
} from '../../view-models/integration-draft.ts'
import { DeleteIntegration } from './delete-integration.tsx'
import { IntegrationForm } from './integration-form.tsx'
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
                return provider && <EditIntegration {...{ integration, etag, provider }} />
              }}
            </Loaded>
            <DeleteIntegration integration={integration} />
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

interface Write {
  patch: Record<string, unknown>
  ifMatch: string | null
}

function EditIntegration({
  integration,
  etag,
  provider,
}: {
  integration: Integration
  etag: string | null
  provider: Provider
}) {
  const fields = settingFields(provider)
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef({ draft: typedIntegration(integration, fields), etag })
  const [draft, setDraft] = useState(opened.current.draft)
  const path = { id: integration.id }
  const save = useCommand(
    ({ patch: body, ifMatch }: Write) =>
      api.patch('/v1/integrations/{id}', { path, body, ...(ifMatch === null ? {} : { ifMatch }) }),
    {
      invalidates: ['/v1/integrations'],
      onDone: ({ data, etag: next }) => {
        opened.current = { draft: typedIntegration(data, fields), etag: next }
        setDraft(opened.current.draft)
        announce(words.saved)
      },
    },
  )
  const patch = integrationPatch(opened.current.draft, draft, fields)
  const theirs = typedIntegration(integration, fields)
  const isConflict = isProblem(save.error, 'precondition_failed')
  const take = () => {
    opened.current = { draft: theirs, etag }
    setDraft(theirs)
    save.reset()
  }
  return (
    <>
      {isConflict && (
        <VersionConflict
          yours={integrationFields(draft, fields)}
          theirs={integrationFields(theirs, fields)}
          onTake={take}
          onKeep={() => save.run({ patch: integrationPatch(theirs, draft, fields), ifMatch: etag })}
        />
      )}
      <IntegrationForm
        provider={provider}
        draft={draft}
        onChange={setDraft}
        onSubmit={() => save.run({ patch, ifMatch: opened.current.etag })}
        submit={texts.form.save}
        isNew={false}
        isRunning={save.isRunning}
        error={isConflict ? null : save.error}
      >
        <CurlView method="patch" path={`/v1/integrations/${integration.id}`} body={patch} />
      </IntegrationForm>
    </>
  )
}
