// Registers an app. A link can fill the fields; only the person submits (ui.md 2).
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { Form } from '../../components/form.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Stack } from '../../components/layout.ts'
import { LogoField, useFileUrl } from '../../components/logo-field.tsx'
import { Page } from '../../components/page.tsx'
import { Radio } from '../../components/radio.ts'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useCommand } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import { faultOf, stillWrong } from '../../view-models/faults.ts'
import { type AppDraft, draftOfLink, fieldsOfApp } from '../../view-models/oauth-app-draft.ts'
import { AppFields } from './app-fields.tsx'
import { ConsentCard } from './consent-card.tsx'
import { usePlanGate } from './oauth-app.ts'
import { PlanNotice } from './plan-notice.tsx'

interface Made {
  id: string
  clientId: string
  secret: string
}

export function NewOAuthAppPage() {
  const search = useRouterState({ select: (state) => state.location.search as Record<string, unknown> })
  const openPage = useOpenPage()
  const gate = usePlanGate()
  const [draft, setDraft] = useState<AppDraft>(() => draftOfLink(search))
  const [logo, setLogo] = useState<File | null>(null)
  const [wasTried, setTried] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const preview = useFileUrl(logo)
  const app = { ...fieldsOfApp(draft), state: draft.state }
  const register = useCommand(
    ({ app: fields, logo: file }: { app: typeof app; logo: Blob; mark: string }, { idempotencyKey }) =>
      api.post('/v1/oauth-apps', { body: { app: fields, logo: file }, idempotencyKey }),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: ({ data }) => setMade({ id: data.id, clientId: data.client_id, secret: data.client_secret }),
    },
  )
  const error = stillWrong(register.error, register.sent, { app, logo })
  const submit = () => {
    setTried(true)
    if (logo === null) return
    // A file writes itself as {}: its mark tells one input from another.
    register.run({ app, logo, mark: `${logo.name} ${logo.size} ${logo.lastModified}` })
  }
  const done = () => {
    const id = made?.id ?? ''
    setMade(null)
    register.reset()
    openPage(`oauth-apps/${id}`)
  }
  return (
    <Page title={words.register} above={<RouteLink to="oauth-apps">{texts.nav.oauthApps}</RouteLink>}>
      <PlanNotice />
      <div className="wds-form-and-preview">
        <Form
          title={words.about}
          onSubmit={submit}
          submit={words.register}
          isRunning={register.isRunning}
          error={error}
          disabledBecause={gate}
        >
          <LogoField
            label={words.logo}
            hint={words.logoHint}
            choose={words.chooseLogo}
            file={logo}
            name={draft.name}
            onChange={setLogo}
            error={faultOf(error, '/logo') ?? (wasTried && logo === null ? words.logoNeeded : null)}
          />
          <AppFields draft={draft} onChange={setDraft} error={error} at="/app" wasTried={wasTried} />
          <Radio.Group
            label={words.stateLegend}
            value={draft.state}
            onChange={(state) => setDraft({ ...draft, state: state as AppDraft['state'] })}
          >
            <Stack gap="xs" pt={4}>
              <Radio value="live" label={words.live} description={words.liveHint} />
              <Radio value="development" label={words.development} description={words.developmentHint} />
            </Stack>
          </Radio.Group>
        </Form>
        <ConsentCard draft={draft} logo={preview} />
      </div>
      <SecretOnce
        secret={made?.secret ?? null}
        title={words.secretTitle(draft.name.trim())}
        what={words.clientSecret}
        onDone={done}
      >
        <Facts
          facts={[{ name: words.clientId, value: <IdText id={made?.clientId ?? ''} what={words.clientId} isWhole /> }]}
        />
      </SecretOnce>
    </Page>
  )
}
