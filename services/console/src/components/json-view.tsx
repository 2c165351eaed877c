// JSON as text, with folding and copying; large bodies are cut and can be downloaded whole (ui.md 6). Nothing in it becomes markup.
import { Group, Button as LibraryButton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../texts.ts'
import { CodeBox } from './code-box.tsx'
import { CopyButton } from './copy-button.tsx'
import { saveFile } from './save-file.ts'

const shownMax = 20_000
const foldedLines = 12

/** `text`: as it came; shown indented where it is JSON. `what`: for the copy button, such as `payload`. */
export function JsonView({ text, what, fileName = 'payload.json' }: { text: string; what: string; fileName?: string }) {
  const pretty = indented(text)
  const shown = pretty.slice(0, shownMax)
  const lines = shown.split('\n')
  const [isFolded, setFolded] = useState(lines.length > foldedLines * 3)
  const isCut = pretty.length > shownMax
  const kib = Math.max(1, Math.round(new TextEncoder().encode(text).length / 1_024))
  return (
    <Stack gap="xs">
      <CodeBox label={what}>
        {isFolded ? `${lines.slice(0, foldedLines).join('\n')}\n…` : shown}
        {isCut && !isFolded ? `\n… ${texts.json.cut}` : ''}
      </CodeBox>
      <Group gap="sm">
        {lines.length > foldedLines && (
          <LibraryButton size="xs" variant="default" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            {isFolded ? texts.json.unfold : texts.json.fold}
          </LibraryButton>
        )}
        <CopyButton text={text} what={what} wide />
        {isCut && (
          <>
            <Text size="sm">{texts.json.full(kib)}</Text>
            <LibraryButton size="xs" variant="default" onClick={() => saveFile(text, fileName)}>
              {texts.json.download}
            </LibraryButton>
          </>
        )}
      </Group>
    </Stack>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
