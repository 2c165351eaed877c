// Keeps what is announced of no event in a stream, so that it can be announced once more after the log lost records (decision 12). It
// must hold every byte and header of the first time: consumers know an event again by its id alone. A service that keeps some has the
// table `kept_announcements` in a migration of its own.
import { randomBytes } from 'node:crypto'
import { makeId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { dbNow } from './event-store.ts'
import { type OutboxRecord, outboxColumns, putInOutbox, putInOutboxAgain } from './outbox.ts'
import { type Republish, type Republished, type RepublishRange, roomInOutbox } from './republish.ts'

/** The log keeps records for 7 days. */
const keepMs = 8 * 86_400_000
const pageRows = 500
const pruneRows = 10_000

/** Puts announcements into the outbox and keeps a copy. */
export async function putInOutboxAndKeep(tx: Transaction, records: OutboxRecord[]): Promise<void> {
  if (records.length === 0) return
  const kept = tx.query({
    name: 'keep-announcements',
    text: `insert into kept_announcements (workspace_id, topic, key, event_id, headers, payload)
      select u.workspace_id, u.topic, u.key, u.event_id, u.headers::json, u.payload
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
        as u(workspace_id, topic, key, event_id, headers, payload)`,
    values: outboxColumns(records),
  })
  await allInOrder([putInOutbox(tx, records), kept])
}

/** Announces the kept ones of a range once more, in the order of their ids. */
export const republishKept: Republish = async (o) => {
  const done: Republished = { workspaces: 0, events: 0, records: 0 }
  const workspaces = new Set<string>()
  for (let above = ''; ; ) {
    o.signal?.throwIfAborted()
    await roomInOutbox(o)
    const from = above
    const page = await withTransaction(o.pool, { workspaceId: null }, (tx) => republishPage(tx, o, from))
    for (const { workspaceId } of page.records) workspaces.add(workspaceId)
    done.workspaces = workspaces.size
    done.events += page.records.length
    done.records += page.put
    o.onProgress?.({ ...done })
    if (page.records.length < pageRows) return done
    above = page.records.at(-1)?.eventId ?? above
  }
}

async function republishPage(
  tx: Transaction,
  o: RepublishRange,
  above: string,
): Promise<{ records: OutboxRecord[]; put: number }> {
  // The primary key serves it.
  const { rows: records } = await tx.query<OutboxRecord>(
    `select workspace_id as "workspaceId", topic, key, event_id as "eventId", headers, payload from kept_announcements
      where event_id >= $1 and event_id <= $2 and event_id > $3 and topic = $4 order by event_id limit $5`,
    [o.from, o.to, above, o.topic, pageRows],
  )
  return { records, put: await putInOutboxAgain(tx, records) }
}

/** Removes those older than 8 days, of these types of event alone where they are given. The primary key serves it. */
export async function pruneKept(pool: Pool, types: readonly string[] | null = null): Promise<void> {
  const oldest = makeId('evt', (await dbNow(pool)) - keepMs, randomBytes(10))
  const text = `delete from kept_announcements where (event_id, workspace_id) in
    (select event_id, workspace_id from kept_announcements
      where event_id < $1 and ($3::text[] is null or headers ->> 'event_type' = any ($3)) order by event_id limit $2)`
  while (((await pool.query(text, [oldest, pruneRows, types])).rowCount ?? 0) === pruneRows);
}
