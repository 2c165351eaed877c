// When integrations reported on their days (domain.md 7, watermark). A report is a successful run that covers the day.
import type { Transaction } from '@wds/postgres/transaction'

export interface Report {
  integrationId: string
  day: string
  /** When the last successful run that covers the day began. */
  startedMs: number
}

/** The reports on a range of source days. The primary key of stats_days_seen serves it. */
export async function readReports(
  tx: Transaction,
  o: { workspaceId: string; integrationIds: readonly string[]; from: string; to: string },
): Promise<Report[]> {
  const { rows } = await tx.query<{ integration_id: string; day: string; started_ms: number }>(
    `select integration_id, day::text, floor(extract(epoch from reported) * 1000)::float8 as started_ms
     from stats_days_seen where workspace_id = $1 and integration_id = any($2::text[]) and day between $3 and $4
       and reported is not null`,
    [o.workspaceId, o.integrationIds, o.from, o.to],
  )
  return rows.map((row) => ({ integrationId: row.integration_id, day: row.day, startedMs: row.started_ms }))
}
