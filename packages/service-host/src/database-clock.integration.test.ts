// Time is the database's, whatever the host's clock says, and a host that is off is logged and known.
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { dbNow } from '@wds/event-store/event-store'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { type DatabaseClock, startDatabaseClock } from './database-clock.ts'
import { createGadgetHome } from './fixtures/gadget-service.ts'

const hourMs = 3_600_000

let home: Awaited<ReturnType<typeof createGadgetHome>>
let pool: Pool
let ending: AbortController
let clock: DatabaseClock | null
let messages: string[]

beforeAll(async () => {
  home = await createGadgetHome()
})
afterAll(() => home?.close())
beforeEach(() => {
  // One connection: its session's clock is the database's.
  pool = createPool({ connectionString: home.env.DATABASE_URL, applicationName: 'test', max: 1 })
  ending = new AbortController()
  clock = null
  messages = []
})
afterEach(async () => {
  ending.abort()
  await clock?.ended
  if (!pool.ended) await pool.end()
})

const setOff = (ms: number) => pool.query("select set_config('app.clock_offset_ms', $1, false)", [String(ms)])

async function start(): Promise<DatabaseClock> {
  const write = (line: string) => void messages.push(JSON.parse(line).msg)
  const logger = createLogger({ service: 'test', destination: { write } })
  clock = await startDatabaseClock({ pool, logger, signal: ending.signal, progress: createProgress(), everyMs: 5 })
  return clock
}

async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds()) && performance.now() < deadline) await new Promise((settle) => setTimeout(settle, 5))
  expect(await holds()).toBe(true)
}

describe('the database clock', () => {
  test('follows the database over hours, forth and back, and logs once per change that the host is off', async () => {
    await setOff(hourMs)
    const { nowMs, isHostRight } = await start()
    const isAtDatabase = async () => Math.abs((await dbNow(pool)) - nowMs()) < hourMs / 2
    expect([await isAtDatabase(), isHostRight()]).toEqual([true, false])
    await setOff(-2 * hourMs)
    await eventually(isAtDatabase)
    expect(isHostRight()).toBe(false)
    await setOff(0)
    await eventually(isHostRight)
    expect(await isAtDatabase()).toBe(true)
    await setOff(-hourMs)
    await eventually(() => !isHostRight())
    expect(messages).toEqual([
      'host clock differs too much from the database clock',
      'host clock is in sync again',
      'host clock differs too much from the database clock',
    ])
  })

  test('a database that is away changes no judgement, and the clock runs on', async () => {
    await setOff(hourMs)
    const { nowMs, isHostRight } = await start()
    const beforeMs = nowMs()
    await pool.end()
    await eventually(() => messages.includes('background loop failed, retrying'))
    expect(isHostRight()).toBe(false)
    await eventually(() => nowMs() > beforeMs)
    expect(nowMs() - beforeMs).toBeLessThan(hourMs / 2)
  })

  test('regression: a database that is away at the first readings is asked again', async () => {
    const { hostname, port } = new URL(home.env.DATABASE_URL)
    let refused = 0
    const way = createServer((client) => {
      if (refused < 2) {
        refused += 1
        client.destroy()
        return
      }
      const server = connect(Number(port), hostname)
      for (const socket of [client, server]) socket.on('error', () => undefined)
      client.pipe(server).pipe(client)
    })
    await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
    await pool.end()
    const wayPort = String((way.address() as AddressInfo).port)
    const through = Object.assign(new URL(home.env.DATABASE_URL), { port: wayPort })
    pool = createPool({ connectionString: through.href, applicationName: 'test', max: 1 })
    try {
      const { nowMs } = await start()
      expect(Math.abs((await dbNow(pool)) - nowMs())).toBeLessThan(hourMs / 2)
      expect([refused, messages]).toEqual([2, ['database does not answer, startup waits']])
    } finally {
      way.close()
    }
  })

  test('a start that is called off while the database is away ends', async () => {
    await pool.end()
    pool = createPool({ connectionString: 'postgres://x:y@127.0.0.1:1/z', applicationName: 'test', max: 1 })
    const starting = start()
    await eventually(() => messages.length > 0)
    ending.abort(new Error('called off'))
    await expect(starting).rejects.toThrow('called off')
  })

  test('a database that refuses the first reading for another reason is told', async () => {
    await pool.end()
    await expect(start()).rejects.toThrow()
  })
})
