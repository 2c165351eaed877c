// For tests: the publishers and fan-outs of a claim run: events seeded into the queue, and others fanned out as they are ingested.
import { setTimeout as sleep } from 'node:timers/promises'
import { withTransaction } from '@wds/postgres/transaction'
import { type Engine, eventRecord, seedEvents } from '../engine.fixture.ts'
import { createIngestHandler } from '../fan-out/consumer.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import type { Run } from './claim-run-state.fixture.ts'

export async function publish(run: Run): Promise<void> {
  const { engine, o } = run
  const all = [...new Set(run.subscriptions.map((subscription) => subscription.workspaceId))]
  // A quarter of them is quiet: behind a backlog everything goes by the queue.
  const quiet = all.slice(-Math.ceil(all.length / 4))
  const workspaces = all.slice(0, -quiet.length)
  let isSeeded = false
  const ready = Promise.withResolvers<void>()
  const inline = publishInline(engine, {
    workspaces: quiet,
    random: run.random,
    onReady: ready.resolve,
    // Not before some were fanned out inline: on a busy machine the others may be seeded sooner.
    isOver: () => run.isOver || (isSeeded && run.result.counts.inline > 0),
    hasRoom: () => hasRoom(run),
    onInline(events) {
      run.result.counts.inline += events
    },
  })
  await Promise.race([ready.promise, inline])
  for (let made = 0; made < o.deliveries && !run.isOver; ) {
    for (const workspaceId of workspaces) await seedEvents(engine, { workspaceId, count: o.eventsAtOnce })
    made += workspaces.length * o.eventsAtOnce * o.fanOut
    while (!run.isOver && !(await hasRoom(run))) await sleep(5)
    if (made < o.deliveries) continue
    // A disabled subscription got nothing: what was really made is counted once all is fanned out.
    while (!run.isOver && (await countOf(run, 'fan_out_queue')) > 0) await sleep(20)
    made = await countOf(run, 'deliveries')
  }
  isSeeded = true
  await inline
  while (!run.isOver && (await countOf(run, 'fan_out_queue')) > 0) await sleep(20)
  run.isPublished = true
}

/** Asked by whoever adds to what is due: else a slow machine never catches up. */
export const hasRoom = async (run: Run): Promise<boolean> => (await countOf(run, 'due')) <= run.o.waitingMax

async function countOf(run: Run, table: 'fan_out_queue' | 'due' | 'deliveries'): Promise<number> {
  const { rows } = await run.engine.worker.query<{ n: number }>(`select count(*)::int as n from ${table}`)
  return rows[0]?.n ?? 0
}

export async function spread(run: Run): Promise<void> {
  const fanOut = createFanOut({ pool: run.engine.worker, onMade: () => undefined })
  while (!run.isOver) if (!(await fanOut.turn())) await sleep(5)
}

/**
 * One to three events of a workspace at a time, until `isOver`, by a process that serves the queue as well. `onReady`: once it knows
 * its workspaces, as a process that has run for a while. `onInline`: so many events did not go by the queue.
 */
async function publishInline(
  engine: Engine,
  o: {
    workspaces: string[]
    random(): number
    onReady(): void
    onInline(events: number): void
    hasRoom(): Promise<boolean>
    isOver(): boolean
  },
): Promise<void> {
  let isQueued = false
  const onQueued = (): void => {
    isQueued = true
  }
  const newProcess = () => createFanOut({ pool: engine.worker, onMade: () => undefined, onQueued })
  let fanOut = newProcess()
  const publish = async (workspaceIds: string[]): Promise<void> => {
    isQueued = false
    const records = workspaceIds.map((id) => eventRecord(id))
    await withTransaction(engine.worker, { workspaceId: null }, (tx) => createIngestHandler(fanOut.ingest)(tx, records))
    if (!isQueued) o.onInline(records.length)
  }
  await publish(o.workspaces)
  while (await fanOut.turn());
  o.onReady()
  while (!o.isOver()) {
    while ((await fanOut.turn()) && !o.isOver());
    if (!(await o.hasRoom())) {
      await sleep(5)
      continue
    }
    const workspaceId = o.workspaces[Math.floor(o.random() * o.workspaces.length)] ?? ''
    try {
      await publish(Array.from({ length: 1 + Math.floor(o.random() * 3) }, () => workspaceId))
    } catch (error) {
      // It gives way to others; a consumer would ingest them again.
      if (!['55P03', '57014'].includes((error as { code?: string }).code ?? '')) throw error
      fanOut = newProcess()
    }
    await sleep(2)
  }
}
