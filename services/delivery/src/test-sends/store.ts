// Stores a test event with its one delivery, due at once.
import { idDay } from '@wds/contracts/ids'
import type { Transaction } from '@wds/postgres/transaction'

export interface TestDelivery {
  subscriptionId: string
  deliveryId: string
  eventId: string
  type: string
  payload: Uint8Array
  traceparent: string
  createdMs: number
}

/** One round trip, under the lock of the lane. The caller holds the workspace's row, and the subscription is enabled. */
export async function insertTest(tx: Transaction, o: TestDelivery): Promise<void> {
  await tx.query({
    name: 'send-test',
    text: 'select send_test($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000))',
    values: [
      ...[tx.workspaceId, o.subscriptionId, o.deliveryId, idDay(o.eventId), o.eventId, o.type],
      ...[Buffer.from(o.payload), o.traceparent, o.createdMs],
    ],
  })
}
