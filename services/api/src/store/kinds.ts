// Names the three event-sourced aggregates of this service and the columns their rows carry. It never holds a rule.
import { type ImportCommand, type ImportEvent, type ImportState, importDecider } from '../domain/import.ts'
import {
  type IntegrationCommand,
  type IntegrationEvent,
  type IntegrationState,
  type InvalidState,
  integrationDecider,
} from '../domain/integration.ts'
import { importPublicEvent, integrationPublicEvent, syncRunPublicEvent } from '../domain/public-events.ts'
import { type SyncRunCommand, type SyncRunEvent, type SyncRunState, syncRunDecider } from '../domain/sync-run.ts'
import type { AggregateKind } from './aggregate.ts'

export const integrationKind: AggregateKind<IntegrationState, IntegrationCommand, IntegrationEvent, InvalidState> = {
  table: 'integrations',
  streamType: 'integration',
  decider: integrationDecider,
  columns: ({ status, fields }) => ({
    status,
    provider: fields?.provider,
    brand_slug: fields?.brand_slug,
    tags: fields?.tags,
  }),
  toPublic: integrationPublicEvent,
}

export const syncRunKind: AggregateKind<SyncRunState, SyncRunCommand, SyncRunEvent, InvalidState> = {
  table: 'sync_runs',
  streamType: 'sync_run',
  decider: syncRunDecider,
  columns: ({ status, order }) => ({
    status,
    trigger: order?.trigger,
    integration_id: order?.integration_id,
    import_id: order?.import_id,
    run_seq: order?.run_seq,
  }),
  toPublic: syncRunPublicEvent,
}

export const importKind: AggregateKind<ImportState, ImportCommand, ImportEvent, InvalidState> = {
  table: 'imports',
  streamType: 'import',
  decider: importDecider,
  columns: ({ status, order }) => ({
    status,
    import_type: order?.import_type,
    integration_id: order?.integration_id,
  }),
  toPublic: importPublicEvent,
}
