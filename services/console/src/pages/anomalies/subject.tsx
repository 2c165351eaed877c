// Whose numbers an anomaly is about, in words: its brand, or one campaign of it.
import { useBrandNames } from '../../brand-names.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { anomalyTexts as words } from '../../texts/anomalies.ts'
import { type Anomaly, metricName, periodText } from '../../view-models/anomalies.ts'

/** The name of a campaign; its id until it is known, and for those who may not see campaigns. */
function useCampaignName(id: string | null): string {
  const enabled = useAllowed('campaigns:read') && id !== null
  const { data } = useRead('/v1/campaigns/{id}', { path: { id: id ?? '' } }, { enabled })
  return data?.name ?? id ?? ''
}

export function useSubject({ dimension }: Anomaly): string {
  const { brand_slug: slug, campaign_id: id } = dimension
  const name = useCampaignName(id)
  const brand = useBrandNames().get(slug ?? '') ?? slug ?? ''
  return id === null ? brand : words.campaignOf(name, brand)
}

export function AnomalyTitle({ anomaly }: { anomaly: Anomaly }) {
  const subject = useSubject(anomaly)
  return <>{words.title(metricName(anomaly.metric), subject, periodText(anomaly))}</>
}

export function CampaignNames({ ids }: { ids: readonly string[] }) {
  return (
    <>
      {ids.map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <CampaignName id={id} />
        </span>
      ))}
    </>
  )
}

function CampaignName({ id }: { id: string }) {
  return <>{useCampaignName(id)}</>
}
