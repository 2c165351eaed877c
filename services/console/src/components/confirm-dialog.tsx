// Asks before something ends: names the object, counts what ends with it, and for a deletion has its name typed (ui.md 6).
import { Group, Button as LibraryButton, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  title: string
  /** What happens, with numbers. */
  children: ReactNode
  /** Of the button, such as `Delete example.com`. */
  action: string
  onConfirm: () => void
  isRunning?: boolean
  error?: Error | null
  /** What must be typed; null: nothing. */
  typed?: string | null
  isDangerous?: boolean
}

export function ConfirmDialog({
  typed = null,
  isDangerous = true,
  isRunning = false,
  error = null,
  ...o
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const [wasWrong, setWrong] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const words = texts.confirm
  const close = () => {
    setText('')
    setWrong(false)
    o.onClose()
  }
  const confirm = () => {
    if (typed !== null && text.trim() !== typed) setWrong(true)
    else o.onConfirm()
  }
  return (
    <Dialog title={o.title} isOpen={o.isOpen} onClose={close}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
          // What the dialog itself finds wrong shows at once, and nothing is sent.
          requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
        }}
      >
        <Stack>
          {o.children}
          {typed !== null && (
            <TextInput
              label={words.typeToConfirm(typed)}
              value={text}
              autoComplete="off"
              data-autofocus
              error={wasWrong ? words.mismatch(typed) : null}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          {error !== null && <ProblemNote error={error} takesFocus />}
          <Group justify="flex-end" gap="sm">
            <LibraryButton variant="default" onClick={close}>
              {words.cancel}
            </LibraryButton>
            <Button type="submit" isRunning={isRunning} look={isDangerous ? 'danger' : 'primary'}>
              {o.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
