// A state: its word, its icon, its colour; never the colour alone (ui.md 6).
import { Badge } from '@mantine/core'
import { statusTokenOf } from '../status-tokens.ts'
import { Icon } from './icon.tsx'

/** `status`: the literal of the API. `words`: where a page says more than the literal. */
export function StatusBadge({ status, words = status }: { status: string; words?: string | undefined }) {
  const { color, icon } = statusTokenOf(status)
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      fw={500}
      radius="sm"
      miw="max-content"
      leftSection={<Icon name={icon} size={12} />}
    >
      {words}
    </Badge>
  )
}
