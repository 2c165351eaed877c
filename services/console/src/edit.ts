// A form over one resource: what was opened, what is typed, and what to do when somebody else saved meanwhile (ui.md 1). Only what was
// changed is sent, over the version that was looked at.
import type { Answer } from '@wds/api-client/operations'
import { isProblem } from '@wds/api-client/problem'
import { useRef, useState } from 'react'
import { announce } from './components/live-region.tsx'
import { useCommand } from './queries.ts'
import { texts } from './texts.ts'
import { stillWrong } from './view-models/faults.ts'
import { mergePatchOf } from './view-models/merge-patch.ts'

interface EditOptions<Resource, Draft> {
  /** As it is saved now, and the version of that. */
  resource: Resource
  etag: string | null
  /** What is typed, of what is saved. */
  draftOf: (resource: Resource) => Draft
  /** What is saved, of what is typed. */
  fieldsOf: (draft: NoInfer<Draft>) => object
  send: (patch: Record<string, unknown>, version: { ifMatch?: string }) => Promise<Answer<Resource>>
  invalidates: readonly string[]
  /** Said when it is saved. */
  saved?: string
  onSaved?: (resource: Resource) => void
}

export interface Edit<Draft> {
  draft: Draft
  set(change: Partial<Draft>): void
  setDraft(draft: Draft): void
  /** What Save would send. */
  patch: Record<string, unknown>
  /** True after a try to save: what is missing is named. */
  wasTried: boolean
  /** Both versions, after a 412. */
  conflict: { yours: object; theirs: object } | null
  /** Any other refusal, but for what was set right since. */
  error: Error | null
  isRunning: boolean
  save(): void
  /** Saves what is typed over what somebody else saved. */
  keep(): void
  /** Takes what somebody else saved. */
  take(): void
}

interface Version<Draft> {
  draft: Draft
  etag: string | null
}

export function useEdit<Resource, Draft extends object>(o: EditOptions<Resource, Draft>): Edit<Draft> {
  const patchBetween = (before: Draft, after: Draft) =>
    mergePatchOf(
      { ...o.fieldsOf(before) } as Record<string, unknown>,
      { ...o.fieldsOf(after) } as Record<string, unknown>,
    )
  const current: Version<Draft> = { draft: o.draftOf(o.resource), etag: o.etag }
  // The version that the form began with: what is polled later must not change what is typed.
  const opened = useRef(current)
  const [draft, setDraft] = useState(current.draft)
  const sent = useRef(draft)
  const [wasTried, setTried] = useState(false)
  const write = useCommand(
    ({ patch, etag }: { patch: Record<string, unknown>; etag: string | null }) =>
      o.send(patch, etag === null ? {} : { ifMatch: etag }),
    {
      invalidates: o.invalidates,
      onDone: ({ data, etag }) => {
        opened.current = { draft: o.draftOf(data), etag }
        const saved = opened.current.draft
        // What was typed while it was being saved stays, over the version that is saved now.
        setDraft((typed) => (typed === sent.current ? saved : typed))
        setTried(false)
        announce(o.saved ?? texts.form.saved)
        o.onSaved?.(data)
      },
    },
  )
  // A version that differs in none of these fields, such as after a run or a new secret, is as good as the one that was opened.
  const isOpened = Object.keys(patchBetween(opened.current.draft, current.draft)).length === 0
  const base = isOpened ? current : opened.current
  const isConflict = isProblem(write.error, 'precondition_failed') && !isOpened
  const saveOver = (version: Version<Draft>) => {
    setTried(true)
    sent.current = draft
    write.run({ patch: patchBetween(version.draft, draft), etag: version.etag })
  }
  const patch = patchBetween(base.draft, draft)
  return {
    draft,
    setDraft,
    patch,
    wasTried,
    isRunning: write.isRunning,
    set: (change) => setDraft({ ...draft, ...change }),
    conflict: isConflict ? { yours: o.fieldsOf(draft), theirs: o.fieldsOf(current.draft) } : null,
    error: isConflict ? null : stillWrong(write.error, write.sent?.patch, patch),
    save: () => saveOver(base),
    keep: () => saveOver(current),
    take: () => {
      opened.current = current
      setDraft(current.draft)
      write.reset()
    },
  }
}
