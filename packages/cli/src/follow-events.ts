// Reads a workspace's events by cursor: each event once and in order, also across outages of the API.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '@wds/api-client/client'
import type { QueryOf } from '@wds/api-client/operations'
import { ApiProblem, NoAnswer } from '@wds/api-client/problem'
import type { Event } from '@wds/api-client/schemas'

export interface Following {
  client: ApiClient
  /** Patterns such as `sync.*`; empty: all types. */
  types: string[]
  /** RFC 3339: the earliest `created`. */
  since: string
  signal: AbortSignal
  /** Between two requests when there is nothing new, ms; also the first backoff. */
  pauseMs: number
  /** Called once per outage, with the reason. */
  onDisconnected(reason: string): void
  onReconnected(): void
}

/** Longest backoff, ms. */
const pauseMsMax = 15_000

/**
 * Ends when `signal` is aborted. The cursor advances once all events of a page were consumed.
 * @throws ApiProblem for what a retry does not mend
 */
export async function* followEvents(o: Following): AsyncGenerator<Event> {
  let cursor: string | null = null
  let failures = 0
  while (!o.signal.aborted) {
    const query: QueryOf<'/v1/events'> = { since: o.since, limit: 100 }
    if (o.types.length > 0) query.type = o.types
    if (cursor !== null) query.cursor = cursor
    try {
      const { data: page } = await o.client.get('/v1/events', { query, signal: o.signal })
      if (failures > 0) o.onReconnected()
      failures = 0
      yield* page.data
      cursor = page.next_cursor
      if (!page.has_more) await pause(o.pauseMs, o.signal)
    } catch (error) {
      if (o.signal.aborted) return
      const waitMs = backoffAfter(error, { failures, pauseMs: o.pauseMs })
      if (waitMs === null) throw error
      failures += 1
      if (failures === 1) o.onDisconnected((error as Error).message)
      await pause(waitMs, o.signal)
    }
  }
}

/** Milliseconds until the next try; null where a retry does not help. */
function backoffAfter(error: unknown, o: { failures: number; pauseMs: number }): number | null {
  const own = Math.min(o.pauseMs * 2 ** o.failures, pauseMsMax)
  if (error instanceof NoAnswer) return own
  if (!(error instanceof ApiProblem) || (error.status < 500 && error.status !== 429)) return null
  return Math.max(own, (error.retryAfterSeconds ?? 0) * 1_000)
}

/** An abort ends it early. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
