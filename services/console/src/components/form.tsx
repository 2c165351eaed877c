// Every form: what was refused takes the focus, then come the fields and the button that sends them. A form over something that exists also
// shows both versions when somebody else saved meanwhile (ui.md 1).
import { Group, Stack } from '@mantine/core'
import { isProblem } from '@wds/api-client/problem'
import { type ReactNode, useRef } from 'react'
import type { Edit } from '../edit.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { ProblemNote } from './problem-note.tsx'
import { VersionConflict } from './version-conflict.tsx'

interface FormProps {
  onSubmit: () => void
  /** Words of the button. */
  submit: string
  isRunning: boolean
  error: Error | null
  /** A sentence: why it cannot be sent now. */
  disabledBecause?: string | null
  /** Beside the button, such as View as curl. */
  beside?: ReactNode
  /** Above the fields. */
  above?: ReactNode
  /** Of a card around all of it; without, the form is made of cards. */
  title?: string
  hint?: string
  children: ReactNode
}

/** Is it worth to send the same once more? The server was away, or asked to wait. */
const passesBy = (error: Error) => !isProblem(error) || error.retryAfterSeconds !== null

export function Form({ title, hint, above, error, children, beside, ...o }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const body = (
    <Stack gap="lg">
      {above}
      {error !== null && <ProblemNote error={error} takesFocus onTryAgain={passesBy(error) ? o.onSubmit : undefined} />}
      {children}
      <Group gap="sm">
        <Button look="primary" type="submit" isRunning={o.isRunning} disabledBecause={o.disabledBecause ?? null}>
          {o.submit}
        </Button>
        {beside}
      </Group>
    </Stack>
  )
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        o.onSubmit()
        // What the page itself finds wrong shows at once, and nothing is sent.
        requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      }}
    >
      {title === undefined ? (
        body
      ) : (
        <Card title={title} hint={hint}>
          {body}
        </Card>
      )}
    </form>
  )
}

type EditFormProps = Pick<FormProps, 'title' | 'hint' | 'disabledBecause' | 'beside' | 'children'> & {
  form: Pick<Edit<never>, 'conflict' | 'error' | 'isRunning' | 'save' | 'keep' | 'take'>
  /** Unset: save. False: the fields are not to be sent yet. */
  canSave?: boolean
}

export function EditForm({ form, canSave = true, ...o }: EditFormProps) {
  const { conflict, error, isRunning, save, keep, take } = form
  return (
    <Form
      {...o}
      onSubmit={() => canSave && save()}
      submit={texts.form.save}
      isRunning={isRunning}
      error={error}
      above={conflict !== null && <VersionConflict {...conflict} onKeep={keep} onTake={take} />}
    />
  )
}
