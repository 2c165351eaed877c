// Switches something on, or off after asking.
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useCommand } from '../queries.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { announce } from './live-region.tsx'
import { ProblemNote } from './problem-note.tsx'

interface SwitchActionProps {
  isOn: boolean
  words: {
    /** Of the buttons. */
    enable: string
    disable: string
    /** Said when it is done. */
    enabled: string
    disabled: string
    /** Of the dialog. */
    disableTitle: string
    disableText: string
  }
  send: (action: 'enable' | 'disable', o: { idempotencyKey: string }) => Promise<unknown>
  invalidates: readonly string[]
  /** False: what is switched off loses nothing. */
  isDangerous?: boolean
}

export function SwitchAction({ isOn, words, invalidates, isDangerous = true, send }: SwitchActionProps) {
  const [isAsking, setAsking] = useState(false)
  const enable = useCommand((_: null, key) => send('enable', key), {
    invalidates,
    onDone: () => announce(words.enabled),
  })
  const disable = useCommand((_: null, key) => send('disable', key), {
    invalidates,
    onDone: () => {
      setAsking(false)
      announce(words.disabled)
    },
  })
  if (!isOn)
    return (
      <>
        {enable.error !== null && <ProblemNote error={enable.error} onTryAgain={() => enable.run(null)} />}
        <Button look="primary" icon="play" isRunning={enable.isRunning} onClick={() => enable.run(null)}>
          {words.enable}
        </Button>
      </>
    )
  return (
    <>
      <Button icon="pause" onClick={() => setAsking(true)}>
        {words.disable}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.disableTitle}
        action={words.disable}
        isDangerous={isDangerous}
        isRunning={disable.isRunning}
        error={disable.error}
        onConfirm={() => disable.run(null)}
      >
        <Text size="sm">{words.disableText}</Text>
      </ConfirmDialog>
    </>
  )
}
