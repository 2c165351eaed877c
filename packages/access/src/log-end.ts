// Says up to when the tables hold everything that auth has answered for: the worker's consumer looks for the end of the log every second, and
// processes judge by their copy while that is not longer ago than 5 s (auth.md 5.5 to 5.7).

import type { RunningConsumer } from '@wds/event-log/consumer'
import type { Pool } from '@wds/postgres/pool'
import type { AuthClient } from './auth-client.ts'

/** Milliseconds between two calls of `confirmLogEnd`. */
export const confirmEveryMs = 1_000
/** What takes longer than this would be worth nothing once it is written. */
const catchUpMs = 4_000
/** An event that waits longer in auth's outbox is one that the log does not get: auth answers for it after 5 s all the same. */
const unpublishedMaxMs = 2_000
/** Longer than a partition is without a member: whoever gets it finds the loss again. */
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
 * Waits until everything that the log holds now took effect, and writes down the instant before.
 *
 * The end of the log says nothing of what auth has not published yet. So auth is asked first, and what waits in its outbox takes the word
 * back. While auth is away the log alone is believed, unless that was away before: then nobody but auth knows what was revoked meanwhile.
 * Where records are lost no worker writes anything for a minute, since the partition that stands still is another one's too. Rejects when
 * the log does not answer, or the consumer needs longer than 4 s.
 */
export async function confirmLogEnd({ pool, consumer, auth, ended }: LogEndOptions): Promise<void> {
  const { rows } = await pool.query<{ now: string }>('select clock_timestamp()::text as now')
  // Before the end of the log is asked for: what is published by then stands before it.
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
  await pool.query({
    name: 'access-log-end',
    text: `update access_log_end set seen_at = $1, needs_auth = false
      where lost_until < clock_timestamp() and ($2 or not needs_auth)`,
    values: [rows[0]?.now, unpublishedMs !== null],
  })
}
