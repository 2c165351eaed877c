// GET /v1/deliveries/{id}: where a delivery is, with every attempt, its epochs and the event.
import { createHash } from 'node:crypto'
import { idDay, isId } from '@wds/contracts/ids'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { DeliveryDetail, operations } from '../openapi.generated.ts'
import { readableTypes } from '../subscriptions/reader.ts'
import { type DeliveryRow, readDelivery, readEventPayload } from './store.ts'
import { readLease, readLog } from './store-log.ts'
import { toApiAttempts, toApiDelivery, toApiEpochs } from './to-api.ts'

type OfDelivery = Pick<ApiRequest<operations['readDelivery']>, 'params' | 'client'>

/** The delivery that the path names, or 404. */
export async function existingDelivery(tx: Transaction, request: OfDelivery): Promise<DeliveryRow> {
  const { id } = request.params
  const { workspaceId } = request.client
  const row = isId('dlv', id) ? await readDelivery(tx, { workspaceId, day: idDay(id), id }) : null
  if (row === null) throw new Problem('not_found')
  return row
}

/** The single answer. */
export async function showDelivery(tx: Transaction, request: OfDelivery, attemptsMax: number): Promise<DeliveryDetail> {
  const row = await existingDelivery(tx, request)
  const { workspaceId } = request.client
  const place = { workspaceId, day: row.event_day, id: row.delivery_id }
  const log = await readLog(tx, place)
  const lease = await readLease(tx, { workspaceId, subscriptionId: row.subscription_id, id: row.delivery_id })
  const readable = await readableTypes(tx, request.client)
  const isReadable = readable === null || readable.includes(row.event_type)
  const event = { workspaceId, day: row.event_day, eventId: row.event_id }
  const payload = isReadable ? await readEventPayload(tx, event) : null
  return {
    ...toApiDelivery(row, attemptsMax),
    attempts: toApiAttempts(row.delivery_id, log, lease),
    epochs: toApiEpochs(log),
    event: payload === null ? null : JSON.parse(payload.toString('utf8')),
  }
}

export async function readDeliveryById(
  request: ApiRequest<operations['readDelivery']>,
  attemptsMax: number,
): Promise<ApiAnswer<operations['readDelivery']>> {
  const body = await request.read((tx) => showDelivery(tx, request, attemptsMax))
  // An attempt under way changes the answer without a row of the log, so the tag is made of the bytes.
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`
  return { status: 200, body, headers: { etag } }
}
