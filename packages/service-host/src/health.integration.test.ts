// K21 and K22 on a service that runs: what its probes say of a loop that hangs, of a database that is away, of a clock that is wrong.

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createProgress } from '@wds/telemetry/progress'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { type SilentProxy, startSilentProxy } from './fixtures/silent-proxy.ts'
import { runLoop } from './loop.ts'
import type { Service } from './service.ts'
import { type RunningService, startService } from './start-service.ts'

type Gadgets = ReturnType<typeof gadgetService>

let home: Awaited<ReturnType<typeof createGadgetHome>>
let proxy: SilentProxy
let running: RunningService | null = null
/** Moves the clock that loops are judged by. */
let aheadMs = 0
const progress = () => createProgress({ nowMs: () => performance.now() + aheadMs })

beforeAll(async () => {
  home = await createGadgetHome()
  proxy = await startSilentProxy(home.env.WDS_WORKER_DATABASE_URL)
})
afterEach(async () => {
  proxy.speak()
  await running?.stop()
  running = null
})
afterAll(async () => {
  await proxy?.close()
  await home?.close()
})

async function start(o: Partial<Gadgets>, env: Record<string, string> = {}) {
  const loops = progress()
  running = await startService(gadgetService(o), {
    values: home.values({
      DATABASE_URL: proxy.urlOf(home.env.DATABASE_URL),
      WDS_WORKER_DATABASE_URL: proxy.urlOf(home.env.WDS_WORKER_DATABASE_URL),
      ...env,
    }),
    signal: new AbortController().signal,
    progress: loops,
  })
  const { managementPort } = running
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${managementPort}${path}`)).status
  return { loops, probes: async () => [await statusOf('/livez'), await statusOf('/readyz')] }
}

/** Another minute: whatever moves has done so again by the time `holds`. */
async function whenAMinutePassed<T>(look: () => Promise<T> | T, wanted: T): Promise<void> {
  aheadMs += 61_000
  const deadline = performance.now() + 60_000
  let seen = await look()
  while (JSON.stringify(seen) !== JSON.stringify(wanted) && performance.now() < deadline) {
    await new Promise((settle) => setTimeout(settle, 20))
    seen = await look()
  }
  expect(seen).toEqual(wanted)
}

describe('probes', () => {
  test.each(['worker', 'all'])(
    'K21: in the role %s a loop that hangs ends liveness, the others do not',
    async (role) => {
      const held = Promise.withResolvers<boolean>()
      const worker: NonNullable<Gadgets['worker']> = (o) => {
        const pauseMs = 5
        o.untilStopped(runLoop({ ...o, name: 'steady', pauseMs, turn: async () => false }))
        o.untilStopped(runLoop({ ...o, name: 'planted', pauseMs, turn: () => held.promise }))
        o.onStop(() => held.resolve(false))
      }
      const { loops, probes } = await start({ worker }, { WDS_ROLE: role })
      expect(await probes()).toEqual([200, 200])
      await whenAMinutePassed(() => loops.stuck(), ['planted'])
      // In a process that answers requests readiness stays: they are answered.
      expect(await probes()).toEqual([503, role === 'worker' ? 503 : 200])
    },
  )

  test('K21, K22: with Postgres away a worker lives on and is not ready; once it answers it is again', async () => {
    const worker: NonNullable<Gadgets['worker']> = (o) => {
      const turn = async () => (await o.pool.query('select 1')).rows.length > 1
      o.untilStopped(runLoop({ ...o, name: 'asks', pauseMs: 5, turn }))
    }
    const { loops, probes } = await start({ worker }, { WDS_ROLE: 'worker' })
    await whenAMinutePassed(probes, [200, 200])
    proxy.fallSilent()
    await new Promise((settle) => setTimeout(settle, 200))
    for (let minute = 0; minute < 5; minute += 1) await whenAMinutePassed(probes, [200, 503])
    expect(loops.idle()).toContain('asks')
    proxy.speak()
    await whenAMinutePassed(probes, [200, 200])
  })

  test('K22: with Postgres away a process that answers requests stays ready', async () => {
    const { probes } = await start({}, { WDS_ROLE: 'all' })
    proxy.fallSilent()
    await whenAMinutePassed(probes, [200, 200])
  })
})

describe('the clock', () => {
  test.each([
    [4_000, 200],
    [-4_000, 200],
    [6_000, 503],
    [-6_000, 503],
  ])('K22: off by %i ms with 5 s allowed: /readyz says %i, and /livez goes on', async (offMs, ready) => {
    const inDatabase = `in database ${(await home.admin.query('select current_database() as name')).rows[0]?.name}`
    await home.admin.query(`alter role wds_api ${inDatabase} set app.clock_offset_ms = '${offMs}'`)
    try {
      const clocked: Partial<Service<never>> = { clockOffMaxMs: 5_000 }
      const { probes } = await start(clocked as Partial<Gadgets>, { WDS_ROLE: 'http' })
      expect(await probes()).toEqual([200, ready])
    } finally {
      await home.admin.query(`alter role wds_api ${inDatabase} reset app.clock_offset_ms`)
    }
  })
})
