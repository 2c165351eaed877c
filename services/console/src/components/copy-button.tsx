// Copies a text and says so.
import { ActionIcon, Button as LibraryButton, CopyButton as LibraryCopyButton } from '@mantine/core'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { announce } from './live-region.tsx'

/** `what`: of the name of the button, such as `event ID`. `wide`: with words, else the icon alone. */
export function CopyButton({ text, what, wide = false }: { text: string; what: string; wide?: boolean }) {
  const { copied: copiedText, copyOf } = texts.copy
  return (
    <LibraryCopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => {
        const onClick = () => {
          copy()
          announce(copiedText)
        }
        const icon = <Icon name={copied ? 'check' : 'copy'} />
        return wide ? (
          <LibraryButton variant="default" size="xs" leftSection={icon} onClick={onClick}>
            {copied ? copiedText : copyOf(what)}
          </LibraryButton>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            aria-label={copyOf(what)}
            title={copyOf(what)}
            onClick={onClick}
          >
            {icon}
          </ActionIcon>
        )
      }}
    </LibraryCopyButton>
  )
}
