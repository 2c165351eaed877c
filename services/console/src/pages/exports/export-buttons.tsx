// What is done with the file of an export: fetch it, cancel it while it is made, delete it once it is over.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { Button } from '../../components/button.tsx'
import { Group } from '../../components/layout.ts'
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
  const path = { id: file.id }
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
      {asking !== null && (
        <AskFirst
          title={words.endTitle[asking](name)}
          action={words.ends[asking]}
          about={words.endText[asking]}
          done={words.ended[asking]}
          isDangerous
          body={{}}
          send={async (_, o) => {
            if (asking === 'cancel') await api.post('/v1/exports/{id}/cancel', { path, ...o })
            else await api.delete('/v1/exports/{id}', { path })
          }}
          invalidates={['/v1/exports']}
          onClose={() => setAsking(null)}
        />
      )}
    </Group>
  )
}
