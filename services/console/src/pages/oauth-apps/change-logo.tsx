// Another logo for an app.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { LogoField } from '../../components/logo-field.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useCommand } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { faultOf, stillWrong } from '../../view-models/faults.ts'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

export function ChangeLogo({ app, etag }: { app: OAuthApp; etag: string | null }) {
  const [file, setFile] = useState<File | null>(null)
  const gate = usePlanGate()
  const save = useCommand(
    ({ logo, ifMatch }: { logo: Blob; ifMatch: string | null; mark: string }, { idempotencyKey }) =>
      api.post(
        '/v1/oauth-apps/{id}/logo',
        withoutUndefined({
          path: { id: app.id },
          body: { logo },
          idempotencyKey,
          ifMatch: ifMatch ?? undefined,
        }),
      ),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: () => {
        setFile(null)
        announce(words.logoSaved)
      },
    },
  )
  const error = stillWrong(save.error, save.sent, { logo: file })
  const submit = () =>
    file !== null && save.run({ logo: file, ifMatch: etag, mark: `${file.name} ${file.size} ${file.lastModified}` })
  return (
    <Card title={words.logo}>
      <Stack>
        {error !== null && <ProblemNote error={error} takesFocus />}
        <LogoField
          label={words.logo}
          isLabelHidden
          hint={words.logoHint}
          choose={words.chooseLogo}
          file={file}
          name={app.name}
          current={app.logo_path}
          onChange={setFile}
          error={faultOf(error, '/logo')}
        />
        {file !== null && (
          <Group>
            <Button look="primary" isRunning={save.isRunning} disabledBecause={gate} onClick={submit}>
              {words.changeLogo}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
