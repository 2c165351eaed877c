// The engine's rows, found by the digest of what a client presents (auth.md 2.2). Ends are set and judged by `app_now()`.
import { digestOf } from '@wds/access/digest'
import { deleteInBatches } from '@wds/postgres/delete-in-batches'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { lives } from './lives.ts'

/** What is stored of the engine: clients are the apps' own rows, access tokens are JWTs, and its session is never read (W6). */
export const recordKinds = ['Grant', 'Interaction', 'AuthorizationCode', 'RefreshToken'] as const
export type RecordKind = (typeof recordKinds)[number]

export interface EngineRecord {
  payload: Record<string, unknown>
  /** Epoch seconds; null: not consumed. */
  consumed: number | null
  /** Of a Grant, else null. */
  workspaceId: string | null
  /** Of a Grant, else null. */
  memberRev: number | null
}

/** Null when there is none, or it is over. The primary key serves it. */
export async function findRecord(db: Queryable, kind: RecordKind, id: string): Promise<EngineRecord | null> {
  const { rows } = await db.query<EngineRecord & { [column: string]: unknown }>({
    name: 'find-record',
    text: `select payload, extract(epoch from consumed_at)::int as consumed, workspace_id as "workspaceId", member_rev as "memberRev"
      from engine_records where kind = $1 and id = $2 and expires_at > app_now()`,
    values: [kind, digestOf(id)],
  })
  return rows[0] ?? null
}

/** Stores a record or a new version of it. That it was consumed is never taken back. */
export async function putRecord(
  db: Queryable,
  o: { kind: RecordKind; id: string; grantId: string | null; payload: object; ttlSeconds: number },
): Promise<void> {
  await db.query({
    name: 'put-record',
    text: `insert into engine_records (kind, id, grant_id, payload, expires_at)
      values ($1, $2, $3, $4, app_now() + make_interval(secs => $5))
      on conflict (kind, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    values: [o.kind, digestOf(o.id), o.grantId, JSON.stringify(o.payload), o.ttlSeconds],
  })
}

/** `consumed`: by this call, for the first time. `again`: it was before. `gone`: there is none any more. */
export type Consumption = 'consumed' | 'again' | 'gone'

/** Compare and set: of any number of transactions at the same time one is told `consumed` (W16); the others wait for its end. */
export async function consumeRecord(tx: Transaction, kind: RecordKind, id: string): Promise<Consumption> {
  const key = [kind, digestOf(id)]
  const { rowCount } = await tx.query({
    name: 'consume-record',
    text: `update engine_records set consumed_at = app_now()
      where kind = $1 and id = $2 and consumed_at is null and expires_at > app_now()`,
    values: key,
  })
  if (rowCount === 1) return 'consumed'
  // A statement of its own: it sees what the one that came first has committed.
  const { rowCount: before } = await tx.query({
    name: 'was-consumed',
    text: 'select from engine_records where kind = $1 and id = $2 and consumed_at is not null',
    values: key,
  })
  return before === 1 ? 'again' : 'gone'
}

/** When each of the live grants last got a token, by grant: the newest refresh token is the one that was not used. By engine_records_unused. */
export async function readLastTokens(db: Queryable, grantIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ id: string; at: Date }>({
    name: 'last-tokens',
    text: `select grant_id as id, max(expires_at) - make_interval(secs => $2) as at from engine_records
      where grant_id = any ($1::text[]) and kind = 'RefreshToken' and consumed_at is null group by grant_id`,
    values: [grantIds, lives.refreshToken],
  })
  return new Map(rows.map(({ id, at }) => [id, at]))
}

export async function deleteRecord(db: Queryable, kind: RecordKind, id: string): Promise<void> {
  await db.query({
    name: 'delete-record',
    text: 'delete from engine_records where kind = $1 and id = $2',
    values: [kind, digestOf(id)],
  })
}

/** Holds a live grant until the transaction ends, against its end and its cut; null when it has ended. engine_records_family serves it. */
export async function holdGrant(
  tx: Transaction,
  grantId: string,
): Promise<{ workspaceId: string; resources: Record<string, string> } | null> {
  const { rows } = await tx.query<{ workspaceId: string; resources: Record<string, string> }>({
    name: 'hold-grant',
    text: `select workspace_id as "workspaceId", payload -> 'resources' as resources
      from engine_records where grant_id = $1 and kind = 'Grant' for share`,
    values: [grantId],
  })
  return rows[0] ?? null
}

/** Writes the result of an interaction that has none yet; false: it is over, or another request was first. */
export async function finishInteraction(tx: Transaction, uid: string, result: object): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'finish-interaction',
    text: `update engine_records set payload = payload || jsonb_build_object('result', $2::jsonb)
      where kind = 'Interaction' and id = $1 and not payload ? 'result' and expires_at > app_now()`,
    values: [digestOf(uid), JSON.stringify(result)],
  })
  return rowCount === 1
}

/** Removes rows that are over. engine_records_expired serves it. */
export const pruneRecords = (db: Queryable): Promise<void> =>
  deleteInBatches(
    db,
    `with over as materialized (
       select kind, id from engine_records where expires_at < app_now() and kind <> 'Grant'
        order by expires_at limit $1 for update skip locked)
     delete from engine_records r using over o where r.kind = o.kind and r.id = o.id`,
  )
