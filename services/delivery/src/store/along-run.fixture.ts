// For tests: events that are taken in, made and claimed in one, beside whatever else runs. It never stands in a running service.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTransaction } from '@wds/postgres/transaction'
import { createTakeIn } from '../consumers/take-in.ts'
import { createFanOut, type FanOut } from '../loops/fan-out.ts'
import type { Book } from '../loops/send/booking.ts'
import type { ClaimedAttempt } from '../loops/send/send-ports.ts'
import { type Engine, eventRecord } from './engine-fixture.ts'

/** Books a slot for whatever is wanted. */
export function bookAll(o: { leaseMs: number; onBegun(attempts: readonly ClaimedAttempt[]): void }): Book {
  return (wanted) => {
    const ofLane = new Map<string, number>()
    const places = wanted.map(({ subscriptionId }) => {
      const place = (ofLane.get(subscriptionId) ?? 0) + 1
      ofLane.set(subscriptionId, place)
      return place
    })
    return { claimId: randomUUID(), leaseMs: o.leaseMs, places, begin: o.onBegun, end: () => undefined }
  }
}

/** Until `isOver`; `onReady` once it knows its workspaces and that nothing waits, as a process that has run for a while: one to three events of a workspace at a time, by a process that looks at the queue as well. */
export async function publishAlong(
  engine: Engine,
  o: {
    workspaces: string[]
    random(): number
    book: Book
    onReady(): void
    hasRoom(): Promise<boolean>
    isOver(): boolean
  },
): Promise<void> {
  const newProcess = (): FanOut => createFanOut({ pool: engine.worker, onMade: () => undefined, book: o.book })
  let fanOut = newProcess()
  const first = createTakeIn({ fanOut, onTaken: () => undefined })
  await withTransaction(engine.worker, { workspaceId: null }, (tx) =>
    first(
      tx,
      o.workspaces.map((id) => eventRecord(id)),
    ),
  )
  while (await fanOut.turn());
  o.onReady()
  while (!o.isOver()) {
    while ((await fanOut.turn()) && !o.isOver());
    if (!(await o.hasRoom())) {
      await sleep(5)
      continue
    }
    const workspaceId = o.workspaces[Math.floor(o.random() * o.workspaces.length)] ?? ''
    const records = Array.from({ length: 1 + Math.floor(o.random() * 3) }, () => eventRecord(workspaceId))
    const handle = createTakeIn({ fanOut, onTaken: () => undefined })
    try {
      await withTransaction(engine.worker, { workspaceId: null }, (tx) => handle(tx, records))
    } catch (error) {
      // It gives way to others; a consumer would take them in again.
      if (!['55P03', '57014'].includes((error as { code?: string }).code ?? '')) throw error
      fanOut = newProcess()
    }
    await sleep(2)
  }
}
