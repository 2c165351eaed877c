// Declares the firing: its stream of one append, its row, how the API shows it (domain.md 3.10).
import type { Aggregate, Loaded } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import type { Listed } from '@wds/aggregate/list'
import { commonFields } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import type { Firing } from '../openapi.generated.ts'
import { type FiringCommand, type FiringEvent, type FiringState, firingDecider } from './domain/firing.ts'
import { firingPublicEvent } from './domain/firing-events.ts'
import { firingKeptMs } from './store-firings.ts'

export const firings: Aggregate<FiringState, FiringCommand, FiringEvent, InvalidState> & Listed<FiringState, Firing> = {
  streamType: 'automation_firing',
  idPrefix: 'fir',
  table: 'automation_firings',
  path: '/v1/firings',
  decider: firingDecider,
  columns: ({ status, firing }) => ({
    status,
    rule_id: firing?.rule_id,
    subject_id: firing?.subject_id,
    evaluation_key: firing?.evaluation_key,
  }),
  filters: { rule_id: 'rule_id', status: 'status', subject_id: 'subject_id' },
  announce: publicEvents(firingPublicEvent),
  keptMs: () => firingKeptMs,
  toApi: (rows) => rows.map(toApiFiring),
}

function toApiFiring(loaded: Loaded<FiringState>): Firing {
  const { firing } = loaded.state
  if (firing === null) throw new Error('a firing of nothing')
  const { rule_id, rule_version, trigger_type, subject_type, subject_id, brand_slug } = firing
  const { evidence, actions, status } = firing
  const common = commonFields('firing', loaded)
  const subject = { trigger_type, subject_type, subject_id, brand_slug }
  return { ...common, rule_id, rule_version, ...subject, evidence, actions, status, fired: common.created }
}
