// Reads of the append-only log of deliveries: attempts and epochs for the single answer, rows for the fold.
import type { Queryable } from '@wds/postgres/pool'

/** A row of the log. */
export interface LogRow {
  delivery_id: string
  seq: number
  kind: string
  epoch: number
  attempt: number
  at: Date
  next_attempt: Date | null
  dead_reason: string | null
  requested_by: string | null
  attempt_id: string | null
  started: Date | null
  duration_ms: number | null
  url: string | null
  signature_timestamp: string | null
  response_status: number | null
  response_excerpt: string | null
  error_code: string | null
  trace_id: string | null
}

/** An attempt that is under way, read from its lease: it has no log row yet. */
export interface LeaseRow {
  started: Date
  epoch: number
  attempt: number
}

/** More than a delivery has unless it was replayed again and again, which nothing bounds. */
export const logRowsMax = 500

/** The newest rows of a delivery in their order. Primary key, one partition. */
export async function readLog(tx: Queryable, o: { workspaceId: string; day: string; id: string }): Promise<LogRow[]> {
  const { rows } = await tx.query<LogRow>({
    name: 'log-read',
    text: `select delivery_id, seq, kind, epoch, attempt, at, next_attempt, dead_reason, requested_by, attempt_id, started, duration_ms, url,
                  signature_timestamp, response_status, response_excerpt, error_code, trace_id
             from delivery_log where event_day = $2 and delivery_id = $3 and workspace_id = $1 order by seq desc limit $4`,
    values: [o.workspaceId, o.day, o.id, logRowsMax],
  })
  return rows.reverse()
}

/** Primary key of leases. */
export async function readLease(
  tx: Queryable,
  o: { workspaceId: string; subscriptionId: string; id: string },
): Promise<LeaseRow | null> {
  const { rows } = await tx.query<LeaseRow>({
    name: 'lease-read',
    text: 'select started, epoch, attempt from leases where subscription_id = $2 and delivery_id = $3 and workspace_id = $1',
    values: [o.workspaceId, o.subscriptionId, o.id],
  })
  return rows[0] ?? null
}
