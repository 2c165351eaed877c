// The queue of imports, runs and exports that are due: who may work on what until when. It never decides about the work itself.
// Work of one integration is done one piece at a time, in the order of `position`; the open run comes first. Workspaces take turns. Files
// that were uploaded never wait for sources that are slow, nor for exports: those who claim name the kind that they do.
import type { AppendContext } from '@wds/event-store/event-store'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** A piece under a lease. */
export interface LeasedWork {
  workspaceId: string
  workId: string
  leaseToken: string
}

/** A piece of sync work. */
export interface Work extends LeasedWork {
  kind: 'import' | 'run'
  integrationId: string
  /** Null for an import whose run is not open yet. */
  runId: string | null
  /** Nobody held it before: it is new, deferred, or was released with its attempt under way. */
  wasFree: boolean
  /** Of the request that asked for it. */
  correlation: string
  traceparent: string
}

export type WorkKind = Work['kind'] | 'export'

/** Queues an import (its run opens later), a run, or an export, which waits for no integration. */
export async function putWork(
  tx: Transaction,
  o: { context: AppendContext; workId: string } & (
    | { kind: Work['kind']; integrationId: string }
    | { kind: 'export'; integrationId: null }
  ),
): Promise<void> {
  const { workspaceId, correlation, trace } = o.context
  await tx.query(
    `insert into due_work (workspace_id, work_id, kind, integration_id, run_id, correlation, traceparent)
     values ($1, $2, $3::text, $4, case when $3::text = 'run' then $2 end, $5, $6)`,
    [workspaceId, o.workId, o.kind, o.integrationId, correlation, trace.traceparent],
  )
}

interface WorkRow {
  workspace_id: string
  work_id: string
  kind: WorkKind
  integration_id: string | null
  run_id: string | null
  correlation: string
  traceparent: string
  was_free: boolean
  [column: string]: unknown
}

/** Due, nobody's, and the next of its integration: the open run, else the oldest import. */
const isReady = (d: string) => `${d}.due <= app_now() and (${d}.lease_until is null or ${d}.lease_until <= app_now())
  and not exists (
    select 1 from due_work o
    where o.workspace_id = ${d}.workspace_id and o.integration_id = ${d}.integration_id and o.work_id <> ${d}.work_id
      and (o.run_id is not null or (${d}.run_id is null and o.position < ${d}.position)))`

/** An import is a file that is here; a run pulls from a source, which may take minutes of waiting; an export waits for the database alone. */
const isOfKind = (d: string, kinds: string) => `${d}.kind = any(${kinds}::text[])`

// Locks as it goes down the list: what another claim holds is passed over. Materialised, since the lock would else be a condition
// on each workspace that waits, before they are ordered, and one claim would lock all of them. Indexes due_work_due and due_work_lane.
const turnSql = `
  with busy as (
    select workspace_id, count(*) as n from due_work where lease_until > app_now() and ${isOfKind('due_work', '$2')}
    group by workspace_id),
  waiting as materialized (
    select d.workspace_id from due_work d left join busy b using (workspace_id) left join work_turns t using (workspace_id)
    where ${isReady('d')} and ${isOfKind('d', '$2')} and coalesce(b.n, 0) < $1
    group by d.workspace_id order by min(t.last_served) nulls first, min(d.due))
  select workspace_id from waiting
  where pg_try_advisory_xact_lock(hashtextextended('due_work:' || workspace_id, 0)) limit 1`

// Materialised: as the inner side of a nested loop the subquery would run again for each row, and lock another piece each time.
const takeSql = `
  with taken as materialized (
    select d.workspace_id, d.work_id, d.lease_token is null as was_free from due_work d
    where d.workspace_id = $3 and ${isReady('d')} and ${isOfKind('d', '$5')}
      and (select count(*) from due_work l
        where l.workspace_id = $3 and l.lease_until > app_now() and ${isOfKind('l', '$5')}) < $4
    order by d.due, d.position limit 1 for update of d skip locked),
  served as (
    insert into work_turns (workspace_id, last_served) select workspace_id, app_now() from taken
    on conflict (workspace_id) do update set last_served = excluded.last_served)
  update due_work w set lease_token = $1, lease_until = app_now() + $2::float8 * interval '1 millisecond'
  from taken where w.workspace_id = taken.workspace_id and w.work_id = taken.work_id
  returning w.workspace_id, w.work_id, w.kind, w.integration_id, w.run_id, w.correlation, w.traceparent, taken.was_free`

/** Looks for a turn that one claim makes before it counts as none: another claim may take what the look saw. */
const looksMax = 3

interface Claim {
  leaseMs: number
  leaseToken: string
  perWorkspace: number
}

/**
 * Takes the oldest due piece of sync work of the kind (null: of any) of the workspace whose last turn is longest ago under a lease, or
 * null. No workspace has more than `perWorkspace` pieces of a kind under way: its turn is locked before they are counted.
 */
export async function claimWork(tx: Transaction, o: Claim & { kind?: Work['kind'] | null }): Promise<Work | null> {
  const row = await claim(tx, o, o.kind ? [o.kind] : ['import', 'run'])
  if (row === null) return null
  const { kind, integration_id: integrationId } = row
  if (kind === 'export' || integrationId === null) throw new Error('sync work belongs to an integration')
  return {
    ...toLeased(row, o),
    kind,
    integrationId,
    runId: row.run_id,
    wasFree: row.was_free,
    correlation: row.correlation,
    traceparent: row.traceparent,
  }
}

/** Takes an export, as `claimWork` takes sync work. */
export async function claimExport(tx: Transaction, o: Claim): Promise<LeasedWork | null> {
  const row = await claim(tx, o, ['export'])
  return row && toLeased(row, o)
}

async function claim(tx: Transaction, o: Claim, kinds: readonly WorkKind[]): Promise<WorkRow | null> {
  for (let look = 1; look <= looksMax; look++) {
    const turn = await tx.query<{ workspace_id: string }>(turnSql, [o.perWorkspace, kinds])
    const workspaceId = turn.rows[0]?.workspace_id
    if (workspaceId === undefined) return null
    const values = [o.leaseToken, o.leaseMs, workspaceId, o.perWorkspace, kinds]
    const { rows } = await tx.query<WorkRow>(takeSql, values)
    if (rows[0]) return rows[0]
  }
  return null
}

function toLeased(row: WorkRow, { leaseToken }: Claim): LeasedWork {
  return { workspaceId: row.workspace_id, workId: row.work_id, leaseToken }
}

/** Prolongs the lease; false when it is no longer ours. Locks the row until the transaction ends. */
export async function keepLease(tx: Queryable, work: LeasedWork, leaseMs: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update due_work set lease_until = app_now() + $4::float8 * interval '1 millisecond'
     where workspace_id = $1 and work_id = $2 and lease_token = $3 and lease_until > app_now()`,
    [work.workspaceId, work.workId, work.leaseToken, leaseMs],
  )
  return rowCount === 1
}

/** Gives back work under way: the next holder goes on where it stands, no attempt is lost. */
export async function releaseWork(tx: Queryable, work: LeasedWork): Promise<void> {
  await tx.query(
    `update due_work set lease_token = null, lease_until = null
     where workspace_id = $1 and work_id = $2 and lease_token = $3`,
    [work.workspaceId, work.workId, work.leaseToken],
  )
}

/** The run of an import is open from now on. */
export async function setRun(tx: Transaction, work: Work, runId: string): Promise<void> {
  await tx.query('update due_work set run_id = $3 where workspace_id = $1 and work_id = $2', [
    work.workspaceId,
    work.workId,
    runId,
  ])
}

/** Gives the work back; due again at `dueMs`. */
export async function deferWork(tx: Transaction, work: LeasedWork, dueMs: number): Promise<void> {
  await tx.query(
    `update due_work set lease_token = null, lease_until = null, due = to_timestamp($3::float8 / 1000)
     where workspace_id = $1 and work_id = $2`,
    [work.workspaceId, work.workId, dueMs],
  )
}

/** Whether a run is still to be gone on with. The unique index on run_id serves it. */
export async function hasWork(tx: Transaction, workspaceId: string, runId: string): Promise<boolean> {
  const { rows } = await tx.query('select 1 from due_work where workspace_id = $1 and run_id = $2', [
    workspaceId,
    runId,
  ])
  return rows.length > 0
}

/** Removes work that has ended, by its own id or by its run's. */
export async function endWork(tx: Transaction, workspaceId: string, workOrRunId: string): Promise<void> {
  await tx.query('delete from due_work where workspace_id = $1 and (work_id = $2 or run_id = $2)', [
    workspaceId,
    workOrRunId,
  ])
}
