// The hourly care when the database refuses one of its steps: the others are taken, and the failed one is tried again soon.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runLoop } from '@wds/service-host/loop'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { existingDays } from '../days/store.ts'
import { createEngine, type Engine, newId, seedSubscription } from '../engine.fixture.ts'
import { maintenanceSteps } from './loop.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

const hourMs = 3_600_000

async function until(what: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('not in time')
    await sleep(10)
  }
}

test('regression: a step that fails is tried again within seconds, not in an hour, and keeps no other step', async () => {
  const subscription = await seedSubscription(engine, { workspaceId: newId('wsp') })
  await engine.admin.query('update delivery.lanes set in_flight = 3 where subscription_id = $1', [subscription])
  const day = [...(await existingDays(engine.worker))].at(-1) ?? ''
  const suffix = day.replaceAll('-', '')
  for (const table of ['events', 'deliveries', 'dead_deliveries', 'delivery_log'])
    await engine.admin.query(`drop table delivery.${table}_${suffix}`)
  const right = 'execute on function delivery.make_partitions(date)'
  const { rows } = await engine.admin.query<{ role: string }>(
    "select grantee as role from information_schema.routine_privileges where routine_name = 'make_partitions' and grantee like '%worker%'",
  )
  const role = rows[0]?.role ?? ''
  await engine.admin.query(`revoke ${right} from "${role}"`)
  const lines: { loop?: string }[] = []
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const stopping = new AbortController()
  const loops = maintenanceSteps({ pool: engine.worker, logger }).map((step) =>
    runLoop({
      ...step,
      signal: stopping.signal,
      logger,
      progress: createProgress(),
      pauseMs: hourMs,
    }),
  )
  try {
    const inFlight = async () =>
      (await engine.worker.query('select in_flight from lanes where subscription_id = $1', [subscription])).rows[0]
        ?.in_flight
    await until(async () => (await inFlight()) === 0)
    await until(async () => lines.some((line) => line.loop === 'make-days'))
    expect((await existingDays(engine.worker)).has(day)).toBe(false)
    await engine.admin.query(`grant ${right} to "${role}"`)
    await until(async () => (await existingDays(engine.worker)).has(day))
    expect(lines.filter((line) => line.loop === 'make-days')).toHaveLength(1)
  } finally {
    stopping.abort()
    await Promise.all(loops)
  }
})
