// The fields of an app, saved only over the version that was looked at.
import { isProblem } from '@wds/api-client/problem'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { VersionConflict } from '../../components/version-conflict.tsx'
import { useCommand } from '../../queries.ts'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import { draftOfApp, fieldsOfDraft } from '../../view-models/oauth-app-draft.ts'
import { AppFields } from './app-fields.tsx'
import { type OAuthApp, usePlanGate } from './oauth-app.ts'

export function EditApp({ app, etag }: { app: OAuthApp; etag: string | null }) {
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef(etag)
  const [draft, setDraft] = useState(() => draftOfApp(app))
  const [wasTried, setTried] = useState(false)
  const gate = usePlanGate()
  const save = useCommand(
    ({ fields, ifMatch }: { fields: ReturnType<typeof fieldsOfDraft>; ifMatch: string | null }) =>
      api.patch('/v1/oauth-apps/{id}', {
        path: { id: app.id },
        body: fields,
        ...(ifMatch === null ? {} : { ifMatch }),
      }),
    {
      invalidates: ['/v1/oauth-apps'],
      onDone: ({ data, etag: next }) => {
        opened.current = next
        setDraft(draftOfApp(data))
        setTried(false)
        announce(words.saved)
      },
    },
  )
  const isConflict = isProblem(save.error, 'precondition_failed')
  const submit = (ifMatch: string | null) => {
    setTried(true)
    save.run({ fields: fieldsOfDraft(draft), ifMatch })
  }
  const take = () => {
    opened.current = etag
    setDraft(draftOfApp(app))
    save.reset()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(opened.current)
      }}
    >
      <Card title={words.edit} hint={words.editHint}>
        <Stack gap="lg">
          {isConflict && (
            <VersionConflict
              yours={fieldsOfDraft(draft)}
              theirs={fieldsOfDraft(draftOfApp(app))}
              onTake={take}
              onKeep={() => submit(etag)}
            />
          )}
          {save.error !== null && !isConflict && <ProblemNote error={save.error} takesFocus />}
          <AppFields draft={draft} onChange={setDraft} error={save.error} at="" wasTried={wasTried} />
          <Group>
            <Button look="primary" type="submit" isRunning={save.isRunning} disabledBecause={gate}>
              {texts.form.save}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}
