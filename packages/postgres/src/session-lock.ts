// An advisory lock that says that a process lives: it is held by a session of its own, which ends with the process. Whoever gets the
// lock knows that the session has ended (stack.md 7.10). The server ends the session of a holder that is silent, whether it is stopped or
// cut off without the server's notice, but never before a holder that runs knows of it (decision 73).
import { randomBytes } from 'node:crypto'
import { wait, waitAtMost } from '@wds/pacing/wait'
import type pg from 'pg'
import { RoleClient } from './role-client.ts'

/** The lock of this process. */
export interface SessionLock {
  /** Key of the lock: a bigint in decimal, random, so no other process has it. */
  readonly key: string
  /** Milliseconds for which it has been held since it was lost the last time: 0 while it is not held, infinite when it was never lost. */
  heldMs(): number
  /** Ends the session; resolves when it has ended. */
  release(): Promise<void>
}

/** Options of {@link holdSessionLock}. */
export interface SessionLockOptions {
  connectionString: string
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /** Called with each fault of the connection; the lock is taken again afterwards. */
  onError?: (error: unknown) => void
  /** As for {@link askWhileHeld}. */
  asking?: Asking
}

/** How a session is asked; milliseconds. */
export interface Asking {
  /** 2,000 unless told. */
  everyMs: number
  /** 5,000 unless told. */
  answerMs: number
  /** The server ends the session after so much silence; 15,000 unless told, more than the sum of the others. */
  silentMs: number
}

const retryMs = 250
const connectMs = 5_000
const askingDefault: Asking = { everyMs: 2_000, answerMs: 5_000, silentMs: 15_000 }
const endMs = 2_000

/**
 * Takes the lock on the session, first from the session `before` of this process that the server may still hold open; false: another one
 * has it. From then on the session is one that has to be asked (`askWhileHeld`), else the server ends it.
 */
export async function takeSessionLock(
  client: Pick<pg.ClientBase, 'query'>,
  { key, before, silentMs = askingDefault.silentMs }: { key: string; before: number | null; silentMs?: number },
): Promise<{ isHeld: boolean; pid: number }> {
  if (before !== null) {
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks where pid = $2 and locktype = 'advisory' and objsubid = 1
          and (classid::bigint << 32 | objid::bigint) = $1::bigint`,
      [key, before],
    )
  }
  const { rows } = await client.query<{ held: boolean; pid: number }>(
    `select pg_try_advisory_lock($1::bigint) as held, pg_backend_pid() as pid, set_config('idle_session_timeout', $2, false)`,
    [key, String(Math.trunc(silentMs))],
  )
  return { isHeld: rows[0]?.held === true, pid: rows[0]?.pid ?? 0 }
}

/**
 * Asks on the session every 2 s until the signal is aborted, and throws once it has not answered for 5 s: behind a silent failover the
 * server knows nothing of it, and TCP says so after minutes. A process that was stopped reads what came meanwhile before it judges.
 */
export async function askWhileHeld(
  client: Pick<pg.ClientBase, 'query'>,
  signal: AbortSignal,
  { everyMs, answerMs } = askingDefault,
): Promise<void> {
  for (;;) {
    await wait(everyMs, signal)
    if (signal.aborted) return
    let hasAnswered = false
    const answer = client.query('select 1').then(() => {
      hasAnswered = true
    })
    await waitAtMost(answer, answerMs, signal)
    await new Promise((resolve) => setImmediate(resolve))
    if (!hasAnswered && !signal.aborted) throw new Error(`the session of the lock has not answered for ${answerMs} ms`)
  }
}

/**
 * Takes the lock and keeps it, also over a restart of the database. Resolves when it is held for the first time; rejects when it cannot
 * be, and for limits by which the server could end the session of a holder that does not know yet.
 */
export async function holdSessionLock(o: SessionLockOptions): Promise<SessionLock> {
  const { everyMs, answerMs, silentMs } = o.asking ?? askingDefault
  if (silentMs <= everyMs + answerMs) throw new RangeError('A session lock needs silentMs > everyMs + answerMs.')
  const key = randomBytes(8).readBigInt64BE().toString()
  const released = new AbortController()
  const first = Promise.withResolvers<void>()
  let held: { sinceMs: number } | null = null
  let isFirst = true
  let before: number | null = null
  const keep = async (): Promise<void> => {
    while (!released.signal.aborted) {
      try {
        await holdOnce({ ...o, key, before, signal: released.signal }, (pid) => {
          before = pid
          held = { sinceMs: isFirst ? Number.NEGATIVE_INFINITY : performance.now() }
          isFirst = false
          first.resolve()
        })
      } catch (error) {
        if (isFirst) return first.reject(error)
        o.onError?.(error)
      } finally {
        held = null
      }
      await wait(retryMs, released.signal)
    }
  }
  const kept = keep()
  await first.promise
  return {
    key,
    heldMs: () => (held === null ? 0 : performance.now() - held.sinceMs),
    release: () => {
      released.abort()
      return kept
    },
  }
}

/** One session: returns at the release; throws when the connection breaks, or when somebody looks whether the lock is free just now. */
async function holdOnce(
  o: SessionLockOptions & { key: string; before: number | null; signal: AbortSignal },
  onHeld: (pid: number) => void,
) {
  const client = new RoleClient({
    connectionString: o.connectionString,
    application_name: o.applicationName,
    connectionTimeoutMillis: connectMs,
    // Of the statements that take the lock; the session is judged before.
    query_timeout: 2 * connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  client.on('error', (error) => broken.reject(error))
  client.on('end', () => broken.reject(new Error('the session of the lock has ended')))
  try {
    await client.connect()
    const { isHeld, pid } = await takeSessionLock(client, { ...o, ...o.asking })
    if (!isHeld) throw new Error('the lock of the session is taken for a moment')
    onHeld(pid)
    await Promise.race([broken.promise, askWhileHeld(client, o.signal, o.asking)])
  } finally {
    // A connection that hangs must not delay the next one.
    await waitAtMost(
      client.end().catch(() => undefined),
      endMs,
    )
  }
}
