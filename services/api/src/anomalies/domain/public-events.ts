// Decides what others are told of an anomaly (domain.md 5.24 to 5.27).
import type { PublicEvent } from '@wds/contracts/envelope'
import type { AnomalyEvent, AnomalyState } from './anomaly.ts'

/** Announcement of an anomaly's event. `state` is the state after it. */
export function anomalyPublicEvent(id: string, { finding }: AnomalyState, event: AnomalyEvent): PublicEvent {
  if (finding === null) throw new Error('an anomaly without what was found')
  const { metric, brand_slug, day: date, time_zone } = finding
  const place = { anomaly_id: id, metric, brand_slug, date, time_zone }
  switch (event.type) {
    case 'AnomalyDetected': {
      const { campaign_id = null, observed, expected, lower, upper, currency, score, direction, severity } = finding
      const values = { observed, expected, lower, upper, currency, score, direction, severity }
      return { type: 'anomaly.detected', onceKey: id, data: { ...place, campaign_id, ...values } }
    }
    case 'AnomalyAcknowledged':
      return { type: 'anomaly.acknowledged', onceKey: id, data: place }
    case 'AnomalyResolved':
      return { type: 'anomaly.resolved', onceKey: id, data: { ...place, resolution: event.data.resolution } }
    case 'AnomalyDismissed':
      return { type: 'anomaly.dismissed', onceKey: id, data: { ...place, reason: event.data.reason } }
  }
}
