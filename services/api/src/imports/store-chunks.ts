// The body of an upload in chunks of at most 1 MiB, from its receipt to the end of its import. It never looks inside.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

export const chunkBytesMax = 1_048_576

export async function storeChunk(
  tx: Transaction,
  o: { workspaceId: string; importId: string; seq: number; bytes: Buffer },
): Promise<void> {
  await tx.query('insert into import_chunks (workspace_id, import_id, seq, bytes) values ($1, $2, $3, $4)', [
    o.workspaceId,
    o.importId,
    o.seq,
    o.bytes,
  ])
}

/** One chunk, or null after the last. The primary key serves it. */
export async function readChunk(
  tx: Transaction,
  o: { workspaceId: string; importId: string; seq: number },
): Promise<Buffer | null> {
  const { rows } = await tx.query<{ bytes: Buffer }>(
    'select bytes from import_chunks where workspace_id = $1 and import_id = $2 and seq = $3',
    [o.workspaceId, o.importId, o.seq],
  )
  return rows[0]?.bytes ?? null
}

export async function deleteChunks(tx: Transaction, workspaceId: string, importId: string): Promise<void> {
  await tx.query('delete from import_chunks where workspace_id = $1 and import_id = $2', [workspaceId, importId])
}

/**
 * Removes uploads that never became an import, a day after they were received; `pool` is the worker role's. One at a time: all in one statement
 * would take longer than a statement may where many were broken off. The first chunk stands for an upload, whose last one came at most an
 * hour later. Index import_chunks_age.
 */
export async function sweepChunks(pool: Pool): Promise<void> {
  const text = `delete from import_chunks where (workspace_id, import_id) = (
    select c.workspace_id, c.import_id from import_chunks c
     where c.seq = 0 and c.stored_at < app_now() - interval '25 hours' and not exists (
       select 1 from due_work w where w.workspace_id = c.workspace_id and w.work_id = c.import_id) and not exists (
       select 1 from import_work w where w.workspace_id = c.workspace_id and w.import_id = c.import_id)
     order by c.stored_at limit 1)`
  while (((await pool.query(text)).rowCount ?? 0) > 0);
}
