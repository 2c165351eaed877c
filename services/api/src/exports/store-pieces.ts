// The file of an export, in pieces that are never changed. It never looks inside.
import type { Transaction } from '@wds/postgres/transaction'

interface Piece {
  workspaceId: string
  exportId: string
  /** From 0. */
  seq: number
}

export async function storePiece(tx: Transaction, o: Piece & { bytes: Buffer }): Promise<void> {
  await tx.query('insert into export_pieces (workspace_id, export_id, seq, bytes) values ($1, $2, $3, $4)', [
    o.workspaceId,
    o.exportId,
    o.seq,
    o.bytes,
  ])
}

/** One piece, or null where it is gone. The primary key serves it. */
export async function readPiece(tx: Transaction, o: Piece): Promise<Buffer | null> {
  const { rows } = await tx.query<{ bytes: Buffer }>(
    'select bytes from export_pieces where workspace_id = $1 and export_id = $2 and seq = $3',
    [o.workspaceId, o.exportId, o.seq],
  )
  return rows[0]?.bytes ?? null
}

/** Removes pieces of an export, at most `limit`; how many there were. The primary key serves it. */
export async function dropPieces(
  tx: Transaction,
  o: { workspaceId: string; exportId: string; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from export_pieces where ctid = any(array(
       select ctid from export_pieces where workspace_id = $1 and export_id = $2 limit $3))`,
    [o.workspaceId, o.exportId, o.limit],
  )
  return rowCount ?? 0
}
