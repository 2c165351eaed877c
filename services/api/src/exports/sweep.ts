// Removes what exports leave behind: held rows and pieces of those that came to no file, and all of those that are deleted or have
// expired. In small transactions, so that nobody waits; what is not removed is found again.
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { carryOutExport, loadExport } from './resource.ts'
import { deleteExport, findSweepable, storeExport } from './store.ts'
import { dropPieces } from './store-pieces.ts'
import { dropRows } from './store-rows.ts'

interface Place {
  workspaceId: string
  exportId: string
}

const exportsAtATime = 100
const rowsAtATime = 10_000
const piecesAtATime = 20

/** Sweeps all exports that are due, of all workspaces; `pool` is the worker role's. */
export async function sweepExports(pool: Pool): Promise<void> {
  for (;;) {
    const due = await findSweepable(pool, exportsAtATime)
    for (const place of due) await sweepOne(pool, place)
    if (due.length < exportsAtATime) return
  }
}

/** Sweeps an export that is over; one that has expired is over, whatever it was. */
export async function sweepOne(pool: Pool, place: Place): Promise<void> {
  const inPlace = <T>(fn: (tx: Transaction) => Promise<T>) =>
    withTransaction(pool, { workspaceId: place.workspaceId }, fn)
  if (!(await inPlace((tx) => endExport(tx, place)))) return
  while ((await inPlace((tx) => dropRows(tx, { ...place, limit: rowsAtATime }))) === rowsAtATime);
  while ((await inPlace((tx) => dropPieces(tx, { ...place, limit: piecesAtATime }))) === piecesAtATime);
  await inPlace((tx) => settleExport(tx, place))
}

/** From then on nobody writes a piece of it. False: it is not to be swept. */
async function endExport(tx: Transaction, { exportId }: Place): Promise<boolean> {
  const loaded = await loadExport(tx, exportId, { lock: true })
  if (loaded === null) return false
  const { status, expires_ms } = loaded.state
  if (status === 'deleted') return true
  if (expires_ms <= loaded.nowMs) {
    await carryOutExport(tx, loaded, { type: 'delete' })
    return true
  }
  return status === 'failed' || status === 'canceled'
}

/** What is deleted is gone now; one that came to no file is shown until it expires. */
async function settleExport(tx: Transaction, { workspaceId, exportId }: Place): Promise<void> {
  const loaded = await loadExport(tx, exportId, { lock: true })
  if (loaded === null) return
  const { status, expires_ms: sweepMs } = loaded.state
  if (status === 'deleted') await deleteExport(tx, workspaceId, exportId)
  else await storeExport(tx, { workspaceId, exported: loaded, sweepMs })
}
