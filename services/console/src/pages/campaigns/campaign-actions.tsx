// What is done with a campaign.
import { api } from '../../api.ts'
import { ActionButtons, AskFirst } from '../../components/ask-first.tsx'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import { actionsOn, type Campaign } from '../../view-models/campaigns.ts'
import { MergeCampaign } from './merge-campaign.tsx'

const icons = { activate: 'play', pause: 'pause', resume: 'play', merge: 'arrow-right', archive: 'ban' } as const

export function CampaignActions({ campaign, etag }: { campaign: Campaign; etag: string | null }) {
  const { id, name } = campaign
  return (
    <ActionButtons actions={actionsOn(campaign)} words={words} icons={icons}>
      {(action, onClose) =>
        action === 'merge' ? (
          <MergeCampaign campaign={campaign} etag={etag} onClose={onClose} />
        ) : (
          <AskFirst
            key={action}
            title={words.titles[action](name)}
            action={words[action]}
            about={words.abouts[action]}
            done={words.done[action]}
            isDangerous={action === 'archive'}
            etag={etag}
            body={{}}
            send={(_, o) => api.post(`/v1/campaigns/{id}/${action}`, { path: { id }, ...o })}
            invalidates={['/v1/campaigns']}
            onClose={onClose}
          />
        )
      }
    </ActionButtons>
  )
}
