// Asks into which campaign of its integration one is merged, and does it.
import { useState } from 'react'
import { api } from '../../api.ts'
import { AskFirst } from '../../components/ask-first.tsx'
import { Select } from '../../components/select.ts'
import { useList } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'
import type { Campaign } from '../../view-models/campaigns.ts'
import { faultOf } from '../../view-models/faults.ts'

interface MergeProps {
  campaign: Campaign
  etag: string | null
  onClose: () => void
}

export function MergeCampaign({ campaign: { id, name, integration_id }, etag, onClose }: MergeProps) {
  const [into, setInto] = useState<string | null>(null)
  const status: Campaign['status'][] = ['draft', 'active', 'paused']
  const { rows = [] } = useList('/v1/campaigns', { query: { integration_id: [integration_id], status, limit: 100 } })
  const others = rows.filter((one) => one.id !== id)
  return (
    <AskFirst
      title={words.titles.merge(name)}
      action={words.merge}
      about={words.abouts.merge}
      done={words.done.merge}
      isDangerous
      etag={etag}
      body={into === null ? null : { into }}
      send={(body, o) => api.post('/v1/campaigns/{id}/merge', { path: { id }, body, ...o })}
      invalidates={['/v1/campaigns', '/v1/stats']}
      onClose={onClose}
    >
      {({ error, wasTried }) => (
        <Select
          label={words.into}
          data={others.map((one) => ({ value: one.id, label: one.name }))}
          allowDeselect={false}
          value={into}
          error={faultOf(error, '/into') ?? (wasTried && into === null ? words.intoMissing : undefined)}
          onChange={setInto}
        />
      )}
    </AskFirst>
  )
}
