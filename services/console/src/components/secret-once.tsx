// Shows a secret once: masked until Show, copied by a button, gone when the dialog closes (ui.md 6). It is in no storage, address or cache.
import { Checkbox, Code, Group, Button as LibraryButton, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

interface SecretOnceProps {
  /** Null: the dialog is closed. */
  secret: string | null
  title: string
  /** What it is, such as `signing secret`. */
  what: string
  onDone: () => void
  /** Below the secret, such as snippets. */
  children?: ReactNode
}

export function SecretOnce({ secret, title, what, onDone, children }: SecretOnceProps) {
  const [isShown, setShown] = useState(false)
  const [isStored, setStored] = useState(false)
  const words = texts.secret
  const done = () => {
    setShown(false)
    setStored(false)
    onDone()
  }
  return (
    <Dialog title={title} isOpen={secret !== null} onClose={() => isStored && done()} size="lg" canClose={false}>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Group gap="sm" wrap="nowrap" className="wds-secret">
          <Code block className="wds-grow" aria-label={what}>
            {isShown ? secret : `${'•'.repeat(24)} (${words.hidden})`}
          </Code>
        </Group>
        <Group gap="sm">
          <LibraryButton size="xs" variant="default" onClick={() => setShown(!isShown)}>
            {isShown ? words.hide : words.show}
          </LibraryButton>
          <CopyButton text={secret ?? ''} what={what} wide />
        </Group>
        {children}
        <Group justify="space-between" mt="sm">
          <Checkbox
            label={words.stored}
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          <LibraryButton disabled={!isStored} onClick={done}>
            {words.done}
          </LibraryButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
