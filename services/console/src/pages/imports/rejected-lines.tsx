// The lines of an import that were rejected: the first in a table, all of them as a file.
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { importTexts as words } from '../../texts/imports.ts'
import { errorsFileOf, type Import, type Reject, readRejects } from '../../view-models/imports.ts'
import { countText } from '../../view-models/numbers.ts'

const shownMax = 50
/** The API hands out all of them at once; a file of 100,000 is for programs. */
const readMax = 1_000
const downloadTimeoutMs = 600_000

const columns = [
  { title: words.line, cell: ({ line }: Reject) => countText(line), isNarrow: true },
  { title: words.code, cell: ({ code }: Reject) => code, isNarrow: true },
  { title: words.reason, cell: ({ detail }: Reject) => detail },
]

export function RejectedLines({ import: { id, rejected = 0 } }: { import: Import }) {
  const path = { id }
  const save = useCommand(() => api.get('/v1/imports/{id}/errors', { path, timeoutMs: downloadTimeoutMs }), {
    onDone: ({ data }) => saveFile(data, errorsFileOf({ id })),
  })
  const isFew = rejected <= readMax
  return (
    <Card
      title={words.rejects}
      hint={isFew ? words.rejectsHint(Math.min(rejected, shownMax), rejected) : words.rejectsMany(rejected)}
      isPadded={false}
      actions={
        <Button icon="download" isRunning={save.isRunning} onClick={() => save.run(undefined)}>
          {words.save}
        </Button>
      }
    >
      {save.error !== null && <ProblemNote error={save.error} takesFocus />}
      {isFew && <FirstLines id={id} />}
    </Card>
  )
}

function FirstLines({ id }: { id: string }) {
  const reading = useRead('/v1/imports/{id}/errors', { path: { id } })
  const rejects = useRejects(reading.data)
  return (
    <Loaded source={{ ...reading, data: rejects }}>
      {(rows) =>
        rows.length === 0 ? (
          <Text size="sm" p="md">
            {words.rejectsGone}
          </Text>
        ) : (
          <DataTable
            caption={words.rejects}
            columns={columns}
            rows={rows}
            keyOf={({ line, code }) => `${line} ${code}`}
          />
        )
      }
    </Loaded>
  )
}

/** What is no JSON arrives as bytes. */
function useRejects(file: string | Blob | undefined): Reject[] | undefined {
  const [rejects, setRejects] = useState<Reject[]>()
  useEffect(() => {
    let isCurrent = true
    if (file !== undefined)
      void new Response(file).text().then((text) => isCurrent && setRejects(readRejects(text, shownMax)))
    return () => {
      isCurrent = false
    }
  }, [file])
  return rejects
}
