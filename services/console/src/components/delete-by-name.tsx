// The end of something, for good: its name is typed, what ends with it is counted while the dialog is open, and it is deleted only in the
// version that was looked at (ui.md 6).
import type { ReactNode } from 'react'
import { AskButton } from './ask-button.tsx'
import { Card } from './card.tsx'
import type { IconName } from './icon.tsx'

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

export function DeleteByName({ words, icon = 'trash', name, etag, children, ...o }: DeleteByNameProps) {
  return (
    <Card
      title={words.title ?? words.action}
      hint={words.hint}
      isPadded={false}
      actions={
        <AskButton
          icon={icon}
          title={words.question}
          action={words.action}
          about={children}
          typed={name}
          done={words.done}
          isDangerous
          etag={etag}
          body={{}}
          send={(_, { ifMatch }) => o.send(ifMatch === undefined ? {} : { ifMatch })}
          invalidates={o.invalidates}
          leavesPage={o.onDone !== undefined}
          onDone={() => o.onDone?.()}
        />
      }
    />
  )
}
