// Name, scopes and ranges of a key, saved only over the version that was looked at.
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
import { apiKeyTexts as words } from '../../texts/api-keys.ts'
import { texts } from '../../texts.ts'
import { draftOfKey, fieldsOfKey } from '../../view-models/api-key-draft.ts'
import type { ApiKey } from './api-key.ts'
import { KeyFields } from './key-fields.tsx'

export function EditKey({ apiKey, etag }: { apiKey: ApiKey; etag: string | null }) {
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef(etag)
  const [draft, setDraft] = useState(() => draftOfKey(apiKey))
  const [wasTried, setTried] = useState(false)
  const save = useCommand(
    ({ fields, ifMatch }: { fields: ReturnType<typeof fieldsOfKey>; ifMatch: string | null }) =>
      api.patch('/v1/api-keys/{id}', {
        path: { id: apiKey.id },
        body: fields,
        ...(ifMatch === null ? {} : { ifMatch }),
      }),
    {
      invalidates: ['/v1/api-keys'],
      onDone: ({ data, etag: next }) => {
        opened.current = next
        setDraft(draftOfKey(data))
        setTried(false)
        announce(words.saved)
      },
    },
  )
  const isConflict = isProblem(save.error, 'precondition_failed')
  const submit = (ifMatch: string | null) => {
    setTried(true)
    save.run({ fields: fieldsOfKey(draft), ifMatch })
  }
  const take = () => {
    opened.current = etag
    setDraft(draftOfKey(apiKey))
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
              yours={fieldsOfKey(draft)}
              theirs={fieldsOfKey(draftOfKey(apiKey))}
              onTake={take}
              onKeep={() => submit(etag)}
            />
          )}
          {save.error !== null && !isConflict && <ProblemNote error={save.error} takesFocus />}
          <KeyFields draft={draft} onChange={setDraft} error={save.error} wasTried={wasTried} />
          <Group>
            <Button look="primary" type="submit" isRunning={save.isRunning}>
              {texts.form.save}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}
