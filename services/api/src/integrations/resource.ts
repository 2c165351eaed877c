// Declares the integration: its stream, its row, its place in the API (domain.md 3.2). It never holds a rule.
import type { Loaded } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { Integration } from '../openapi.generated.ts'
import {
  type IntegrationCommand,
  type IntegrationEvent,
  type IntegrationState,
  integrationDecider,
} from './domain/integration.ts'
import type { CredentialsMark } from './domain/integration-fields.ts'
import { integrationPublicEvent } from './domain/public-events.ts'
import { followChange } from './follow-change.ts'
import { nextRunsOf } from './store-schedule.ts'

export const integrations: Resource<IntegrationState, IntegrationCommand, IntegrationEvent, InvalidState, Integration> =
  {
    streamType: 'integration',
    idPrefix: 'int',
    table: 'integrations',
    path: '/v1/integrations',
    scopes: { read: 'integrations:read', write: 'integrations:write' },
    decider: integrationDecider,
    columns: ({ status, fields }) => ({
      status,
      provider: fields?.provider,
      brand_slug: fields?.brand_slug,
      tags: fields?.tags,
    }),
    filters: { status: 'status', provider: 'provider', brand: 'brand_slug', tag: { overlaps: 'tags' } },
    announce: publicEvents(integrationPublicEvent),
    project: followChange,
    isLive: true,
    toApi: async (rows, tx) => {
      const nextRuns = await nextRunsOf(
        tx,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => toApiIntegration(row, nextRuns.get(row.id) ?? null))
    },
    delete: () => () => ({ type: 'delete' }),
  }

function toApiIntegration(loaded: Loaded<IntegrationState>, nextRunMs: number | null): Integration {
  const { state } = loaded
  const { status, fields } = state
  if (fields === null || status === 'none' || status === 'deleted') throw new Error('nobody sees a deleted integration')
  const last = state.last_sync
  return {
    ...commonFields('integration', loaded),
    ...fields,
    status,
    credentials: toApiCredentials(state.credentials ?? null),
    next_run: nextRunMs === null ? null : toInstant(nextRunMs),
    last_sync: last && { sync_run_id: last.sync_run_id, status: last.status, finished: toInstant(last.finished_ms) },
    health: {
      consecutive_failures: state.consecutive_failures,
      broken_reason: state.broken_reason,
      broken_since: state.broken_since_ms === null ? null : toInstant(state.broken_since_ms),
      last_success: state.last_success_ms === null ? null : toInstant(state.last_success_ms),
      delayed: state.delayed,
    },
  }
}

const notSet = { set: false, fingerprint: null, updated: null, expires: null }

/** What is known of them; never they themselves. */
function toApiCredentials(mark: CredentialsMark | null): Integration['credentials'] {
  if (mark === null) return notSet
  const expires = mark.expires_ms === null ? null : toInstant(mark.expires_ms)
  return { set: true, fingerprint: mark.fingerprint, updated: toInstant(mark.updated_ms), expires }
}
