// Leadership over a real database, with holders in processes of their own that are stopped and cut off.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { holdLeaderLock, type Leadership, takeoverMs, tryAdvisoryXactLock } from './advisory-lock.ts'
import { createPool } from './pool.ts'
import { withTransaction } from './transaction.ts'

let database: TestDatabase
let connectionString: string
beforeAll(async () => {
  database = await createTestDatabase()
  connectionString = database.urls.services.api.worker
})
afterAll(async () => {
  await database?.drop()
})

async function eventually(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`)
    await sleep(20)
  }
}

/** Leads until its signal; keeps the leadership for the test to ask. */
function candidate(name: string, limits: object = {}) {
  const stop = new AbortController()
  const terms: Leadership[] = []
  const ended = holdLeaderLock({ connectionString, name, signal: stop.signal, ...limits }, async (leadership) => {
    terms.push(leadership)
    await new Promise<void>((resolve) => leadership.signal.addEventListener('abort', () => resolve(), { once: true }))
  })
  return {
    terms,
    leads: () => terms.at(-1)?.isFresh() === true,
    stop: () => {
      stop.abort()
      return ended
    },
  }
}

/** A candidate in a process of its own; it writes a line per change and on each tick whether it is fresh. */
function childCandidate(name: string): { child: ChildProcess; lines: string[]; exited: Promise<void> } {
  const program = `
    const { holdLeaderLock } = await import(${JSON.stringify(new URL('./advisory-lock.ts', import.meta.url).href)})
    const say = (line) => process.stdout.write(line + '\\n')
    await holdLeaderLock({ connectionString: process.env.URL, name: ${JSON.stringify(name)}, signal: new AbortController().signal },
      async (leadership) => {
        say('leads')
        let fresh = true
        while (!leadership.signal.aborted) {
          if (leadership.isFresh() !== fresh) { fresh = !fresh; say(fresh ? 'fresh' : 'stale') }
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        say(leadership.isFresh() ? 'lost but fresh' : 'lost')
      })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '', URL: connectionString },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').filter(Boolean)))
  return { child, lines, exited: new Promise((resolve) => child.once('exit', () => resolve())) }
}

describe('a leader lock', () => {
  test('is held by one, and passes on when the holder ends', async () => {
    const first = candidate('passes on')
    await eventually(first.leads, 'the first leads')
    const second = candidate('passes on')
    const other = candidate('another name')
    await eventually(other.leads, 'another name has a leader of its own')
    expect(second.terms).toHaveLength(0)
    await first.stop()
    expect(first.leads()).toBe(false)
    await eventually(second.leads, 'the second leads')
    await Promise.all([second.stop(), other.stop()])
  })

  test('is taken over within 15 s when its holder is stopped, which never counts as fresh again', async () => {
    // The rest is for connections and a busy machine.
    expect(takeoverMs).toBeLessThanOrEqual(11_000)
    const { child, lines, exited } = childCandidate('stopped')
    await eventually(() => lines.includes('leads'), 'the child leads')
    const second = candidate('stopped')
    try {
      child.kill('SIGSTOP')
      await eventually(second.leads, 'the successor leads')
      child.kill('SIGCONT')
      await eventually(() => lines.includes('lost') || lines.includes('stale'), 'the old leader knows')
      await eventually(() => lines.includes('lost'), 'the old leader has given up')
      expect(lines).not.toContain('fresh')
      expect(lines).not.toContain('lost but fresh')
      expect(lines.filter((line) => line === 'leads')).toHaveLength(1)
      expect(second.leads()).toBe(true)
    } finally {
      child.kill('SIGKILL')
      await exited
      await second.stop()
    }
  })

  test('is lost at once when the server cuts the connection, and won again', async () => {
    const holder = candidate('cut off')
    await eventually(holder.leads, 'it leads')
    const admin = createPool({
      connectionString: database.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'leader cut off'",
    )
    await eventually(() => holder.terms[0]?.signal.aborted === true, 'the loss is noticed')
    expect(holder.terms[0]?.isFresh()).toBe(false)
    await eventually(() => holder.terms.length === 2 && holder.leads(), 'it leads again')
    expect(holder.terms[0]?.isFresh()).toBe(false)
    await admin.end()
    await holder.stop()
  })

  test('stays fresh for longer than its limits, by its pings', async () => {
    const holder = candidate('pings', { pingEveryMs: 250, freshMs: 6_000, idleSessionTimeoutMs: 7_000 })
    await eventually(holder.leads, 'it leads')
    const end = performance.now() + 8_000
    await eventually(() => performance.now() > end || !holder.leads(), 'the time is over')
    expect(holder.leads()).toBe(true)
    expect(holder.terms).toHaveLength(1)
    await holder.stop()
  })

  test('is tried again after the work threw, and the error is heard', async () => {
    const stop = new AbortController()
    const heard: unknown[] = []
    let runs = 0
    await holdLeaderLock(
      { connectionString, name: 'throws', signal: stop.signal, onError: (error) => heard.push(error) },
      async () => {
        runs += 1
        if (runs === 2) stop.abort()
        else throw new Error('no')
      },
    )
    expect(runs).toBe(2)
    expect(heard).toEqual([new Error('no')])
  })

  test('refuses limits with which two could lead', async () => {
    const signal = new AbortController().signal
    const lead = async () => undefined
    await expect(holdLeaderLock({ connectionString, name: 'x', signal, freshMs: 20_000 }, lead)).rejects.toThrow(
      RangeError,
    )
  })
})

test('a transaction lock is given to one transaction at a time', async () => {
  const pool = createPool({ connectionString, applicationName: 'test' })
  await withTransaction(pool, { workspaceId: null }, async (first) => {
    expect(await tryAdvisoryXactLock(first, 'job')).toBe(true)
    await withTransaction(pool, { workspaceId: null }, async (second) => {
      expect(await tryAdvisoryXactLock(second, 'job')).toBe(false)
      expect(await tryAdvisoryXactLock(second, 'another job')).toBe(true)
    })
  })
  expect(await withTransaction(pool, { workspaceId: null }, (tx) => tryAdvisoryXactLock(tx, 'job'))).toBe(true)
  await pool.end()
})
