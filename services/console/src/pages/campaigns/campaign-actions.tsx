// What is done with a campaign; each asks first, and is sent over the version that the page shows.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Group } from '../../components/layout.ts'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { actionsOn, type Campaign, type CampaignAction } from '../../view-models/campaigns.ts'

interface ActionsProps {
  campaign: Campaign
  etag: string | null
}

const icons = { activate: 'play', pause: 'pause', resume: 'play', archive: 'ban' } as const

export function CampaignActions(o: ActionsProps) {
  const [asking, setAsking] = useState<CampaignAction | null>(null)
  const actions = actionsOn(o.campaign)
  if (actions.length === 0) return null
  return (
    <Group gap="sm">
      {actions.map((action) => (
        <Button key={action} icon={icons[action]} onClick={() => setAsking(action)}>
          {words[action]}
        </Button>
      ))}
      {asking !== null && <AskFirst {...o} key={asking} action={asking} onClose={() => setAsking(null)} />}
    </Group>
  )
}

function AskFirst({
  campaign: { id, name },
  etag,
  action,
  onClose,
}: ActionsProps & { action: CampaignAction; onClose: () => void }) {
  const command = useCommand(
    (version: { ifMatch?: string }, o) => api.post(`/v1/campaigns/{id}/${action}`, { path: { id }, ...version, ...o }),
    {
      invalidates: ['/v1/campaigns'],
      onDone: () => {
        announce(words.done[action])
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.titles[action](name)}
      action={words[action]}
      isDangerous={action === 'archive'}
      isRunning={command.isRunning}
      error={command.error}
      onConfirm={() => command.run(etag === null ? {} : { ifMatch: etag })}
    >
      <Text size="sm">{words.abouts[action]}</Text>
    </ConfirmDialog>
  )
}
