// Tells subscriptions that a topic got records: by an event within the process, by NOTIFY between processes. Both are hints
// to look earlier; a lost one costs the poll's back-off. It must never notify inside a transaction that writes (stack.md 6).
// The session that listens also holds the lock by which others see that this process lives.

import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { askWhileHeld, takeSessionLock } from '@wds/postgres/session-lock'

/** Subscriptions of this process listen here; the name of the event is the topic. */
export const arrivals = new EventEmitter().setMaxListeners(0)

const channel = 'wds_log'
const againMs = 1000
/** A smaller pool has no connection to spare for listening, so its members only poll. */
const poolSizeMin = 4

/** Call it after the commit. `from`: the lock of this process. Never throws and is not waited for. */
export function announce(pool: Pool, from: ProcessLock, topics: Iterable<string>): void {
  const names = [...new Set(topics)]
  for (const topic of names) arrivals.emit(topic)
  pool
    .query({ name: 'log-notify', text: 'select pg_notify($1, $2)', values: [channel, [from.key, ...names].join(' ')] })
    .catch(() => undefined)
}

/** The advisory lock of this process, a bigint in decimal. */
export interface ProcessLock {
  readonly key: string
  /** Whether the session that listens is up. */
  isHeld: boolean
  /** The server's process of the last session that had it. */
  pid: number | null
}

/** A lock that no other process has; `listen` takes it. */
export function newProcessLock(): ProcessLock {
  return { key: randomBytes(8).readBigInt64BE().toString(), isHeld: false, pid: null }
}

/** Listens on a connection of the pool until the signal is aborted; connects again when it breaks. `ready`: it listens, or could not yet. */
export function listen(
  pool: Pool,
  lock: ProcessLock,
  signal: AbortSignal,
): { ready: Promise<void>; done: Promise<void> } {
  const first = Promise.withResolvers<void>()
  return { ready: first.promise, done: keepListening(pool, lock, signal, first.resolve) }
}

async function keepListening(pool: Pool, lock: ProcessLock, signal: AbortSignal, onReady: () => void): Promise<void> {
  while (!signal.aborted && (pool.options.max ?? 0) >= poolSizeMin) {
    await listenOnce(pool, lock, signal, onReady).catch(() => undefined)
    onReady()
    await wait(againMs, signal)
  }
  onReady()
}

async function listenOnce(pool: Pool, lock: ProcessLock, signal: AbortSignal, onReady: () => void): Promise<void> {
  const client = await pool.connect()
  const over = new AbortController()
  try {
    const broken = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.once('error', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', ({ payload }) => {
      const words = payload?.split(' ') ?? []
      // What this process announces its own subscriptions know already.
      if (words[0] === lock.key) return
      // Anybody in the database may notify, and an emitter throws an `error` that nobody listens to.
      for (const topic of words) if (arrivals.listenerCount(topic) > 0) arrivals.emit(topic)
    })
    if (signal.aborted) return
    const { isHeld, pid } = await takeSessionLock(client, { key: lock.key, before: lock.pid })
    if (!isHeld) throw new Error('somebody looks whether this process lives: try again')
    Object.assign(lock, { isHeld, pid })
    await client.query(`listen ${channel}`)
    // What was announced while nobody listened is read now.
    for (const topic of arrivals.eventNames()) arrivals.emit(topic)
    onReady()
    await Promise.race([broken, askWhileHeld(client, over.signal)])
  } finally {
    over.abort()
    lock.isHeld = false
    // Destroyed, so that nobody gets a connection that listens.
    client.release(true)
  }
}
