// POST /v1/integrations/{id}/test: asks the source as a run would and shows the first rows, mapped (domain.md 3.2).
// It stores nothing and counts as no run.
import { workspaceOf } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import type { SyncErrorCode } from '@wds/contracts/error-classes'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { FeedFault } from '@wds/outbound/feed-client'
import { Turn } from '@wds/pacing/turn'
import type { Transaction } from '@wds/postgres/transaction'
import { localDate, toInstant } from '../calendar/domain/calendar.ts'
import { knownCampaigns } from '../campaign-places/store-places.ts'
import { Fold } from '../conversions/fold.ts'
import { readFolded } from '../conversions/store-folds.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { IntegrationTest, operations } from '../openapi.generated.ts'
import { isFeedProvider } from '../providers/domain/providers.ts'
import { sha256 } from '../sources/demo-source.ts'
import { judgeCampaign, type RowRules } from '../sources/domain/check-row.ts'
import { demoDefaults, demoRows } from '../sources/domain/demo-generator.ts'
import type { FeedCredentials, FeedProvider, FeedSettings } from '../sources/domain/feed-settings.ts'
import { originOf } from '../sources/domain/feed-url.ts'
import { feedLimits, judgeIngest } from '../sources/domain/ingest-limits.ts'
import { feedRecords } from '../sources/feed-records.ts'
import { SourceFailure, type SourceRecord } from '../sources/source.ts'
import type { StatsRow } from '../stats/domain/stats-row.ts'
import { knownSubAffiliates } from '../sub-affiliates/store-places.ts'
import type { IntegrationFields } from './domain/integration-fields.ts'
import { windowOfRun } from './fold-window.ts'
import { integrations } from './resource.ts'
import { openCredentials } from './sealed-credentials.ts'

const sampleMax = 5
/** Records that are looked at: enough to see what is wrong with them. */
const recordsMax = 1_000
/** Below the 20 s of domain.md 3.2, so that the answer is in time. */
const testMs = 15_000

type Request = ApiRequest<operations['testIntegration']>
type Answer = ApiAnswer<operations['testIntegration']>
type SampleRow = IntegrationTest['sample_rows'][number]

/** What is asked, as of one transaction: the source is asked outside of it. */
interface Asked {
  id: string
  fields: IntegrationFields
  window: { from: string; to: string }
  /** From when on postbacks are all there; null: always. */
  keptFromMs: number | null
  credentials: FeedCredentials | null
  knowsCampaign(externalId: string): boolean
  /** Their external ids. */
  subAffiliates: ReadonlySet<string>
  nowMs: number
}

/** Uploads have no source that could be asked: 422 `sync_not_supported`, as a run of them. */
export async function testIntegration(request: Request, o: ApiDependencies): Promise<Answer> {
  const asked = await whatToAsk(request, o)
  const found = await sampleOf(request, o, asked)
  return request.write(async () => ({ status: 200, body: { object: 'integration_test', ...found } }))
}

function sampleOf(request: Request, o: ApiDependencies, asked: Asked): Promise<Found> | Found {
  const { provider } = asked.fields
  if (isFeedProvider(provider)) return askFeed(request, o, { ...asked, provider })
  return provider === 'postback' ? sampleOfPostbacks(request, asked) : sampleOfDemo(asked)
}

function whatToAsk(request: Request, { envelope }: ApiDependencies): Promise<Asked> {
  return request.read(async (tx) => {
    const found = await loadOr404(tx, integrations, request.params.id)
    const { id, state, nowMs } = found
    const { fields } = state
    if (fields === null || fields.provider === 'csv_upload') throw new Problem('sync_not_supported')
    const { url = '', auth: kind = 'none' } = fields.settings as Partial<FeedSettings>
    const isSecret = isFeedProvider(fields.provider) && kind !== 'none'
    const place = { integrationId: id, kind, origin: isSecret ? originOf(url) : '' }
    const credentials = isSecret ? await openCredentials(tx, envelope, place) : null
    const known = await knownCampaigns(tx, { workspaceId: workspaceOf(tx), integrationId: id })
    const knowsCampaign = (externalId: string) => known.has(externalId)
    const subAffiliates = await knownSubAffiliates(tx)
    const { window } = await windowOfRun(tx, found)
    const { keptFromMs } = await readFolded(tx, id)
    return { id, fields, window, keptFromMs, credentials, knowsCampaign, subAffiliates, nowMs }
  })
}

type Found = Omit<IntegrationTest, 'object'>

/** The first rows of what was received. */
async function sampleOfPostbacks(request: Request, asked: Asked): Promise<Found> {
  const sample = new Sample()
  const read = <T>(fn: (tx: Transaction) => Promise<T>) => request.read(fn)
  const { id: integrationId, window, keptFromMs, subAffiliates } = asked
  const { source_time_zone: zone } = asked.fields
  const fold = new Fold({ integrationId, window, zone, goOnMs: null, keptFromMs, subIds: [...subAffiliates] })
  await sample.take(fold.records(read, rulesOf(asked)))
  // A run of them succeeds however many it rejects.
  return { ...sample.answer(null), ok: true, error_code: null }
}

function rulesOf({ fields, knowsCampaign, subAffiliates, nowMs }: Asked): RowRules {
  const { source_time_zone: zone, currency, granularity, on_unknown_campaign: onUnknownCampaign } = fields
  return {
    granularity,
    zone,
    currency,
    onUnknownCampaign,
    knowsCampaign,
    knowsSubAffiliate: (externalId) => subAffiliates.has(externalId),
    today: localDate(nowMs, zone),
  }
}

async function askFeed(
  request: Request,
  o: ApiDependencies,
  asked: Asked & { provider: FeedProvider },
): Promise<Found> {
  const { fields, window, credentials, provider } = asked
  const { source_time_zone: zone } = fields
  const settings = fields.settings as FeedSettings
  const limits = { ...feedLimits, attemptMs: testMs }
  const { workspaceId } = request.client
  const order = { client: o.feeds, signal: request.signal, workspaceId, settings, credentials, window, zone, limits }
  const rules = rulesOf(asked)
  const sample = new Sample()
  try {
    await sample.take(feedRecords(provider, order, rules))
  } catch (error) {
    // A fault of our own network: the source is not known to be at fault.
    if (error instanceof FeedFault && error.code === 'ours') return sample.answer('internal_error')
    if (!(error instanceof SourceFailure)) throw error
    return sample.answer(error.code)
  }
  return sample.answer(null)
}

/** The first rows that are accepted, and what is wrong with those before them. */
class Sample {
  readonly #rows: SampleRow[] = []
  readonly #counts: Record<string, number> = {}
  #seen = 0
  #judged = 0
  #rejected = 0

  async take(records: AsyncIterable<SourceRecord>): Promise<void> {
    const turn = new Turn()
    for await (const { checked } of records) {
      if (turn.isOver()) await turn.pass()
      if (this.add(checked)) return
    }
  }

  /** Whether it has seen enough. A record that the settings leave out is null. */
  add(checked: SourceRecord['checked']): boolean {
    this.#seen += 1
    if (checked !== null) this.#judge(checked)
    return this.#rows.length >= sampleMax || this.#seen >= recordsMax
  }

  #judge(checked: NonNullable<SourceRecord['checked']>): void {
    this.#judged += 1
    if (!checked.ok) this.#rejected += 1
    else this.#rows.push(toApiRow(checked.row))
    for (const code of checked.ok ? checked.warnings : [checked.code]) {
      this.#counts[code] = (this.#counts[code] ?? 0) + 1
    }
  }

  answer(code: SyncErrorCode | null): Found {
    const counts = { lines: this.#judged, rejected: this.#rejected, accepted: this.#rows.length }
    const judged = code ?? judgeIngest({ ...counts, storedInWindow: false, allowEmpty: true })
    return { ok: judged === null, error_code: judged, sample_rows: this.#rows, warnings: this.#counts }
  }
}

function sampleOfDemo({ fields, window, knowsCampaign, nowMs }: Asked): Found {
  const { source_time_zone: zone, currency, on_unknown_campaign: onUnknownCampaign } = fields
  const settings = { ...demoDefaults, ...fields.settings }
  const sample = new Sample()
  for (const row of demoRows({ settings, window, zone, currency, nowMs, sha256 })) {
    if (sample.add(judgeCampaign(row, { onUnknownCampaign, knowsCampaign }))) break
  }
  return sample.answer(null)
}

/** A row under the canonical names (domain.md 4.4), money in minor units. */
function toApiRow(row: StatsRow): SampleRow {
  const measures = Object.entries(row.values).map(([name, value]) => [name, value === null ? null : Number(value)])
  return {
    date: row.day,
    hour: row.hourMs === null ? null : toInstant(row.hourMs),
    campaign: row.campaignExternalId,
    country: row.country,
    sub_id: row.subAffiliateId,
    currency: row.currency,
    ...Object.fromEntries(measures),
  }
}
