// What of a workspace's integrations its days of stats must know: whom a day expects, how each cuts its own days. It never decides
// about a day.
import { integrationStatuses } from '@wds/contracts/states'
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

/**
 * The integrations of the workspace, at most 200, and of those that were deleted, of which there may be any number, the ones named; null:
 * all of them. The index integrations_by_status and the primary key serve it.
 */
export async function readReporting(
  tx: Transaction,
  { workspaceId, deleted }: { workspaceId: string; deleted: readonly string[] | null },
): Promise<ReportingIntegration[]> {
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
     from integrations where workspace_id = $1 and (status = any($2::text[]) or id = any($3::text[])) order by id`,
    [workspaceId, integrationStatuses.filter((status) => deleted === null || status !== 'deleted'), deleted ?? []],
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
