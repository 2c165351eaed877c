// What to tell a network that calls an integration: what it appends to the address, and what each parameter means.
import { type PostbackParameter, postbackParameters } from '@wds/contracts/postback-parameters'
import { CodeBlock } from '../../components/code-block.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Stack } from '../../components/layout.ts'
import { Code, Text } from '../../components/text.ts'
import { postbackTexts as words } from '../../texts/postbacks.ts'
import { nameOfParameter, postbackQuery } from '../../view-models/postback.ts'

type Settings = Readonly<Record<string, unknown>>

/** What follows the address. */
export function PostbackQuery({ settings }: { settings: Settings }) {
  return (
    <Stack gap="xs">
      <CodeBlock what={words.append} text={postbackQuery(settings)} />
      <Text size="sm" c="dimmed">
        {words.appendHint}
      </Text>
    </Stack>
  )
}

/** Its parameters, under the names of the settings. */
export function PostbackParameters({ settings }: { settings: Settings }) {
  const columns: readonly Column<PostbackParameter>[] = [
    {
      title: words.parameter,
      cell: (parameter) => <Code>{nameOfParameter(parameter, settings)}</Code>,
      isNarrow: true,
    },
    { title: words.meaning, cell: (parameter) => words.meanings[parameter] },
  ]
  return (
    <DataTable caption={words.table} columns={columns} rows={postbackParameters} keyOf={(parameter) => parameter} />
  )
}
