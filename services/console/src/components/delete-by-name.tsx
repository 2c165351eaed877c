// The end of something, for good: its name is typed, what ends with it is counted while the dialog is open, and it is deleted only in the
// version that was looked at (ui.md 6).
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCommand } from '../queries.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { IconName } from './icon.tsx'
import { announce } from './live-region.tsx'

interface DeleteByNameProps {
  words: {
    /** Of the card; the button's own words unless told. */
    title?: string
    hint: string
    /** Of both buttons. */
    action: string
    /** Of the dialog. */
    question: string
    /** Said when it is over. */
    done: string
  }
  icon?: IconName
  /** What must be typed. */
  name: string
  etag: string | null
  send: (version: { ifMatch?: string }) => Promise<unknown>
  invalidates: readonly string[]
  /** Leaves the page; without, the page goes on showing what has ended. */
  onDone?: () => void
  /** What happens, with numbers; asked for when the dialog opens. */
  children: ReactNode
}

export function DeleteByName({ words, icon = 'trash', name, etag, send, invalidates, ...o }: DeleteByNameProps) {
  const [isAsking, setAsking] = useState(false)
  const remove = useCommand(
    ({ etag: version }: { etag: string | null }) => send(version === null ? {} : { ifMatch: version }),
    {
      invalidates,
      leavesPage: o.onDone !== undefined,
      onDone: () => {
        setAsking(false)
        announce(words.done)
        o.onDone?.()
      },
    },
  )
  const close = () => {
    setAsking(false)
    remove.reset()
  }
  return (
    <Card
      title={words.title ?? words.action}
      hint={words.hint}
      isPadded={false}
      actions={
        <Button icon={icon} onClick={() => setAsking(true)}>
          {words.action}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.question}
        action={words.action}
        typed={name}
        isRunning={remove.isRunning}
        error={remove.error}
        onConfirm={() => remove.run({ etag })}
      >
        <Text size="sm" component="div">
          {o.children}
        </Text>
      </ConfirmDialog>
    </Card>
  )
}
