// The mutants of stack.md 10.6: each breaks one rule of the functions and must be seen to fail where the real one does not.
import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import type { ClaimedAttempt } from './ports.ts'
import { createClaimStore } from './store.ts'

type Replacement = [functionName: string, from: string, to: string]

const laneOrder = 'order by l.subscription_id for update) l;'
const fanOutLock = `perform from lanes where subscription_id = any(p_pair_subscription) and workspace_id = any(current)
      order by subscription_id for update;`
const fanOutLower = 'where l.subscription_id = n.subscription_id and l.workspace_id = n.workspace_id)'

async function withEngine(replacements: Replacement[], run: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await createEngine()
  try {
    for (const [name, from, to] of replacements) {
      const { rows } = await engine.admin.query<{ sql: string }>(
        "select pg_get_functiondef(oid) as sql from pg_proc where pronamespace = 'delivery'::regnamespace and proname = $1",
        [name],
      )
      const sql = rows[0]?.sql ?? ''
      expect(sql).toContain(from)
      await engine.admin.query(sql.replace(from, to))
    }
    await run(engine)
  } finally {
    await engine.stop()
  }
}

async function fanOutAll(engine: Engine): Promise<void> {
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
}

const claim = (engine: Engine, slots: number, leaseMs = 30_000) =>
  createClaimStore({ pool: engine.worker, disableGone: async () => undefined }).claim({
    claimId: randomUUID(),
    slots,
    lanes: 64,
    leaseMs,
    busy: [],
    share: slots,
    slowLanes: [],
    slowRoom: slots,
  })

/** The function itself, without the store's retry of deadlocks. */
async function settle(
  engine: Engine,
  rows: ClaimedAttempt[],
  o: { kind: string; delayMs: number | null },
): Promise<number> {
  const each = <T>(value: T): T[] => rows.map(() => value)
  const result = await engine.worker.query(
    'select * from settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 5)',
    [
      rows.map((r) => r.workspaceId),
      rows.map((r) => r.subscriptionId),
      rows.map((r) => r.deliveryId),
      rows.map((r) => r.claimId),
      each('att'),
      each(o.kind),
      each(null),
      each(null),
      each(1),
      each(null),
      each(null),
      each(null),
      each(null),
      each(o.delayMs),
      each(null),
    ],
  )
  return result.rowCount ?? 0
}

/** Rows that a late worker settles after its lease was taken over and claimed anew. */
async function lateSettles(engine: Engine): Promise<number> {
  const workspaceId = newId('wsp')
  await seedSubscription(engine, { workspaceId })
  await seedEvents(engine, { workspaceId, count: 1 })
  await fanOutAll(engine)
  const late = await claim(engine, 1, -1)
  expect(await settle(engine, late, { kind: 'attempt_unknown', delayMs: 0 })).toBe(1)
  expect(await claim(engine, 1)).toHaveLength(1)
  return settle(engine, late, { kind: 'attempt_succeeded', delayMs: null })
}

test('a settle without the claim id lets a late worker write; the real one does not', async () => {
  await withEngine([], async (engine) => expect(await lateSettles(engine)).toBe(0))
  await withEngine([['settle', 'and e.claim_id = i.claim', '']], async (engine) =>
    expect(await lateSettles(engine)).toBe(1),
  )
})

/** True when a waiting row stands behind its lane's next_due for ever. */
async function hidesRows(engine: Engine): Promise<boolean> {
  const workspaceId = newId('wsp')
  const subscription = await seedSubscription(engine, { workspaceId })
  await engine.worker.query("update lanes set next_due = '-infinity' where subscription_id = $1", [subscription])
  await seedEvents(engine, { workspaceId, count: 1 })
  const claimer = await engine.worker.connect()
  try {
    // What a claim does that finds its lane empty: it raises next_due, and commits after fan out has looked.
    await claimer.query('begin')
    await claimer.query("update lanes set next_due = 'infinity' where subscription_id = $1", [subscription])
    const made = fanOutAll(engine)
    await waitUntilBlockedOrDone(engine, made)
    await claimer.query('commit')
    await made
  } finally {
    claimer.release()
  }
  const { rows } = await engine.worker.query(
    'select 1 from due d join lanes l using (subscription_id, workspace_id) where l.next_due > d.due_at',
  )
  return rows.length > 0
}

async function waitUntilBlockedOrDone(engine: Engine, made: Promise<void>): Promise<void> {
  let done = false
  void made.then(() => {
    done = true
  })
  const deadline = Date.now() + 60_000
  while (!done && Date.now() < deadline) {
    const { rows } = await engine.admin.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length > 0) return
  }
}

test('next_due lowered with a condition instead of under the lock hides a row for ever; the real one does not', async () => {
  await withEngine([], async (engine) => expect(await hidesRows(engine)).toBe(false))
  const mutant: Replacement[] = [
    ['fan_out', fanOutLock, ''],
    ['fan_out', fanOutLower, `${fanOutLower.slice(0, -1)} and l.next_due > t)`],
  ]
  await withEngine(mutant, async (engine) => expect(await hidesRows(engine)).toBe(true))
})

/** Deadlocks of 4 parallel settles over the same 40 lanes. */
async function deadlocks(engine: Engine): Promise<number> {
  const workspaceId = newId('wsp')
  for (let i = 0; i < 40; i += 1) await seedSubscription(engine, { workspaceId })
  await engine.worker.query('update lanes set cap = 8')
  let count = 0
  for (let round = 0; round < 6 && count === 0; round += 1) {
    await seedEvents(engine, { workspaceId, count: 4 })
    await fanOutAll(engine)
    const claims: ClaimedAttempt[][] = []
    for (let i = 0; i < 4; i += 1) claims.push(await claim(engine, 40))
    const results = await Promise.allSettled(
      claims.map((rows) => settle(engine, rows, { kind: 'attempt_succeeded', delayMs: null })),
    )
    count += results.filter((r) => r.status === 'rejected' && (r.reason as { code?: string }).code === '40P01').length
  }
  return count
}

test('a settle without lane order deadlocks; the real one does not', async () => {
  await withEngine([], async (engine) => expect(await deadlocks(engine)).toBe(0))
  const unordered = laneOrder.replace('order by l.subscription_id', 'order by random(), pg_sleep(0.001)::text')
  await withEngine([['settle', laneOrder, unordered]], async (engine) =>
    expect(await deadlocks(engine)).toBeGreaterThan(0),
  )
})
