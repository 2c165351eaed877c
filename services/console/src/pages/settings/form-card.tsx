// A card that is a form: what went wrong, the fields, Save.
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { VersionConflict } from '../../components/version-conflict.tsx'
import { texts } from '../../texts.ts'

interface FormCardProps {
  title: string
  hint?: string
  form: {
    draft: object
    isConflict: boolean
    isRunning: boolean
    error: Error | null
    save(): void
    keep(): void
    take(): void
  }
  /** What somebody else saved. */
  theirs: object
  children: ReactNode
}

export function FormCard({ title, hint, form, theirs, children }: FormCardProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.save()
      }}
    >
      <Card title={title} {...(hint === undefined ? {} : { hint })}>
        <Stack gap="lg">
          {form.isConflict && (
            <VersionConflict yours={form.draft} theirs={theirs} onKeep={form.keep} onTake={form.take} />
          )}
          {form.error !== null && !form.isConflict && <ProblemNote error={form.error} takesFocus />}
          {children}
          <Group>
            <Button look="primary" type="submit" isRunning={form.isRunning}>
              {texts.form.save}
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}
