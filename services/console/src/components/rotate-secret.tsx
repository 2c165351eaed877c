// A new secret beside the present one, shown once; the present one goes on until the overlap is over, which is asked for where there is a choice.
import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useCommand } from '../queries.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { SecretOnce } from './secret-once.tsx'

interface RotateSecretProps<Overlap extends number> {
  words: {
    /** Of both buttons. */
    action: string
    title: string
    text: string
    /** Label of the choice, such as `The old secret ends`. */
    overlap: string
    /** Above the new secret. */
    made: string
    /** What it is, such as `signing secret`. */
    secret: string
  }
  /** Of one nothing is asked. */
  overlaps: readonly { value: Overlap; label: string }[]
  preset: Overlap
  /** Resolves to the new secret. */
  send: (overlap: Overlap, o: { idempotencyKey: string }) => Promise<string>
  invalidates: readonly string[]
  disabledBecause?: string | null
}

export function RotateSecret<Overlap extends number>({
  words,
  overlaps,
  preset,
  send,
  invalidates,
  disabledBecause = null,
}: RotateSecretProps<Overlap>) {
  const [isAsking, setAsking] = useState(false)
  const [overlap, setOverlap] = useState(preset)
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useCommand(send, {
    invalidates,
    onDone: (made) => {
      setAsking(false)
      setSecret(made)
    },
  })
  const close = () => {
    setAsking(false)
    rotate.reset()
  }
  const done = () => {
    setSecret(null)
    // The answer holds the secret: nothing keeps it behind the dialog.
    rotate.reset()
  }
  return (
    <>
      <Button icon="refresh" disabledBecause={disabledBecause} onClick={() => setAsking(true)}>
        {words.action}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.title}
        action={words.action}
        isDangerous={false}
        isRunning={rotate.isRunning}
        error={rotate.error}
        onConfirm={() => rotate.run(overlap)}
      >
        <Text size="sm">{words.text}</Text>
        {overlaps.length > 1 && (
          <Select
            label={words.overlap}
            data={overlaps.map(({ value, label }) => ({ value: String(value), label }))}
            value={String(overlap)}
            allowDeselect={false}
            onChange={(text) => setOverlap(overlaps.find(({ value }) => String(value) === text)?.value ?? preset)}
          />
        )}
      </ConfirmDialog>
      <SecretOnce secret={secret} title={words.made} what={words.secret} onDone={done} />
    </>
  )
}
