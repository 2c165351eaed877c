// The link that a sub-affiliate sends players with: the campaign's tracking address with the sub-affiliate's sub-id put in.
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { IdText } from '../../components/id-text.tsx'
import { TextFilter } from '../../components/text-filter.tsx'
import { useRead } from '../../queries.ts'
import { campaignTexts as words } from '../../texts/campaigns.ts'

const subIdMax = 100

export function TrackingLink({ id }: { id: string }) {
  const [subId, setSubId] = useState('')
  const query = { sub_affiliate: subId }
  const path = '/v1/campaigns/{id}/tracking-link'
  const { data: link } = useRead(path, { path: { id }, query }, { enabled: subId !== '' })
  return (
    <Card title={words.linkOf}>
      <TextFilter
        label={words.subId}
        placeholder={words.wholeHint}
        maxLength={subIdMax}
        value={subId}
        onChange={setSubId}
      />
      {link?.sub_id === subId && link.url !== null && <IdText id={link.url} what={words.link} isWhole />}
    </Card>
  )
}
