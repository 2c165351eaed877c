// POST /v1/integrations/{id}/test: asks the source as a run would and shows the first rows, mapped (domain.md 3.2).
// It stores nothing and counts as no run.
import { dbNow } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { toInstant } from '../domain/calendar.ts'
import { demoDefaults, demoRows } from '../domain/demo-generator.ts'
import type { IntegrationFields, IntegrationState } from '../domain/integration.ts'
import { defaultWindow } from '../domain/run-window.ts'
import type { StatsRow } from '../domain/stats-row.ts'
import { integrationKind } from '../store/kinds.ts'
import { sha256 } from '../store/sha256.ts'
import { loadOr404 } from './operations.ts'

const sampleMax = 5

/** Uploads have no source that could be asked: 422 `sync_not_supported`, as a run of them. */
export function testIntegration(request: ApiRequest): Promise<ApiAnswer> {
  return request.write(async (tx) => {
    const id = request.params.id ?? ''
    const { state } = await loadOr404<IntegrationState>(tx, request, integrationKind, { id, lock: false })
    if (state.fields?.provider !== 'demo') throw new Problem('sync_not_supported')
    const nowMs = await dbNow(tx)
    const rows = sampleOf(state.fields, defaultWindow(state, state.fields, nowMs), nowMs)
    const body = { object: 'integration_test', ok: true, error_code: null, sample_rows: rows, warnings: {} }
    return { status: 200, body }
  })
}

function sampleOf(fields: IntegrationFields, window: { from: string; to: string }, nowMs: number): object[] {
  const { source_time_zone: zone, currency } = fields
  const settings = { ...demoDefaults, ...fields.settings }
  const rows: object[] = []
  for (const row of demoRows({ settings, window, zone, currency, nowMs, sha256 })) {
    if (rows.push(toApiRow(row)) === sampleMax) break
  }
  return rows
}

/** A row under the canonical names (domain.md 4.4), money in minor units. */
function toApiRow(row: StatsRow): object {
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
