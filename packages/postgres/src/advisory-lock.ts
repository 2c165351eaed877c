// Decides who leads where only one may: a lock of the database, held by a connection of its own. A leader that was
// stopped or cut off never counts as one again, and never keeps its successor waiting for long (stack.md 6).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Loop } from '@wds/telemetry/progress'
import pg from 'pg'
import type { Transaction } from './transaction.ts'

/** What the leader knows of its own standing. */
export interface Leadership {
  /** True while the last answered ping is younger than `freshMs`. Ask right before each effect outside the database. */
  isFresh(): boolean
  /** Aborted when the lock is lost or the caller's signal is. */
  signal: AbortSignal
}

/** Options of {@link holdLeaderLock}; durations in milliseconds. */
export interface LeaderLockOptions {
  connectionString: string
  /** One leader per name and database. */
  name: string
  /** Ends everything. */
  signal: AbortSignal
  /** 2,000 unless told. */
  pingEveryMs?: number
  /** 5,000 unless told; must stay below `idleSessionTimeoutMs`, else two could lead at once. */
  freshMs?: number
  /** 10,000 unless told: the server drops a leader that says nothing for so long, and with it the lock. */
  idleSessionTimeoutMs?: number
  /** Whose turns are the questions for the lock; `lead` has its own. */
  loop?: Loop
  /** Hears what `lead` threw and why a connection failed; the lock is tried again all the same. */
  onError?: (error: unknown) => void
}

// How often somebody who does not lead asks: a successor takes over this much after the lock is free, at most.
const retryMs = 1_000

/** Takes the lock until the end of the transaction; false when another transaction holds it. Never waits. */
export async function tryAdvisoryXactLock(tx: Transaction, key: string): Promise<boolean> {
  const { rows } = await tx.query<{ held: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
    [key],
  )
  return rows[0]?.held === true
}

/**
 * Calls `lead` whenever this process becomes the leader, again after each loss, until the signal is aborted. `lead`
 * must end when its own signal is aborted: the lock is not tried again before. Resolves once all has ended; rejects
 * only for options that cannot hold.
 */
export async function holdLeaderLock(
  options: LeaderLockOptions,
  lead: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const limits = {
    pingEveryMs: options.pingEveryMs ?? 2_000,
    freshMs: options.freshMs ?? 5_000,
    idleSessionTimeoutMs: options.idleSessionTimeoutMs ?? 10_000,
  }
  if (limits.pingEveryMs >= limits.freshMs || limits.freshMs >= limits.idleSessionTimeoutMs) {
    throw new RangeError('A leader lock needs pingEveryMs < freshMs < idleSessionTimeoutMs.')
  }
  const report = options.onError ?? (() => undefined)
  while (!options.signal.aborted) {
    try {
      await campaign(options, limits, lead)
    } catch (error) {
      if (!options.signal.aborted) report(error)
    }
    await pause(retryMs, options.signal)
  }
}

interface Limits {
  pingEveryMs: number
  freshMs: number
  idleSessionTimeoutMs: number
}

/** One connection: waits for the lock, leads once, closes. Closing frees the lock. */
async function campaign(
  options: LeaderLockOptions,
  limits: Limits,
  lead: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: options.connectionString,
    application_name: `leader ${options.name}`,
    connectionTimeoutMillis: limits.freshMs,
    // An answer that comes later than this is worth nothing.
    query_timeout: limits.freshMs,
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  try {
    const turn = <T>(fn: () => Promise<T>): Promise<T> => (options.loop ? options.loop.turn(fn) : fn())
    await turn(() => client.connect())
    await client.query(`set idle_session_timeout = ${Math.trunc(limits.idleSessionTimeoutMs)}`)
    const signal = AbortSignal.any([options.signal, lost.signal])
    while (!signal.aborted) {
      const askedAt = performance.now()
      if (await turn(() => tryLock(client, options.name))) {
        await leadAndPing({ client, limits, lost, signal, heldSince: askedAt }, lead)
        return
      }
      await pause(retryMs, signal)
    }
  } finally {
    // A connection that hangs must not hold up the next try; the server drops it in the end.
    await Promise.race([client.end().catch(() => undefined), sleep(limits.pingEveryMs, undefined, { ref: false })])
  }
}

interface Term {
  client: pg.Client
  limits: Limits
  lost: AbortController
  signal: AbortSignal
  /** Monotonic milliseconds. */
  heldSince: number
}

async function leadAndPing(term: Term, lead: (leadership: Leadership) => Promise<void>): Promise<void> {
  // The instant before a ping is sent, not after it is answered: the server counts idleness from when it answers,
  // which is later, so its limit always ends after ours.
  let confirmedAt = term.heldSince
  const isFresh = () => !term.signal.aborted && performance.now() - confirmedAt < term.limits.freshMs
  const ended = new AbortController()
  const keepFresh = async () => {
    const until = AbortSignal.any([term.signal, ended.signal])
    while (!until.aborted) {
      await pause(term.limits.pingEveryMs, until)
      if (until.aborted) return
      const sentAt = performance.now()
      // Too old already: this process was stopped. A successor may lead, even if this connection still answers.
      if (sentAt - confirmedAt >= term.limits.freshMs) return term.lost.abort()
      try {
        await term.client.query('select 1')
        confirmedAt = sentAt
      } catch {
        return term.lost.abort()
      }
    }
  }
  const pinging = keepFresh()
  try {
    await lead({ isFresh, signal: term.signal })
  } finally {
    ended.abort()
    await pinging
  }
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const sql = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held'
  const { rows } = await client.query<{ held: boolean }>(sql, [`leader:${name}`])
  return rows[0]?.held === true
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
