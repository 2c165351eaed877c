// A new key: what it may do and until when, then its text once.
import { useState } from 'react'
import { api, baseUrl } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Form } from '../../components/form.tsx'
import { Group } from '../../components/layout.ts'
import { Page } from '../../components/page.tsx'
import { Radio } from '../../components/radio.ts'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useCommand } from '../../queries.ts'
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { texts } from '../../texts.ts'
import { emptyKeyDraft, type KeyDraft, type KeyLife, keyLives, newKeyOf } from '../../view-models/api-key-draft.ts'
import { curlText } from '../../view-models/curl-text.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { KeyFields } from './key-fields.tsx'

export function NewApiKeyPage() {
  const openPage = useOpenPage()
  const [draft, setDraft] = useState<KeyDraft>(emptyKeyDraft)
  const [wasTried, setTried] = useState(false)
  const [made, setMade] = useState<{ id: string; key: string } | null>(null)
  const create = useCommand(
    (body: ReturnType<typeof newKeyOf>, { idempotencyKey }) => api.post('/v1/api-keys', { body, idempotencyKey }),
    { invalidates: ['/v1/api-keys'], onDone: ({ data }) => setMade({ id: data.id, key: data.api_key }) },
  )
  const body = newKeyOf(draft)
  const error = stillWrong(create.error, create.sent, body)
  const submit = () => {
    setTried(true)
    if (draft.name.trim() !== '' && draft.scopes.length > 0) create.run(body)
  }
  const done = () => {
    const id = made?.id ?? ''
    // The answer holds the key: nothing keeps it behind the dialog.
    setMade(null)
    create.reset()
    openPage(`api-keys/${id}`)
  }
  return (
    <Page title={words.create} above={<RouteLink to="api-keys">{texts.nav.apiKeys}</RouteLink>}>
      <Form title={words.about} onSubmit={submit} submit={words.create} isRunning={create.isRunning} error={error}>
        <KeyFields draft={draft} onChange={setDraft} error={error} wasTried={wasTried} />
        <Radio.Group
          label={words.end}
          description={words.endHint}
          value={draft.life}
          onChange={(life) => setDraft({ ...draft, life: life as KeyLife })}
        >
          <Group pt="xs" gap="lg">
            {keyLives.map((life) => (
              <Radio key={life} value={life} label={words.lives[life]} />
            ))}
          </Group>
        </Radio.Group>
      </Form>
      <SecretOnce secret={made?.key ?? null} title={words.secretTitle} what={words.secret} onDone={done}>
        <CodeBlock what={words.useIt} text={curlText({ method: 'get', url: `${baseUrl}/v1/workspace` })} />
      </SecretOnce>
    </Page>
  )
}
