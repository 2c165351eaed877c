// Makes a file of what the page shows, all rows of it.
import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { exportTexts as words } from '../../texts/exports.ts'
import { ExportDialog } from '../exports/export-dialog.tsx'

export function ExportStats({ query }: { query: Schemas['NewExport']['query'] }) {
  const [isOpen, setOpen] = useState(false)
  const asked = { type: 'stats', query } as const
  return (
    <>
      <Button icon="download" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      {isOpen && <ExportDialog title={words.title} hint={words.hint} asked={asked} onClose={() => setOpen(false)} />}
    </>
  )
}
