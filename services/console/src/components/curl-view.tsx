// "View as curl" beside what calls the REST API: the page teaches the API (ui.md 6).

import { Button as LibraryButton, Stack, Text } from '@mantine/core'
import { queryText } from '@wds/api-client/address'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { useState } from 'react'
import { baseUrl } from '../api.ts'
import { texts } from '../texts.ts'
import { curlText } from '../view-models/curl-text.ts'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'

interface CurlViewProps {
  method: string
  /** With its parameters filled in, such as `/v1/webhooks/whk_1`; never one of the settings API, which no token opens. */
  path: string
  /** As the page sends it, so that both are the same call. */
  query?: object
  body?: unknown
  /** Entity tag of what the page shows, for a change that goes by it. */
  ifMatch?: string | null
  /** Of the button, where it is not the call of a button beside it. */
  label?: string
}

export function CurlView({ method, path, query = {}, body, ifMatch, label }: CurlViewProps) {
  const [isOpen, setOpen] = useState(false)
  const words = texts.curl
  const url = `${baseUrl}${path}${queryText({ ...query })}`
  return (
    <div>
      <LibraryButton variant="subtle" size="xs" leftSection={<Icon name="terminal" />} onClick={() => setOpen(true)}>
        {label ?? words.view}
      </LibraryButton>
      <Dialog title={words.title} isOpen={isOpen} onClose={() => setOpen(false)} size="lg">
        <Stack>
          <CodeBlock what="curl" text={curlText(withoutUndefined({ method, url, body, ifMatch }))} isTitled={false} />
          <Text size="sm" c="dimmed">
            {words.hint}
          </Text>
        </Stack>
      </Dialog>
    </div>
  )
}
