// Tells subscriptions that a topic got records: by an event within the process, by NOTIFY between processes. Both are hints
// to look earlier; a lost one costs the poll's back-off. It must never notify inside a transaction that writes (stack.md 6).
import { EventEmitter } from 'node:events'
import type { Pool } from '@wds/postgres/pool'

/** Subscriptions of this process listen here; the name of the event is the topic. */
export const arrivals = new EventEmitter().setMaxListeners(0)

const channel = 'wds_log'
const againMs = 1000
/** A smaller pool has no connection to spare for listening, so its members only poll. */
const poolSizeMin = 4

/** Call it after the commit. Never throws and is not waited for. */
export function announce(pool: Pool, topics: Iterable<string>): void {
  const names = [...new Set(topics)]
  for (const topic of names) arrivals.emit(topic)
  pool
    .query({ name: 'log-notify', text: 'select pg_notify($1, $2)', values: [channel, names.join(' ')] })
    .catch(() => undefined)
}

/** Listens on a connection of the pool until the signal is aborted; connects again when it breaks. */
export async function listen(pool: Pool, signal: AbortSignal): Promise<void> {
  if ((pool.options.max ?? 0) < poolSizeMin) return
  while (!signal.aborted) {
    await listenOnce(pool, signal).catch(() => undefined)
    await pause(againMs, signal)
  }
}

async function listenOnce(pool: Pool, signal: AbortSignal): Promise<void> {
  const client = await pool.connect()
  try {
    const broken = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.once('error', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', ({ payload }) => {
      for (const topic of payload?.split(' ') ?? []) arrivals.emit(topic)
    })
    if (signal.aborted) return
    await client.query(`listen ${channel}`)
    await broken
  } finally {
    // Destroyed, so that nobody gets a connection that listens.
    client.release(true)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
