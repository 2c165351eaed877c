// Says to readers of the screen what changed, politely and in one sentence (ui.md 6).
import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'

type Listener = (text: string) => void
const listeners = new Set<Listener>()

/** One sentence, such as `12 new deliveries`. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text)
}

/** Stands once, in the shell. */
export function LiveRegion() {
  const [text, setText] = useState('')
  useEffect(() => {
    listeners.add(setText)
    return () => void listeners.delete(setText)
  }, [])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  )
}
