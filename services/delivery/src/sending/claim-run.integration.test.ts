// The claim under everything at once (stack.md 10.6). WDS_TEST_CLAIM_DELIVERIES=60000 runs it at the size of the design; CI takes a part of it.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { checkProjection } from '../deliveries/store-projection.ts'
import { createEngine, type Engine } from '../engine.fixture.ts'
import { runClaims } from './claim-run.fixture.ts'
import type { ClaimRunOptions, ClaimRunResult } from './claim-run-state.fixture.ts'

const deliveries = Number(process.env.WDS_TEST_CLAIM_DELIVERIES ?? 8_000)
const seed = Number(process.env.WDS_TEST_SEED ?? Date.now() % 1_000_000)

let engine: Engine
beforeEach(async () => {
  engine = await createEngine()
})
afterEach(() => engine?.stop())

/** What the server's log says of its last deadlocks: who waited for whom, with both statements. */
async function toldOfDeadlocks(): Promise<string[]> {
  const { rows } = await engine.admin.query<{ log: string }>('select pg_read_file(pg_current_logfile()) as log')
  const log = rows[0]?.log ?? ''
  const entries = log.split(/\n(?=.*ERROR: {2}deadlock detected)/).slice(1)
  return entries.slice(-5).map((entry) => entry.slice(0, 4_000))
}

async function run(o: Omit<ClaimRunOptions, 'seed' | 'deadlineMs'>): Promise<ClaimRunResult> {
  const startedMs = performance.now()
  const result = await runClaims(engine, { ...o, seed, deadlineMs: 300_000 + o.deliveries * 10 })
  const { rows } = await engine.worker.query<{ open: number; made: number; busy: number; doubled: number }>(
    `select (select count(*)::int from deliveries where status not in ('delivered', 'dead')) as open, (select count(*)::int from deliveries) as made,
            (select count(*)::int from lanes where in_flight <> 0) as busy,
            (select count(*)::int from (select event_id, subscription_id from deliveries group by 1, 2 having count(*) > 1) x) as doubled`,
  )
  const { rows: stats } = await engine.admin.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  const differences: object[] = []
  const report = (difference: object) => void differences.push(difference)
  await checkProjection(engine.worker, { schedule: defaultSchedule, rebuild: false, report })
  expect({ seed, breaches: result.breaches.slice(0, 5), differences: differences.slice(0, 5), ...rows[0] }).toEqual({
    seed,
    breaches: [],
    differences: [],
    open: 0,
    busy: 0,
    doubled: 0,
    made: expect.any(Number),
  })
  const deadlocks = stats[0]?.n ?? 0
  // The log may have been rotated away: the count decides.
  const told = deadlocks > 0 ? await toldOfDeadlocks() : []
  expect({ seed, deadlocks, told }).toEqual({ seed, deadlocks: 0, told: [] })
  expect(rows[0]?.made).toBeGreaterThanOrEqual(o.deliveries)
  if (process.env.WDS_TEST_CLAIM_DELIVERIES) {
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
    console.log(JSON.stringify({ seed, seconds, made: rows[0]?.made, ...result.counts }))
  }
  return result
}

test('4 claimers, 4 settlers, fan out, crashes, disables, holds and replays at once: claimed once, caps kept, nothing hidden, no deadlock, log and state equal', async () => {
  const { counts } = await run({ deliveries, workspaces: 20, fanOut: 5, eventsAtOnce: 10, waitingMax: 5_000 })
  // Long enough for each of them to happen; the run below is not.
  for (const [kind, count] of Object.entries(counts)) expect([kind, count > 0]).toEqual([kind, true])
}, 1_200_000)

test('the same with nearly empty lanes, where each claim empties what fan out fills', async () => {
  await run({ deliveries: deliveries / 6, workspaces: 40, fanOut: 5, eventsAtOnce: 1, waitingMax: 40 })
}, 1_200_000)
