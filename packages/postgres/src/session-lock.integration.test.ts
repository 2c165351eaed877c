// The lock that says that a process lives, over a real database: free once its session has ended, whatever ended it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from './pool.ts'
import { holdSessionLock } from './session-lock.ts'
import { openWay } from './transaction.fixture.ts'

let database: TestDatabase
let connectionString: string
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  connectionString = database.urls.services.api.worker
  pool = createPool({ connectionString: database.adminUrl, applicationName: 'test', max: 2, statementTimeoutMs: 0 })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

/** Whether somebody else can get the lock, which is given back at once. */
async function isFree(key: string): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as free', [key])
  return rows[0]?.free === true
}

async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms`)
    await sleep(10)
  }
}

const hold = () => holdSessionLock({ connectionString, applicationName: 'test-session' })

test('nobody else gets it until it is released', async () => {
  const [one, other] = await Promise.all([hold(), hold()])
  expect(one.key).not.toBe(other.key)
  expect(one.heldMs()).toBe(Number.POSITIVE_INFINITY)
  expect([await isFree(one.key), await isFree(other.key)]).toEqual([false, false])
  await one.release()
  expect(one.heldMs()).toBe(0)
  expect([await isFree(one.key), await isFree(other.key)]).toEqual([true, false])
  await other.release()
})

test('kill -9 of the process frees it', async () => {
  const program = `
    const { holdSessionLock } = await import(${JSON.stringify(new URL('./session-lock.ts', import.meta.url).href)})
    const { key } = await holdSessionLock({ connectionString: process.env.URL, applicationName: 'test-session' })
    process.stdout.write(key)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, URL: connectionString },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [key] = (await once(child.stdout, 'data')).map(String) as [string]
  expect(await isFree(key)).toBe(false)
  child.kill('SIGKILL')
  await eventually(() => isFree(key))
})

test('a session that the server ends is made again with the same key, and says since when', async () => {
  const errors: unknown[] = []
  const lock = await holdSessionLock({
    connectionString,
    applicationName: 'test-cut',
    onError: (error) => errors.push(error),
  })
  const cutMs = performance.now()
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-cut'")
  await eventually(() => errors.length > 0)
  await eventually(() => lock.heldMs() > 0)
  expect(lock.heldMs()).toBeLessThan(performance.now() - cutMs)
  expect(await isFree(lock.key)).toBe(false)
  await lock.release()
})

test('a session that hears nothing any more is given up and made again, whatever the server still holds open', async () => {
  const way = await openWay(database)
  const errors: unknown[] = []
  const lock = await holdSessionLock({
    connectionString: way.url,
    applicationName: 'test-silent',
    asking: { everyMs: 100, answerMs: 500, silentMs: 60_000 },
    onError: (error) => errors.push(error),
  })
  try {
    way.silence(true)
    await eventually(() => lock.heldMs() === 0)
    expect(errors.map(String)).toContain('Error: the session of the lock has not answered for 500 ms')
    // The server has not heard of it.
    expect(await isFree(lock.key)).toBe(false)
    way.silence(false)
    await eventually(() => lock.heldMs() > 0, 20_000)
    expect(await isFree(lock.key)).toBe(false)
    const { rows } = await pool.query("select 1 from pg_stat_activity where application_name = 'test-silent'")
    expect(rows).toHaveLength(1)
  } finally {
    await lock.release()
    way.close()
  }
})

test('regression: one that is cut off for good without the server being told is ended by the server, after its holder knew', async () => {
  const way = await openWay(database)
  const lock = await holdSessionLock({
    connectionString: way.url,
    applicationName: 'test-half-open',
    asking: { everyMs: 100, answerMs: 500, silentMs: 3_000 },
  })
  try {
    way.silence(true)
    await eventually(async () => {
      const isHeldHere = lock.heldMs() > 0
      const isFreeThere = await isFree(lock.key)
      expect(isHeldHere && isFreeThere).toBe(false)
      return isFreeThere
    })
  } finally {
    const released = lock.release()
    way.close()
    await released
  }
})

test('limits with which the server could end a session before its holder knows are refused', async () => {
  const asking = { everyMs: 2_000, answerMs: 5_000, silentMs: 7_000 }
  await expect(holdSessionLock({ connectionString, applicationName: 'test', asking })).rejects.toThrow(RangeError)
})
