// Makes a file of a list, all rows of it.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.ts'
import { exportTexts as words } from '../../texts/exports.ts'
import { contentOf, listTypes } from '../../view-models/stats-export.ts'
import { ExportDialog } from './export-dialog.tsx'

export function ExportList() {
  const [isOpen, setOpen] = useState(false)
  const [type, setType] = useState<(typeof listTypes)[number]>('campaigns')
  const choice = (
    <Select
      label={words.list.type}
      data={listTypes.map((value) => ({ value, label: contentOf({ type: value, query: {} }) }))}
      value={type}
      allowDeselect={false}
      onChange={(value) => setType(value as typeof type)}
    />
  )
  const asked = { type, query: {} }
  return (
    <>
      <Button icon="download" onClick={() => setOpen(true)}>
        {words.list.open}
      </Button>
      {isOpen && (
        <ExportDialog
          title={words.list.title}
          hint={words.list.hint}
          asked={asked}
          choice={choice}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
