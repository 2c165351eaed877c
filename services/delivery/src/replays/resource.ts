// Declares the bulk replay: its stream, its row, its place in the API (domain.md 3.13). It never holds a rule.
import type { Loaded } from '@wds/aggregate/aggregate'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import type { Replay } from '../openapi.generated.ts'
import { openEpochs, type ReplayCommand, type ReplayEvent, type ReplayState, replayDecider } from './domain/replay.ts'
import type { Selection } from './domain/selection.ts'
import { replaysKeptMs } from './store.ts'

export const replays: Resource<ReplayState, ReplayCommand, ReplayEvent, InvalidState, Replay> = {
  streamType: 'replay',
  idPrefix: 'rpl',
  table: 'replays',
  path: '/v1/replays',
  scopes: { read: 'webhooks:manage', write: 'webhooks:manage' },
  decider: replayDecider,
  columns: (state) => ({
    status: state.status,
    webhook_id: state.order?.webhook_id ?? null,
    is_bulk: state.order?.selection.scope !== 'deliveries',
    next_turn: new Date(state.next_ms).toISOString(),
    open_epochs: openEpochs(state),
  }),
  keptMs: (state) => (openEpochs(state) === 0 ? replaysKeptMs : null),
  filters: { status: 'status', webhook_id: 'webhook_id' },
  toApi: (rows) => rows.map(toApiReplay),
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function toApiReplay(row: Loaded<ReplayState>): Replay {
  const { order, status, matched, opened, skipped, delivered, dead, failed_reason } = row.state
  if (order === null || status === 'none') throw new Error('a replay has its order from its first event on')
  const { webhook_id, rate, requested_by, selection } = order
  return {
    ...commonFields('replay', row),
    webhook_id,
    filter: toApiFilter(selection),
    rate,
    requested_by,
    status,
    failed_reason,
    matched,
    opened,
    skipped,
    delivered,
    dead,
    started: instant(row.state.started_ms),
    finished: instant(row.state.finished_ms),
  }
}

function toApiFilter({ scope, ...filter }: Selection): Replay['filter'] {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
}
