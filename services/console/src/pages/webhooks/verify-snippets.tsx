// How a receiver verifies a request, in some languages: the very files that the docs name and the tests run.
import { useState } from 'react'
import go from '../../../../../packages/docs/snippets/verify-signature/verify.go?raw'
import node from '../../../../../packages/docs/snippets/verify-signature/verify.mjs?raw'
import php from '../../../../../packages/docs/snippets/verify-signature/verify.php?raw'
import python from '../../../../../packages/docs/snippets/verify-signature/verify.py?raw'
import ruby from '../../../../../packages/docs/snippets/verify-signature/verify.rb?raw'
import { CodeBlock } from '../../components/code-block.tsx'
import { Stack } from '../../components/layout.ts'
import { SegmentedControl } from '../../components/segmented-control.ts'
import { webhookTexts as words } from '../../texts/webhooks.ts'

const snippets: Readonly<Record<string, string>> = { 'Node.js': node, Python: python, Go: go, PHP: php, Ruby: ruby }

export function VerifySnippets() {
  const [language, setLanguage] = useState('Node.js')
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={words.language}
        data={Object.keys(snippets)}
        value={language}
        onChange={setLanguage}
      />
      <CodeBlock what={words.verify(language)} text={snippets[language] ?? ''} />
    </Stack>
  )
}
