// A new integration: first what it is made of, then the fields of that provider; of postbacks then the address, once.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { Form } from '../../components/form.tsx'
import { Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { Radio } from '../../components/radio.ts'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Text } from '../../components/text.ts'
import { useFilters } from '../../filters.ts'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { postbackTexts } from '../../texts/postbacks.ts'
import { texts } from '../../texts.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { upTo } from '../../view-models/filters.ts'
import { emptyIntegration, newIntegration, settingFaults } from '../../view-models/integration-draft.ts'
import { IntegrationFields } from './integration-fields.tsx'
import { PostbackQuery } from './postback-guide.tsx'
import { type Provider, providerWords, useProviders } from './use-providers.ts'

const rules = { provider: upTo(40) }

export function NewIntegrationPage() {
  const providers = useProviders()
  return (
    <Page title={words.create} above={<RouteLink to="integrations">{texts.nav.integrations}</RouteLink>}>
      <Loaded source={providers}>{(data) => <NewIntegration providers={data} />}</Loaded>
    </Page>
  )
}

function NewIntegration({ providers }: { providers: readonly Provider[] }) {
  const openPage = useOpenPage()
  const { values, set } = useFilters(rules)
  const [draft, setDraft] = useState(emptyIntegration)
  const [wasTried, setTried] = useState(false)
  const usable = providers.filter(({ available }) => available)
  const later = providers.filter(({ available }) => !available)
  const provider = usable.find((one) => one.provider === values.provider) ?? usable[0]
  const [made, setMade] = useState<Schemas['Integration'] | null>(null)
  const open = ({ id }: Schemas['Integration']) => {
    announce(texts.form.saved)
    openPage(`integrations/${id}`)
  }
  const create = useCommand(
    (body: Schemas['NewIntegration'], { idempotencyKey }) => api.post('/v1/integrations', { body, idempotencyKey }),
    {
      invalidates: ['/v1/integrations'],
      onDone: ({ data }) => (data.postback_url === undefined ? open(data) : setMade(data)),
    },
  )
  const done = () => {
    // The answer holds the address: nothing keeps it behind the dialog.
    setMade(null)
    create.reset()
    if (made !== null) open(made)
  }
  if (provider === undefined) return null
  const body = newIntegration(draft, provider)
  const error = stillWrong(create.error, create.sent, body)
  const isFaulty = Object.keys(settingFaults(provider, draft)).length > 0
  return (
    <Stack gap="lg">
      <Card title={words.form.source}>
        <Stack gap="sm">
          <Radio.Group
            aria-label={words.form.source}
            value={provider.provider}
            onChange={(value) => {
              setDraft({ ...draft, settings: {} })
              setTried(false)
              set({ provider: value })
            }}
          >
            <Stack gap="sm">
              {usable.map((one) => {
                const { name, text } = providerWords(one.provider)
                return <Radio key={one.provider} value={one.provider} label={name} description={text} />
              })}
            </Stack>
          </Radio.Group>
          {later.length > 0 && (
            <Text size="sm" c="dimmed">
              {words.later(later.map((one) => providerWords(one.provider).name).join(', '))}
            </Text>
          )}
        </Stack>
      </Card>
      <Form
        onSubmit={() => {
          setTried(true)
          if (!isFaulty) create.run(body)
        }}
        submit={words.create}
        isRunning={create.isRunning}
        error={error}
        beside={<CurlView method="post" path="/v1/integrations" body={body} />}
      >
        <IntegrationFields
          provider={provider}
          draft={draft}
          onChange={setDraft}
          isNew
          error={error}
          wasTried={wasTried}
        />
      </Form>
      <SecretOnce
        secret={made?.postback_url ?? null}
        title={postbackTexts.made}
        what={postbackTexts.secret}
        onDone={done}
      >
        <PostbackQuery settings={made?.settings ?? {}} />
      </SecretOnce>
    </Stack>
  )
}
