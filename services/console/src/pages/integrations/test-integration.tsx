// Asks the source as a run would, and shows the first rows; nothing is stored.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Stack } from '../../components/layout.ts'
import { Notice } from '../../components/notice.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { integrationTexts as words } from '../../texts/integrations.ts'
import { type SampleRow, sampleColumns } from '../../view-models/sample-rows.ts'
import { codeText } from '../../view-models/sync-run.ts'

type Tested = Schemas['IntegrationTest']

export function TestIntegration({ id }: { id: string }) {
  const [result, setResult] = useState<Tested | null>(null)
  const [isOpen, setOpen] = useState(false)
  const test = useCommand((_: null, o) => api.post('/v1/integrations/{id}/test', { path: { id }, ...o }), {
    onDone: ({ data }) => setResult(data),
  })
  const begin = () => {
    setResult(null)
    setOpen(true)
    test.run(null)
  }
  return (
    <>
      <Button icon="eye" onClick={begin}>
        {words.test}
      </Button>
      <Dialog title={words.testTitle} isOpen={isOpen} onClose={() => setOpen(false)} size="xl">
        <Stack>
          <Text size="sm">{words.testText}</Text>
          {test.error !== null && <ProblemNote error={test.error} onTryAgain={begin} takesFocus />}
          {test.isRunning && <Skeleton rows={3} />}
          {result !== null && <Result result={result} />}
          <CurlView method="post" path={`/v1/integrations/${id}/test`} />
        </Stack>
      </Dialog>
    </>
  )
}

function Result({ result: { ok, error_code: code, sample_rows: rows, warnings } }: { result: Tested }) {
  if (!ok) return <Notice look="warning" title={words.testFailed(code ?? '')} />
  if (rows.length === 0) return <EmptyState title={words.testNoRows} />
  const samples = rows as readonly object[] as readonly SampleRow[]
  const kept = Object.entries(warnings)
  const columns = sampleColumns(samples).map(({ title, isNumber, textOf }) => ({ title, isNumber, cell: textOf }))
  const numbered = samples.map((row, nth) => ({ ...row, nth }))
  return (
    <>
      <DataTable caption={words.sample} columns={columns} rows={numbered} keyOf={({ nth }) => String(nth)} />
      {kept.length > 0 && (
        <Notice look="warning" title={words.warnings}>
          {kept.map(([name, count]) => `${codeText(name)} (${count})`).join(' ')}
        </Notice>
      )}
    </>
  )
}
