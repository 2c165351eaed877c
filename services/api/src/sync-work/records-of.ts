// The records of an attempt's source. Those of an upload and of the demo provider are the same at each attempt of a run, so that it goes on
// where the last one stopped; what others tell may have changed meanwhile, and is read anew.
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { localDate } from '../calendar/domain/calendar.ts'
import type { Fold } from '../conversions/fold.ts'
import { storedBody } from '../imports/stored-body.ts'
import { openCredentials } from '../integrations/sealed-credentials.ts'
import { isFeedProvider } from '../providers/domain/providers.ts'
import { csvRecords } from '../sources/csv-source.ts'
import { demoRecords } from '../sources/demo-source.ts'
import type { RowRules } from '../sources/domain/check-row.ts'
import { demoDefaults } from '../sources/domain/demo-generator.ts'
import type { FeedProvider, FeedSettings } from '../sources/domain/feed-settings.ts'
import { originOf } from '../sources/domain/feed-url.ts'
import { feedRecords } from '../sources/feed-records.ts'
import { ndjsonRecords } from '../sources/ndjson-source.ts'
import type { SourceRecord } from '../sources/source.ts'
import { type Attempt, statementTimeoutMs, type WorkerOptions } from './attempt.ts'

/** Whether each attempt of the run yields the same records in the same order. */
export function isRepeatable({ found, provider }: Attempt): boolean {
  return found !== null || provider === 'demo'
}

/** Throws SourceFailure, at once or while they are read. `signal` ends what is under way. */
export function recordsOf(
  o: WorkerOptions,
  attempt: Attempt,
  signal: AbortSignal,
): AsyncIterable<SourceRecord> | Iterable<SourceRecord> {
  const { order, run, found, provider } = attempt
  if (found !== null) return uploadRecords(o, attempt)
  if (isFeedProvider(provider)) return pulledRecords(o, attempt, { provider, signal })
  if (attempt.fold !== null) return foldRecords(o, attempt, attempt.fold)
  const { source_time_zone: zone, currency } = order.basis
  const settings = { ...demoDefaults, ...order.basis.settings }
  const asOfMs = run.state.started_ms ?? 0
  const { attempt: nth } = run.state
  return demoRecords({
    rules: rulesOf(attempt),
    settings,
    window: windowOf(attempt),
    zone,
    currency,
    asOfMs,
    runSeq: order.run_seq,
    attempt: nth,
  })
}

function windowOf({ order: { window } }: Attempt): { from: string; to: string } {
  if (window === null) throw new Error('a pull without a window')
  return window
}

function rulesOf({ order, run, knowsCampaign, knowsSubAffiliate }: Attempt): RowRules {
  const { source_time_zone: zone, currency, granularity, on_unknown_campaign: onUnknownCampaign } = order.basis
  const today = localDate(run.state.started_ms ?? 0, zone)
  return { granularity, zone, currency, onUnknownCampaign, knowsCampaign, knowsSubAffiliate, today }
}

function uploadRecords(o: WorkerOptions, attempt: Attempt): AsyncIterable<SourceRecord> {
  const { found, work, order } = attempt
  if (found === null) throw new Error('an upload without an import')
  const bytes = storedBody({ pool: o.pool, workspaceId: work.workspaceId, importId: found.id })
  const source = { bytes, mapping: order.basis.settings.mapping ?? null, rules: rulesOf(attempt) }
  return found.state.order?.format === 'ndjson' ? ndjsonRecords(source) : csvRecords(source)
}

function foldRecords(o: WorkerOptions, attempt: Attempt, fold: Fold): AsyncIterable<SourceRecord> {
  const { workspaceId } = attempt.work
  const place = { workspaceId, readOnly: true, statementTimeoutMs }
  const read = <T>(fn: (tx: Transaction) => Promise<T>) => withTransaction(o.pool, place, fn)
  return fold.records(read, rulesOf(attempt))
}

async function* pulledRecords(
  o: WorkerOptions,
  attempt: Attempt,
  { provider, signal }: { provider: FeedProvider; signal: AbortSignal },
): AsyncGenerator<SourceRecord> {
  const { order, work } = attempt
  const settings = order.basis.settings as FeedSettings
  const credentials = await credentialsOf(o, attempt, settings)
  const feed = { client: o.feeds, limits: o.feedLimits, signal, workspaceId: work.workspaceId, settings, credentials }
  const pull = { ...feed, window: windowOf(attempt), zone: order.basis.source_time_zone }
  yield* feedRecords(provider, pull, rulesOf(attempt))
}

/** As they are now. Where they were given for another address since the attempt began, it ends: the next one has both. */
async function credentialsOf(o: WorkerOptions, { work }: Attempt, { url, auth: kind = 'none' }: FeedSettings) {
  if (kind === 'none') return null
  const { workspaceId, integrationId } = work
  const place = { integrationId, kind, origin: originOf(url) }
  const read = { workspaceId, readOnly: true }
  const credentials = await withTransaction(o.pool, read, (tx) => openCredentials(tx, o.envelope, place))
  if (credentials === null) throw new Error('the credentials of the integration are for another address')
  return credentials
}
