// Opens a new epoch of a delivery, under the lock of its lane. What may be replayed is judged again under that lock.
import type { Transaction } from '@wds/postgres/transaction'

/** True when the epoch was opened; false when the delivery was under way, open or in a parked lane by then. */
export async function replayDelivery(
  tx: Transaction,
  o: { day: string; id: string; requestedBy: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'replay',
    text: 'select replay($1, $2, $3, 0::smallint, $4)',
    values: [tx.workspaceId, [o.day], [o.id], o.requestedBy],
  })
  return rowCount === 1
}
