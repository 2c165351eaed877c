// Leader election by an advisory lock of the database, held on a connection of its own. A leader that was stopped or cut off never
// counts as leader again, and its successor never waits for long (stack.md 6).
import { wait, waitAtMost } from '@wds/pacing/wait'
import type { Loop } from '@wds/telemetry/progress'
import type pg from 'pg'
import { RoleClient } from './role-client.ts'
import type { Transaction } from './transaction.ts'

/** The leadership, as the leader sees it. */
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
  /** Ends the leadership and the attempts to get it. */
  signal: AbortSignal
  /** 2,000 unless told. */
  pingEveryMs?: number
  /** 5,000 unless told; must stay below `idleSessionTimeoutMs`, else two could lead at once. */
  freshMs?: number
  /** Default 10,000: the server closes the connection of a leader that is silent for so long, and with it frees the lock. */
  idleSessionTimeoutMs?: number
  /** Each try to get the lock is one turn of this loop; `lead` reports its own. */
  loop?: Loop
  /** Called with what `lead` threw and with faults of the connection; the lock is tried again afterwards. */
  onError?: (error: unknown) => void
}

const usual = { pingEveryMs: 2_000, freshMs: 5_000, idleSessionTimeoutMs: 10_000 }
// How often a follower tries the lock, and so the longest time between a free lock and its next leader.
const retryMs = 1_000
/** Longest time between the last ping of a leader that falls silent and its successor's try, milliseconds, where nothing is told. */
export const takeoverMs = usual.idleSessionTimeoutMs + retryMs

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
    pingEveryMs: options.pingEveryMs ?? usual.pingEveryMs,
    freshMs: options.freshMs ?? usual.freshMs,
    idleSessionTimeoutMs: options.idleSessionTimeoutMs ?? usual.idleSessionTimeoutMs,
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
    await wait(retryMs, options.signal)
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
  const client = new RoleClient({
    connectionString: options.connectionString,
    application_name: `leader ${options.name}`,
    connectionTimeoutMillis: limits.freshMs,
    // A later answer is useless: the leadership is not fresh any more.
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
      await wait(retryMs, signal)
    }
  } finally {
    // A hanging connection must not delay the next try; the server closes it in the end.
    await waitAtMost(
      client.end().catch(() => undefined),
      limits.pingEveryMs,
    )
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
      await wait(term.limits.pingEveryMs, until)
      if (until.aborted) return
      const sentAt = performance.now()
      // Not fresh any more: this process was paused. Another one may lead, even if this connection still answers.
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
