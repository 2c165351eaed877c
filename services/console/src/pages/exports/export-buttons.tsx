// What is done with the file of an export: fetch it, cancel it while it is made, delete it once it is over.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { exportTexts } from '../../texts/exports.ts'
import { fileNameOf, isUnderWay } from '../../view-models/stats-export.ts'

type Export = Schemas['Export']
type Ending = 'cancel' | 'delete'
const words = { ...exportTexts, ...exportTexts.list }

interface ExportButtonsProps {
  file: Export
  /** Its file is on the way. */
  isFetching: boolean
  onDownload: () => void
}

export function ExportButtons({ file, isFetching, onDownload }: ExportButtonsProps) {
  const [asking, setAsking] = useState<Ending | null>(null)
  const name = fileNameOf(file)
  const ending: Ending = isUnderWay(file) ? 'cancel' : 'delete'
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {file.status === 'completed' && (
        <Button size="xs" icon="download" label={words.downloadOf(name)} isRunning={isFetching} onClick={onDownload}>
          {words.download}
        </Button>
      )}
      <Button
        size="xs"
        icon={ending === 'cancel' ? 'ban' : 'trash'}
        label={words.endOf[ending](name)}
        onClick={() => setAsking(ending)}
      >
        {words.ends[ending]}
      </Button>
      {asking !== null && <AskFirst file={file} name={name} ending={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

function AskFirst({
  file: { id },
  name,
  ending,
  onClose,
}: {
  file: Export
  name: string
  ending: Ending
  onClose: () => void
}) {
  const path = { id }
  const end = useCommand(
    async (_: null, o) => {
      if (ending === 'cancel') await api.post('/v1/exports/{id}/cancel', { path, ...o })
      else await api.delete('/v1/exports/{id}', { path })
    },
    {
      invalidates: ['/v1/exports'],
      onDone: () => {
        announce(words.ended[ending])
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.endTitle[ending](name)}
      action={words.ends[ending]}
      isRunning={end.isRunning}
      error={end.error}
      onConfirm={() => end.run(null)}
    >
      <Text size="sm">{words.endText[ending]}</Text>
    </ConfirmDialog>
  )
}
