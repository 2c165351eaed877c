// Makes a file and offers it. It is made in the API: who closes the dialog stops nothing.
import { type ReactNode, useEffect, useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { Radio } from '../../components/radio.ts'
import { Text } from '../../components/text.ts'
import { useCommand, useRead } from '../../queries.ts'
import { exportTexts as words } from '../../texts/exports.ts'
import { dayText } from '../../view-models/numbers.ts'
import { dayOf, isUnderWay, percentOfExport, stateWords } from '../../view-models/stats-export.ts'
import { useDownload } from './use-download.ts'

type NewExport = Schemas['NewExport']
type Export = Schemas['Export']

interface ExportDialogProps {
  title: string
  hint: string
  asked: Pick<NewExport, 'type' | 'query'>
  /** What chooses the type, where there is a choice. */
  choice?: ReactNode
  onClose: () => void
}

export function ExportDialog({ title, hint, asked, choice, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<NewExport['format']>('csv')
  const [id, setId] = useState<string | null>(null)
  const begin = useCommand((body: NewExport, { idempotencyKey }) => api.post('/v1/exports', { body, idempotencyKey }), {
    invalidates: ['/v1/exports'],
    onDone: ({ data }) => setId(data.id),
  })
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {id !== null ? (
        <Making id={id} onAgain={() => setId(null)} />
      ) : (
        <Stack>
          <Text size="sm">{hint}</Text>
          {choice}
          <Radio.Group
            label={words.format}
            description={words.formatHint}
            value={format}
            onChange={(value) => setFormat(value as NewExport['format'])}
          >
            <Stack gap="xs" mt="xs">
              {words.formats.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          {begin.error !== null && <ProblemNote error={begin.error} takesFocus />}
          <Group justify="flex-end">
            <Button
              look="primary"
              isRunning={begin.isRunning}
              onClick={() => begin.run({ ...asked, format, compression: 'none' })}
            >
              {words.begin}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function Making({ id, onAgain }: { id: string; onAgain: () => void }) {
  const reading = useRead('/v1/exports/{id}', { path: { id } }, { pace: 'live' })
  return <Loaded source={reading}>{(made) => <Made made={made} onAgain={onAgain} />}</Loaded>
}

function Made({ made, onAgain }: { made: Export; onAgain: () => void }) {
  const path = { id: made.id }
  const underWay = isUnderWay(made)
  const said = stateWords(made)
  const cancel = useCommand(() => api.post('/v1/exports/{id}/cancel', { path }), { invalidates: ['/v1/exports'] })
  const download = useDownload()
  const error = cancel.error ?? download.error
  useEffect(() => {
    if (!underWay) announce(said)
  }, [underWay, said])
  return (
    <Stack>
      <ProgressBar percent={percentOfExport(made)} label={words.progress} isActive={made.status === 'running'} />
      <Text size="sm">{said}</Text>
      <Text size="sm" c="dimmed">
        {underWay && words.goesOn}
        {made.status === 'completed' && words.kept(dayText(dayOf(made.expires), 'en-GB', true))}
      </Text>
      {error !== null && <ProblemNote error={error} takesFocus />}
      <Group justify="flex-end">
        {underWay && (
          <Button isRunning={cancel.isRunning} onClick={() => cancel.run(undefined)}>
            {words.cancel}
          </Button>
        )}
        {!underWay && <Button onClick={onAgain}>{words.another}</Button>}
        {made.status === 'completed' && (
          <Button look="primary" icon="download" isRunning={download.isRunning} onClick={() => download.run(made)}>
            {words.download}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
