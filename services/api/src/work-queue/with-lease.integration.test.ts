// A lease that is renewed says that this process lives, not that the work under it moves.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { WakeSignal } from '@wds/pacing/wait'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { createApiDatabase } from '../api-database.fixture.ts'
import { runSlots } from './run-slots.ts'
import { withLease } from './with-lease.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createApiDatabase()
  const { worker } = database.urls.services.api
  pool = createPool({ connectionString: worker, applicationName: 'test-worker', max: 2 })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

/** The next one has been answered. */
const renewal = () => new Promise((answered) => pool.once('release', answered))

test('regression: K21: slots whose work hangs are stuck, although its lease is renewed', async () => {
  let aheadMs = 0
  const progress = createProgress({ nowMs: () => performance.now() + aheadMs })
  const stop = new AbortController()
  const hanging = Promise.withResolvers<void>()
  const leases = { pool, logger: createLogger({ service: 'test', level: 'silent' }), leaseMs: 60 }
  const work = { workspaceId: 'wsp_x', workId: 'imp_x', leaseToken: 'x' }
  const ended = runSlots({
    ...leases,
    name: 'planted',
    concurrency: 1,
    pollMs: 10,
    signal: stop.signal,
    progress,
    wake: new WakeSignal(),
    take: async () => work,
    carryOut: () => withLease(leases, work, () => hanging.promise),
  })
  try {
    await renewal()
    aheadMs = 61_000
    for (let renewals = 0; renewals < 3; renewals += 1) await renewal()
    expect([progress.stuck(), progress.stuckPieces()]).toEqual([['planted'], 1])
  } finally {
    stop.abort()
    hanging.resolve()
    await ended
  }
})
