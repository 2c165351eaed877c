// A worker's time is the database's, whatever the host's clock says.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { dbNow } from '@wds/event-store/event-store'
import { createLogger } from '@wds/telemetry/logger'
import { createEngine, type Engine } from '../store/engine-fixture.ts'
import { startDatabaseClock } from './database-clock.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
}, 60_000)
afterAll(() => engine?.stop())

const hourMs = 3_600_000

/** Moves the database's clock; the host's stays. */
const shift = (hours: number) =>
  engine.admin.query(
    `create or replace function delivery.app_now() returns timestamptz language sql stable parallel safe as 'select clock_timestamp() + interval ''${hours} hours'''`,
  )

test('the clock follows the database over hours, forth and back, and tells of the host once per change', async () => {
  const lines: { msg: string }[] = []
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const isAtDatabase = async (nowMs: number) => Math.abs((await dbNow(engine.worker)) - nowMs) < hourMs / 2
  await shift(1)
  const clock = await startDatabaseClock({ pool: engine.worker, logger })
  expect(await isAtDatabase(clock.nowMs())).toBe(true)
  await clock.anchor()
  await shift(-3)
  expect(await isAtDatabase(clock.nowMs())).toBe(false)
  await clock.anchor()
  expect(await isAtDatabase(clock.nowMs())).toBe(true)
  await shift(0)
  await clock.anchor()
  expect(lines.map((line) => line.msg)).toEqual([
    "the host's clock differs from the database's by more than 5 s",
    "the host's clock is right again",
  ])
})
