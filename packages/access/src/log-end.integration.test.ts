// How long a process judges by its copy: 5 s after the worker saw the end of the log, and not at all where records are lost.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createFollower, type FollowerOptions } from './follower.ts'
import { confirmLogEnd, whyEndUnseen } from './log-end.ts'
import { migrationsDirectory } from './projection.ts'

let database: TestDatabase
let http: Pool
let worker: Pool
const lines: string[] = []
const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } })
const copy = { take: () => undefined, clear: () => undefined, taken: () => undefined }

beforeAll(async () => {
  database = await createTestDatabase()
  const { api } = database.urls.services
  await migrate({ connectionString: api.owner, schema: 'api', directories: [migrationsDirectory] })
  http = createPool({ connectionString: api.http, applicationName: 'test' })
  worker = createPool({ connectionString: api.worker, applicationName: 'test' })
})
afterAll(async () => {
  await Promise.all([http?.end(), worker?.end()])
  await database?.drop()
})
beforeEach(async () => {
  await worker.query("update access_log_end set seen_at = null, needs_auth = false, lost_until = '-infinity'")
  lines.length = 0
})

/** A consumer that has caught up, and what its partitions have lost. */
const consumer = (o: { lost?: number; whenCaughtUp?: () => Promise<void> } = {}) => ({
  whenCaughtUp: o.whenCaughtUp ?? (async () => undefined),
  lost: () => Array.from({ length: o.lost ?? 0 }, () => ({ topic: 't', partition: 0, position: 1n, reason: 'gone' })),
})
/** `unpublished`: milliseconds, or `away`. */
const confirm = (by: ReturnType<typeof consumer>, unpublished?: number | 'away') =>
  confirmLogEnd({
    pool: worker,
    consumer: by,
    auth:
      unpublished === undefined
        ? undefined
        : {
            unpublishedMs: async () => {
              if (unpublished === 'away') throw new Error('away')
              return unpublished
            },
          },
  })
const seenAt = async () =>
  (await worker.query<{ seen: string | null }>('select seen_at::text as seen from access_log_end')).rows[0]?.seen

async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
async function follow<T>(
  o: Partial<FollowerOptions>,
  work: (follower: ReturnType<typeof createFollower>) => Promise<T>,
) {
  const follower = createFollower(copy, { pool: http, logger, pollMs: 5, ...o })
  await follower.start()
  try {
    return await work(follower)
  } finally {
    await follower.stop()
  }
}

test('5.5: what was seen before the start does not do: the copy is confirmed once the end was seen since', () =>
  follow({}, async (follower) => {
    await confirm(consumer())
    await follower.whenConfirmed()
    await follow({}, async (late) => {
      let isLoaded = false
      const loaded = late.whenConfirmed().then(() => {
        isLoaded = true
      })
      // It has looked, and more than once.
      await eventually('the tables are read', () => late.isConfirmed())
      for (let look = 0; look < 20; look += 1) await worker.query('select pg_sleep(0.01)')
      expect(isLoaded).toBe(false)
      await confirm(consumer())
      await loaded
    })
  }))

test('5.7: it counts from the instant before the consumer looked, not from when it had caught up', async () => {
  const behind = Promise.withResolvers<void>()
  const confirmed = confirm(consumer({ whenCaughtUp: () => behind.promise }))
  await worker.query('select pg_sleep(0.2)')
  const { rows } = await worker.query<{ now: string }>('select clock_timestamp()::text as now')
  expect(await seenAt()).toBeNull()
  behind.resolve()
  await confirmed
  expect(Date.parse((await seenAt()) ?? '')).toBeLessThanOrEqual(Date.parse(rows[0]?.now ?? '') - 190)
})

test('5.7: a copy is judged by for 5 s, also when the tables cannot be read any more; each change is told once', async () => {
  let isAway = false
  const pool = new Proxy(http, {
    get: (target, name) =>
      isAway && name === 'query' ? () => Promise.reject(new Error('away')) : Reflect.get(target, name).bind(target),
  })
  await follow({ pool, confirmedForMs: 300 }, async (follower) => {
    expect(follower.isConfirmed()).toBe(false)
    const seen = async () => {
      await confirm(consumer())
      return follower.isConfirmed()
    }
    await eventually('the end is seen', seen)
    await eventually('nobody saw it for a while', () => !follower.isConfirmed())
    await eventually('that is told', () => lines.some((line) => line.includes('not seen')))
    await eventually('it is seen again', seen)
    await eventually('that is told', () => lines.some((line) => line.includes('seen again')))
    isAway = true
    await eventually('a copy that is not renewed counts no longer', async () => !(await seen()))
    await eventually('that is told', () => lines.filter((line) => line.includes('not seen')).length === 2)
  })
})

test('a clock that was set back does not make an old sight a fresh one', async () => {
  await worker.query("update access_log_end set seen_at = clock_timestamp() + interval '1 hour'")
  await follow({}, async (follower) => {
    await eventually('the tables are read', () => {
      try {
        return follower.nowMs() > 0
      } catch {
        return false
      }
    })
    expect(follower.isConfirmed()).toBe(false)
  })
})

test('where records are lost, nobody says that the end was seen, and not for a minute by another worker', async () => {
  await confirm(consumer({ lost: 1 }))
  await confirm(consumer())
  expect(await seenAt()).toBeNull()
  await worker.query("update access_log_end set lost_until = lost_until - interval '61 seconds'")
  await confirm(consumer())
  expect(await seenAt()).not.toBeNull()
})

test('a consumer that does not catch up says nothing', async () => {
  const fails = consumer({ whenCaughtUp: () => Promise.reject(new Error('behind')) })
  await expect(confirm(fails)).rejects.toThrow('behind')
  expect(await seenAt()).toBeNull()
})

describe('5.6: the end of the log is worth what auth has published', () => {
  const behind = () => consumer({ whenCaughtUp: () => Promise.reject(new Error('the log is away')) })

  test('what waits in the outbox of auth for more than 2 s takes the word back, and it is given again once it is published', async () => {
    await confirm(consumer(), 1_900)
    expect(await seenAt()).not.toBeNull()
    await confirm(consumer(), 2_100)
    expect(await seenAt()).toBeNull()
    await confirm(consumer(), 'away')
    expect(await seenAt()).toBeNull()
    await confirm(consumer(), 0)
    expect(await seenAt()).not.toBeNull()
  })

  test('with auth away the log is believed, and after the log was away it is not, until auth has answered', async () => {
    await confirm(consumer(), 'away')
    const before = await seenAt()
    expect(before).not.toBeNull()
    await expect(confirm(behind(), 'away')).rejects.toThrow('the log is away')
    await confirm(consumer(), 'away')
    expect(await seenAt()).toBe(before)
    await confirm(consumer(), 0)
    const again = await seenAt()
    expect(again).not.toBe(before)
    await confirm(consumer(), 'away')
    expect(await seenAt()).not.toBe(again)
  })

  test('regression: with auth away the log is not believed where every worker was stopped for more than 10 s, until auth has answered', async () => {
    const stopFor = (seconds: number) =>
      worker.query('update access_log_end set seen_at = seen_at - make_interval(secs => $1)', [seconds])
    await confirm(consumer(), 0)
    await stopFor(8)
    const short = await seenAt()
    await confirm(consumer(), 'away')
    expect(await seenAt()).not.toBe(short)
    await stopFor(11)
    const long = await seenAt()
    for (let nth = 0; nth < 2; nth += 1) await confirm(consumer(), 'away')
    expect(await seenAt()).toBe(long)
    await confirm(consumer(), 0)
    const again = await seenAt()
    expect(again).not.toBe(long)
    await confirm(consumer(), 'away')
    expect(await seenAt()).not.toBe(again)
  })

  test('regression: the table tells why nobody believes the log: nobody looks, auth is not heard, records are lost', async () => {
    const why = async (step?: Promise<unknown>) => {
      await step
      return whyEndUnseen(http)
    }
    expect(await why()).toBe('unread')
    await confirm(consumer(), 0)
    await worker.query("update access_log_end set seen_at = seen_at - interval '11 seconds'")
    expect([await why(), await why(confirm(consumer(), 'away'))]).toEqual(['unread', 'auth_unheard'])
    expect([await why(confirm(consumer(), 0)), await why(confirm(consumer(), 2_100))]).toEqual([
      'unread',
      'auth_unheard',
    ])
    expect(await why(confirm(consumer({ lost: 1 }), 0))).toBe('records_lost')
  })

  test('a worker that is stopped while it waits has learned nothing of the log', async () => {
    const ended = AbortSignal.abort()
    await expect(confirmLogEnd({ pool: worker, consumer: behind(), ended })).rejects.toThrow()
    await confirm(consumer(), 'away')
    expect(await seenAt()).not.toBeNull()
  })
})
