// Writes down the instant up to which the tables hold every revocation that auth has answered. The worker does so every second; while the
// instant is at most 5 s old, processes judge keys and tokens by their copy, else they ask auth (auth.md 5.5 to 5.7).

import type { RunningConsumer } from '@wds/event-log/consumer'
import type { Pool, Queryable } from '@wds/postgres/pool'
import type { AuthClient } from './auth-client.ts'

/** Milliseconds between two calls of `confirmLogEnd`. */
export const confirmEveryMs = 1_000
/** A consumer that needs longer than this to catch up confirms nothing: the instant would be nearly 5 s old when it is written. */
const catchUpMs = 4_000
/** Where an event has waited longer than this in auth's outbox, the log counts as away: auth answers a revocation after 5 s even if it is not published. */
const unpublishedMaxMs = 2_000
/**
 * Where nobody has seen the end of the log for longer than this, auth may have answered revocations after its 5 s without the log: only its own
 * answer is worth something then. Longer than a round of ours: 1 s between two, 2 s for auth, 4 s to catch up.
 */
const unseenMaxSeconds = 10
/** For so long nothing is confirmed after a loss: longer than a rebalance, after which the partition's next member reports the loss again. */
const lostSeconds = 60

export interface LogEndOptions {
  /** Of the worker role. */
  pool: Pool
  consumer: Pick<RunningConsumer, 'whenCaughtUp' | 'lost'>
  /** Left out where it cannot be asked: then the log alone is believed. */
  auth?: Pick<AuthClient, 'unpublishedMs'> | undefined
  ended?: AbortSignal
}

/**
 * Waits until everything that the log holds now took effect, and writes down the instant at which it began.
 *
 * - auth is asked first how long the oldest event waits in its outbox, since the log does not show it. Over 2 s: nothing is confirmed.
 * - auth is away: the log alone is believed, unless the log was away before, or nobody looked at it for more than 10 s (every worker was
 *   stopped, or the database away), since auth may have answered revocations meanwhile. Tables that were never confirmed have nobody's word to keep.
 * - records are lost: no worker confirms anything for a minute, since the partition with the loss may move to another worker.
 *
 * Rejects when the log does not answer or the consumer needs longer than 4 s.
 */
export async function confirmLogEnd({ pool, consumer, auth, ended }: LogEndOptions): Promise<void> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now')
  // Asked before the end of the log is read: what is published by now stands before that end.
  const unpublishedMs = auth === undefined ? 0 : await auth.unpublishedMs().catch(() => null)
  if (unpublishedMs !== null && unpublishedMs > unpublishedMaxMs) {
    await pool.query('update access_log_end set seen_at = null, needs_auth = true')
    return
  }
  const over = [AbortSignal.timeout(catchUpMs), ...(ended === undefined ? [] : [ended])]
  try {
    await consumer.whenCaughtUp(AbortSignal.any(over))
  } catch (error) {
    if (ended?.aborted !== true) await pool.query('update access_log_end set needs_auth = true')
    throw error
  }
  if (consumer.lost().length > 0) {
    const text = 'update access_log_end set lost_until = clock_timestamp() + make_interval(secs => $1)'
    await pool.query(text, [lostSeconds])
    return
  }
  const wasHeard = unpublishedMs !== null
  const { rowCount } = await pool.query({
    name: 'access-log-end',
    text: `update access_log_end set seen_at = $1, needs_auth = false
      where lost_until < clock_timestamp()
        and ($2 or not needs_auth and (seen_at is null or seen_at >= $1::timestamptz - make_interval(secs => $3)))`,
    values: [rows[0]?.now, wasHeard, unseenMaxSeconds],
  })
  // Changes no decision: it tells an operator what is missing (`whyEndUnseen`).
  if (rowCount === 0 && !wasHeard) {
    const text = `update access_log_end set needs_auth = true
      where not needs_auth and seen_at < $1::timestamptz - make_interval(secs => $2)`
    await pool.query(text, [rows[0]?.now, unseenMaxSeconds])
  }
}

/** Why the end of the log counts as unseen: a worker met lost records, auth's word is missing (or the log's), or no worker looks. */
export type EndUnseen = 'records_lost' | 'auth_unheard' | 'unread'

/** Asks the table, as either role. */
export async function whyEndUnseen(db: Queryable): Promise<EndUnseen> {
  const { rows } = await db.query<{ why: EndUnseen }>(
    `select case when lost_until >= clock_timestamp() then 'records_lost'
        when needs_auth then 'auth_unheard' else 'unread' end as why
      from access_log_end`,
  )
  return rows[0]?.why ?? 'unread'
}
