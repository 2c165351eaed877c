// A text to copy: a command, a snippet, an address.
import { Group, Stack, Text } from '@mantine/core'
import { texts } from '../texts.ts'
import { CodeBox } from './code-box.tsx'
import { CopyButton } from './copy-button.tsx'

/** `what`: its name, also for the copy button. */
export function CodeBlock({ text, what, isTitled = true }: { text: string; what: string; isTitled?: boolean }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm">
        {isTitled ? (
          <Text size="sm" fw={500}>
            {what}
          </Text>
        ) : (
          <span />
        )}
        <CopyButton text={text} what={isTitled ? texts.copy.code : what} wide />
      </Group>
      <CodeBox label={what}>{text}</CodeBox>
    </Stack>
  )
}
