// POST /v1/integrations/{id}/test: asks the source as a run would and shows the first rows, mapped (domain.md 3.2).
// It stores nothing and counts as no run.
import { loadOr404 } from '@wds/aggregate/resource'
import { Problem } from '@wds/http-service/problem'
import type { Handle } from '@wds/http-service/route'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { IntegrationTest, operations } from '../openapi.generated.ts'
import { sha256 } from '../sources/demo-source.ts'
import { demoDefaults, demoRows } from '../sources/domain/demo-generator.ts'
import type { StatsRow } from '../stats/domain/stats-row.ts'
import type { IntegrationFields } from './domain/integration.ts'
import { defaultWindow } from './domain/run-window.ts'
import { integrations } from './resource.ts'

const sampleMax = 5

type SampleRow = IntegrationTest['sample_rows'][number]

/** Uploads have no source that could be asked: 422 `sync_not_supported`, as a run of them. */
export const testIntegration: Handle<operations['testIntegration']> = (request) =>
  request.write(async (tx) => {
    const { state, nowMs } = await loadOr404(tx, integrations, request.params.id)
    if (state.fields?.provider !== 'demo') throw new Problem('sync_not_supported')
    const rows = sampleOf(state.fields, defaultWindow(state, state.fields, nowMs), nowMs)
    return {
      status: 200,
      body: { object: 'integration_test', ok: true, error_code: null, sample_rows: rows, warnings: {} },
    }
  })

function sampleOf(fields: IntegrationFields, window: { from: string; to: string }, nowMs: number): SampleRow[] {
  const { source_time_zone: zone, currency } = fields
  const settings = { ...demoDefaults, ...fields.settings }
  const rows: SampleRow[] = []
  for (const row of demoRows({ settings, window, zone, currency, nowMs, sha256 })) {
    if (rows.push(toApiRow(row)) === sampleMax) break
  }
  return rows
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
