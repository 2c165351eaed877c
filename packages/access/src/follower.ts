// Keeps a copy of the tables in memory: every 250 ms it reads the rows that changed. It also tells the database's time, and whether the copy
// holds everything that the log held in the last 5 s.

import { Backoff } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { ServiceError } from '@wds/postgres/transaction'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { type ChangedRow, readChanges } from './access-store.ts'

/** Options of `createFollower`. */
export interface FollowerOptions {
  /** Of the HTTP role: it may only read the tables. */
  pool: Pool
  /** Milliseconds between looks at the tables; 250 unless told, of the 2 s that a revocation may take (auth.md 5.3). */
  pollMs?: number
  /** Milliseconds for which the copy is judged by once the end of the log was seen; 5,000 unless told (auth.md 5.7). */
  confirmedForMs?: number
  /** The start, on the monotonic clock (`performance.now()`): `whenConfirmed` waits for a sight of the end of the log since then. The call of `start` unless told. */
  sinceMs?: number
  logger: Logger
}

/** Where the rows go. */
export interface Copy {
  take(row: ChangedRow): void
  /** Everything will be taken anew. */
  clear(): void
  /** Everything that is there was taken. */
  taken(nowMs: number): void
}

export interface Following {
  /** Begins to follow; resolves at once. A database that does not answer is tried again. */
  start(): Promise<void>
  /** Ends; resolves when no query is under way. */
  stop(): Promise<void>
  /** Resolves when the tables are in memory for the first time; rejects when stopped before. */
  whenLoaded(): Promise<void>
  /** Resolves when everything is in memory that the log held at the start; rejects when stopped before. */
  whenConfirmed(): Promise<void>
}

/** How good the copy is. */
export interface Freshness {
  /** The database's time in epoch milliseconds; throws `ServiceError` `keys_unavailable` (→ 503) before the tables were read. */
  nowMs(): number
  /** Was the end of the log seen within 5 s, and is everything before it in the copy? */
  isConfirmed(): boolean
}

const rowsPerRead = 5_000
/** Rows of revoked keys are removed after 31 days (`prune_access`): a process that last looked longer ago may have missed one, and reads all again. */
const forgottenMs = 30 * 86_400_000
/** Where `seen_at` lies further than this in the future, the database's clock was set back, and the copy does not count as confirmed. */
const setBackMs = 1_000

export function createFollower(copy: Copy, o: FollowerOptions): Following & Freshness {
  const { pollMs = 250, confirmedForMs = 5_000 } = o
  const loaded = Promise.withResolvers<void>()
  const confirmed = Promise.withResolvers<void>()
  for (const { promise } of [loaded, confirmed]) promise.catch(() => undefined)
  const stopped = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let seq = '0'
  let anchor: { databaseMs: number; monotonicMs: number } | null = null
  // Monotonic, as is the start: clocks of hosts that differ change nothing.
  let seenAtMs = Number.NEGATIVE_INFINITY
  let startedAtMs = Number.POSITIVE_INFINITY
  let wasConfirmed = true

  const isConfirmed = () => performance.now() - seenAtMs <= confirmedForMs

  async function look(): Promise<void> {
    while (!stopped.signal.aborted) {
      const monotonicMs = performance.now()
      const { rows, seq: last, nowMs: databaseMs, seenMs } = await readChanges(o.pool, seq, rowsPerRead)
      if (anchor !== null && databaseMs - anchor.databaseMs > forgottenMs) {
        copy.clear()
        seq = '0'
        anchor = null
        continue
      }
      for (const row of rows) copy.take(row)
      seq = last
      if (rows.length < rowsPerRead) {
        // The monotonic instant is that before the query, so the told time is ahead by the query's duration at most: a key ends early, never late.
        anchor = { databaseMs, monotonicMs }
        const isKnown = seenMs !== null && seenMs > -setBackMs
        seenAtMs = isKnown ? monotonicMs - Math.max(0, seenMs) : Number.NEGATIVE_INFINITY
        copy.taken(databaseMs)
        return
      }
    }
  }

  async function follow(): Promise<void> {
    const backoff = new Backoff({ min: 2 * pollMs, max: Math.max(pollMs, 2_000) })
    const throttle = new LogThrottle()
    while (!stopped.signal.aborted) {
      try {
        await look()
        throttle.over((failures) => o.logger.info({ failures }, 'access tables can be read again'))
        backoff.reset()
        if (!stopped.signal.aborted) loaded.resolve()
        if (!stopped.signal.aborted && seenAtMs >= startedAtMs) confirmed.resolve()
        tell()
        await wait(pollMs, stopped.signal)
      } catch (error) {
        throttle.wrong(() => o.logger.warn({ err: error }, 'access tables could not be read, retrying'))
        tell()
        await wait(backoff.next(), stopped.signal)
      }
    }
    giveUp()
  }

  function giveUp(): void {
    for (const { reject } of [loaded, confirmed]) reject(new Error('stopped before the access tables were loaded'))
  }

  /** Each change of state once; a start has no state yet. */
  function tell(): void {
    if (seenAtMs < startedAtMs || isConfirmed() === wasConfirmed) return
    wasConfirmed = isConfirmed()
    if (wasConfirmed) o.logger.info({}, 'end of the log seen again, keys and tokens are judged here')
    else o.logger.warn({}, 'end of the log not seen for 5 s, auth is asked for each key and token')
  }

  return {
    nowMs() {
      if (anchor === null) throw new ServiceError('keys_unavailable', 'The keys could not be read.')
      return anchor.databaseMs + performance.now() - anchor.monotonicMs
    },
    isConfirmed,
    async start() {
      startedAtMs = o.sinceMs ?? performance.now()
      running = follow()
    },
    async stop() {
      stopped.abort()
      await running
      giveUp()
    },
    whenLoaded: () => loaded.promise,
    whenConfirmed: () => confirmed.promise,
  }
}
