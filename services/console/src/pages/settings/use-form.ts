// A form over one resource: what was opened, what is typed, and what to do when somebody else saved meanwhile (ui.md 1).
import { isProblem } from '@wds/api-client/problem'
import { useRef, useState } from 'react'
import { announce } from '../../components/live-region.tsx'
import { useCommand } from '../../queries.ts'
import { settingsTexts as words } from '../../texts/workspace-settings.ts'
import { changed } from '../../view-models/workspace-settings.ts'

interface FormOptions<Draft> {
  current: { draft: Draft; etag: string | null }
  send: (patch: Partial<Draft>, etag: string | null) => Promise<{ etag: string | null }>
  invalidates: readonly string[]
  onSaved?: (draft: Draft) => void
}

export function useForm<Draft extends object>({ current, send, invalidates, onSaved }: FormOptions<Draft>) {
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef(current)
  const [draft, setDraft] = useState(current.draft)
  const save = useCommand(
    ({ wish, base, etag }: { wish: Draft; base: Draft; etag: string | null }) => send(changed(base, wish), etag),
    {
      invalidates,
      onDone: ({ etag }, { wish }) => {
        opened.current = { draft: wish, etag }
        announce(words.saved)
        onSaved?.(wish)
      },
    },
  )
  const isConflict = isProblem(save.error, 'precondition_failed')
  const saveOver = ({ draft: base, etag }: { draft: Draft; etag: string | null }) =>
    save.run({ wish: draft, base, etag })
  return {
    ...{ draft, isConflict, isRunning: save.isRunning, error: save.error },
    set: (change: Partial<Draft>) => setDraft({ ...draft, ...change }),
    save: () => saveOver(opened.current),
    keep: () => saveOver(current),
    take: () => {
      opened.current = current
      setDraft(current.draft)
      save.reset()
    },
  }
}
