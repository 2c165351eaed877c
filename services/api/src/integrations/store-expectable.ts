// What of a workspace's integrations its days of stats must know: whom a day expects, how each cuts its own days. It never decides
// about a day.
import type { Transaction } from '@wds/postgres/transaction'

export interface ReportingIntegration {
  id: string
  status: string
  createdMs: number
  requiredForFinal: boolean
  settleHours: number
  sourceTimeZone: string
  granularity: 'hour' | 'day'
}

/** All integrations of the workspace, deleted ones included, of which there are some 200. The primary key serves it. */
export async function readReporting(tx: Transaction, workspaceId: string): Promise<ReportingIntegration[]> {
  const { rows } = await tx.query<{
    id: string
    status: string
    created_ms: number
    required: boolean
    settle_hours: number
    zone: string
    granularity: 'hour' | 'day'
  }>(
    `select id, status, floor(extract(epoch from created) * 1000)::float8 as created_ms,
       (state->'fields'->>'required_for_final')::boolean as required, (state->'fields'->>'settle_hours')::integer as settle_hours,
       state->'fields'->>'source_time_zone' as zone, state->'fields'->>'granularity' as granularity
     from integrations where workspace_id = $1 order by id`,
    [workspaceId],
  )
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    createdMs: row.created_ms,
    requiredForFinal: row.required,
    settleHours: row.settle_hours,
    sourceTimeZone: row.zone,
    granularity: row.granularity,
  }))
}
