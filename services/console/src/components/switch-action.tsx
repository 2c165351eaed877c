// Switches something on, or off after asking.
import { useCommand } from '../queries.ts'
import { AskButton } from './ask-button.tsx'
import { Button } from './button.tsx'
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
  const enable = useCommand((_: null, key) => send('enable', key), {
    invalidates,
    onDone: () => announce(words.enabled),
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
    <AskButton
      icon="pause"
      title={words.disableTitle}
      action={words.disable}
      about={words.disableText}
      done={words.disabled}
      isDangerous={isDangerous}
      body={{}}
      send={(_, key) => send('disable', key)}
      invalidates={invalidates}
    />
  )
}
