// An id: monospace, the middle cut where it is long, with a button that copies all of it.
import { Code, Group } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'

const shownMax = 16

/** `what`: such as `event ID`. */
export function IdText({ id, what, isWhole = false }: { id: string; what: string; isWhole?: boolean }) {
  const shown = isWhole || id.length <= shownMax ? id : `${id.slice(0, 8)}…${id.slice(-5)}`
  return (
    <Group gap={2} wrap="nowrap" component="span" className="wds-id">
      <Code title={id}>{shown}</Code>
      <CopyButton text={id} what={what} />
    </Group>
  )
}
