// Takes events in, makes their deliveries and claims them as far as there is room, in one statement (0123-each-workspace-by-itself.sql).
import type { Queryable } from '@wds/postgres/pool'
import type { Booking, ClaimedAttempt, StoredSecret } from '../loops/send/send-ports.ts'
import type { FanOutTurn } from './fan-out.ts'
import { eventColumns, type IncomingEvent } from './take-in.ts'

/** What became of the events. */
export interface MadeAsTakenIn {
  /** Workspaces whose subscriptions had changed, or whose row was locked: their events wait in the queue. */
  stale: string[]
  /** Claimed, once it is committed. */
  begun: ClaimedAttempt[]
  /** A claim would find room for others. */
  wakes: boolean
}

interface Row {
  stale: string | null
  subscription_id: string
  deliveries: string[]
  wakes: boolean | null
  url: string
  headers: Record<string, string>
  secrets: StoredSecret[] | null
}

/** One round trip. `turn`: of `events`, none twice; what is not in it waits in the queue. Without a booking nothing is claimed. */
export async function makeAsTakenIn(
  db: Queryable,
  o: { events: IncomingEvent[]; turn: FanOutTurn; booking: Booking | null },
): Promise<MadeAsTakenIn> {
  const { turn, booking } = o
  const { rows } = await db.query<Row>({
    name: 'make-as-taken-in',
    text: `select stale, subscription_id, deliveries, wakes, url, headers, secrets
             from make_as_taken_in($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      ...eventColumns(o.events),
      turn.workspaces.map((w) => w.workspaceId),
      turn.workspaces.map((w) => w.version),
      turn.pairs.map((p) => p.eventId),
      turn.pairs.map((p) => p.subscriptionId),
      turn.pairs.map((p) => p.deliveryId),
      booking === null ? turn.pairs.map(() => null) : booking.places,
      booking?.claimId ?? null,
      booking?.leaseMs ?? null,
    ],
  })
  const stale = rows.flatMap((row) => row.stale ?? [])
  const wakes = rows.some((row) => row.wakes === true)
  return { stale, wakes, begun: booking === null ? [] : begunAttempts(rows, { ...o, booking }) }
}

function begunAttempts(
  rows: Row[],
  { events, turn, booking }: { events: IncomingEvent[]; turn: FanOutTurn; booking: Booking },
): ClaimedAttempt[] {
  const eventOf = new Map(events.map((event) => [event.eventId, event]))
  const eventOfDelivery = new Map(turn.pairs.map((pair) => [pair.deliveryId, eventOf.get(pair.eventId)]))
  return rows.flatMap(({ stale, deliveries, wakes: _, ...lane }) =>
    (stale === null ? deliveries : []).flatMap((deliveryId) => {
      const event = eventOfDelivery.get(deliveryId)
      return event === undefined ? [] : [attemptOf(deliveryId, { event, lane, claimId: booking.claimId })]
    }),
  )
}

function attemptOf(
  deliveryId: string,
  o: { event: IncomingEvent; lane: Omit<Row, 'stale' | 'deliveries' | 'wakes'>; claimId: string },
): ClaimedAttempt {
  const { eventDay, eventId, workspaceId, payload, traceparent } = o.event
  const { subscription_id: subscriptionId, url, headers, secrets } = o.lane
  return {
    ...{ deliveryId, subscriptionId, workspaceId, eventDay, eventId },
    epoch: 1,
    attempt: 1,
    slow: false,
    payload: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
    traceparent,
    ...{ url, headers, secrets: secrets ?? [] },
    claimId: o.claimId,
  }
}
