// What can be done with something: a button for each action, and a question before each, in a dialog of its own.
import { Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCommand } from '../queries.ts'
import { stillWrong } from '../view-models/faults.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { IconName } from './icon.tsx'
import { announce } from './live-region.tsx'

interface ActionButtonsProps<Action extends string> {
  /** In the order of the buttons. */
  actions: readonly Action[]
  words: Readonly<Record<Action, string>>
  icons: Readonly<Record<Action, IconName>>
  /** The one thing to do here. */
  primary?: Action | undefined
  /** What is asked. */
  children: (action: Action, onClose: () => void) => ReactNode
}

export function ActionButtons<Action extends string>({ actions, words, icons, ...o }: ActionButtonsProps<Action>) {
  const [asking, setAsking] = useState<Action | null>(null)
  // An action that is done is offered no more; its dialog closes by itself.
  if (actions.length === 0 && asking === null) return null
  return (
    <Group gap="sm">
      {actions.map((action) => (
        <Button
          key={action}
          look={action === o.primary ? 'primary' : 'quiet'}
          icon={icons[action]}
          onClick={() => setAsking(action)}
        >
          {words[action]}
        </Button>
      ))}
      {asking !== null && o.children(asking, () => setAsking(null))}
    </Group>
  )
}

export interface AskFirstProps<Body, Output> {
  title: string
  /** Of the button. */
  action: string
  /** What happens, with numbers. */
  about: ReactNode
  /** Said when it is done. */
  done: string | ((output: Output) => string)
  /** What must be typed. */
  typed?: string
  isDangerous?: boolean
  /** Of the version that the page shows: what is done is done with that one. */
  etag?: string | null
  /** What is sent; null: it is not whole. */
  body: Body | null
  send: (body: Body, o: { idempotencyKey: string; ifMatch?: string }) => Promise<Output>
  invalidates: readonly string[]
  /** True: what the page shows is gone, so it is not fetched again. */
  leavesPage?: boolean
  onDone?: (output: Output) => void
  onClose: () => void
  /** The fields. `wasTried`: what is missing is named. */
  children?: (o: { error: Error | null; wasTried: boolean }) => ReactNode
}

export function AskFirst<Body, Output>({ etag = null, body, isDangerous = false, ...o }: AskFirstProps<Body, Output>) {
  const [wasTried, setTried] = useState(false)
  const command = useCommand(
    (given: { body: Body; version: { ifMatch?: string } }, key) => o.send(given.body, { ...key, ...given.version }),
    {
      invalidates: o.invalidates,
      leavesPage: o.leavesPage ?? false,
      onDone: (output) => {
        announce(typeof o.done === 'string' ? o.done : o.done(output))
        o.onDone?.(output)
        o.onClose()
      },
    },
  )
  const error = stillWrong(command.error, command.sent?.body, body)
  const confirm = () => {
    setTried(true)
    if (body !== null) command.run({ body, version: etag === null ? {} : { ifMatch: etag } })
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={o.onClose}
      title={o.title}
      action={o.action}
      typed={o.typed ?? null}
      isDangerous={isDangerous}
      isRunning={command.isRunning}
      error={error}
      onConfirm={confirm}
    >
      <Text size="sm" component="div">
        {o.about}
      </Text>
      {o.children?.({ error, wasTried })}
    </ConfirmDialog>
  )
}
