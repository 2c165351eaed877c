// Hands out an invoice as PDF, and its lines as CSV.
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useCommand } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { fileNameOf, type Invoice } from '../../view-models/invoices.ts'

/** One of 10,000 lines is written in some seconds, behind that of somebody else. */
const timeoutMs = 60_000

export function InvoiceFiles({ invoice }: { invoice: Invoice }) {
  const path = { id: invoice.id }
  const pdf = useCommand(() => api.get('/v1/invoices/{id}.pdf', { path, timeoutMs }), {
    onDone: ({ data }) => saveFile(data, fileNameOf(invoice, 'pdf')),
  })
  const csv = useCommand(() => api.get('/v1/invoices/{id}.csv', { path, timeoutMs }), {
    onDone: ({ data }) => saveFile(data, fileNameOf(invoice, 'csv')),
  })
  const error = pdf.error ?? csv.error
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button icon="download" isRunning={pdf.isRunning} onClick={() => pdf.run(undefined)}>
          {words.pdf}
        </Button>
        <Button icon="download" isRunning={csv.isRunning} onClick={() => csv.run(undefined)}>
          {words.csv}
        </Button>
      </Group>
      {error !== null && <ProblemNote error={error} takesFocus />}
    </Stack>
  )
}
