// A request as it was sent: address, headers with the time of its attempt, bytes of the body (ui.md 4).
import { Stack, Text } from '@mantine/core'
import { historyTexts as words } from '../texts/history.ts'
import { CodeBox } from './code-box.tsx'
import { JsonView } from './json-view.tsx'

interface RequestPaneProps {
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  /** Null: it is no longer kept. */
  body: string | null
}

export function RequestPane({ url, headers, body }: RequestPaneProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" ff="monospace">
        POST {url}
      </Text>
      <CodeBox label={words.headers}>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</CodeBox>
      {body === null ? <Text size="sm">{words.bodyGone}</Text> : <JsonView text={body} what={words.payload} />}
    </Stack>
  )
}
