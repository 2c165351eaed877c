// Declares the anomaly: its stream, its row, its place in the API (domain.md 3.11). It is made by the detection, and by automation rules.
import type { Loaded } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import type { Anomaly } from '../openapi.generated.ts'
import { type AnomalyCommand, type AnomalyEvent, type AnomalyState, anomalyDecider } from './domain/anomaly.ts'
import { anomalyPublicEvent } from './domain/public-events.ts'

export const anomalies: Resource<AnomalyState, AnomalyCommand, AnomalyEvent, InvalidState, Anomaly> = {
  streamType: 'anomaly',
  idPrefix: 'ano',
  table: 'anomalies',
  path: '/v1/anomalies',
  scopes: { read: 'stats:read', write: 'campaigns:write' },
  decider: anomalyDecider,
  columns: ({ status, finding }) => ({
    status,
    metric: finding?.metric,
    brand_slug: finding?.brand_slug,
    severity: finding?.severity,
    day: finding?.day,
  }),
  filters: {
    status: 'status',
    metric: 'metric',
    brand: 'brand_slug',
    severity: 'severity',
    'day[gte]': { atLeast: 'day' },
    'day[lte]': { atMost: 'day' },
  },
  announce: publicEvents((id, state, event) => anomalyPublicEvent(id, state, event)),
  toApi: (rows) => rows.map(toApiAnomaly),
}

function toApiAnomaly(loaded: Loaded<AnomalyState>): Anomaly {
  const { status, finding, resolution, reason, note } = loaded.state
  if (finding === null || status === 'none') throw new Error('an anomaly without what was found')
  const { metric, brand_slug, campaign_id = null, integration_id = null, campaign_ids = [], ...values } = finding
  return {
    ...commonFields('anomaly', loaded),
    status,
    metric,
    dimension: { brand_slug, campaign_id, integration_id, country: null },
    ...values,
    campaign_ids,
    resolution,
    reason,
    note,
  }
}
