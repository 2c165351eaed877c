// Puts announcements into the outbox, in the transaction of the facts they announce. It must never publish anything: that
// is the relay's work (architecture.md 5).
import type { NewLogRecord } from '@wds/event-log/port'
import type { Pool, Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { whenAcknowledged } from './acknowledge.ts'
import { outboxSignal } from './outbox-signal.ts'

/** A record with the workspace that it belongs to; '' for one of no workspace. */
export type OutboxRecord = NewLogRecord & { workspaceId: string }

/** Puts records into the outbox in the given order. */
export async function putInOutbox(tx: Transaction, records: OutboxRecord[]): Promise<void> {
  if (records.length === 0) return
  await tx.query({ name: 'outbox-put', text: putSql, values: outboxColumns(records) })
  announceAfterCommit(tx, records)
}

/** Wakes the relay of this process after the commit, and holds back who waits for these records to be on the log. */
export function announceAfterCommit(tx: Transaction, records: readonly OutboxRecord[]): void {
  tx.afterCommit((pool) => {
    outboxSignal.raise()
    return whenAcknowledged(pool, records)
  })
}

/** The same for records that were announced before: one that still waits is left alone. Returns how many were put. */
export async function putInOutboxAgain(tx: Transaction, records: OutboxRecord[]): Promise<number> {
  if (records.length === 0) return 0
  const text = `${putSql} on conflict (event_id) do nothing`
  const { rowCount } = await tx.query({ name: 'outbox-put-again', text, values: outboxColumns(records) })
  tx.afterCommit(() => outboxSignal.raise())
  return rowCount ?? 0
}

/** The arrays that `unnest` takes: workspace, topic, key, event id, headers, payload. */
export function outboxColumns(records: OutboxRecord[]): unknown[][] {
  return [
    records.map((r) => r.workspaceId),
    records.map((r) => r.topic),
    records.map((r) => r.key),
    records.map((r) => r.eventId),
    records.map((r) => JSON.stringify(r.headers)),
    records.map((r) => (r.payload === null ? null : asBuffer(r.payload))),
  ]
}

/** Age of the oldest row in milliseconds, 0 when the outbox is empty; for the alarm on a relay that stands. */
export async function outboxAge(pool: Pool | Queryable): Promise<number> {
  // The primary key serves it.
  const { rows } = await (pool as Queryable).query<{ age: string | null }>({
    name: 'outbox-age',
    text: `select (select greatest(0, extract(epoch from app_now() - put_at) * 1000) from outbox order by id limit 1)::text as age`,
  })
  return Number(rows[0]?.age ?? 0)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const putSql = `
  insert into outbox (workspace_id, topic, key, event_id, headers, payload)
  select u.workspace_id, u.topic, u.key, u.event_id, u.headers::json, u.payload
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[]) with ordinality
    as u(workspace_id, topic, key, event_id, headers, payload, ord)
  order by u.ord`
