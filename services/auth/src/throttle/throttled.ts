import type { MountExchange } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { reportRefusal } from '../audit/security-events.ts'
import { attemptOf } from './attempt.ts'
import { giveBackAttempt, takeAttempt } from './store.ts'

export interface TooManyFailures {
  ok: false
  reason: 'too_many_failures'
  retryAfterSeconds: number
}

/** Does what tells whether somebody has an account with this address: it counts like guessing at the password (XO10), unless it succeeds. */
export async function throttled<T extends { ok: boolean }>(
  pool: Pool,
  { emailKey, exchange }: { emailKey: string; exchange: MountExchange },
  work: () => Promise<T>,
): Promise<T | TooManyFailures> {
  const { origin, requestId } = exchange
  const attempt = attemptOf({ emailKey, address: origin.address, browser: null })
  const retryAfterSeconds = await withTransaction(pool, { workspaceId: null }, (tx) => takeAttempt(tx, attempt))
  if (retryAfterSeconds !== null) {
    reportRefusal('sign_in_throttled', { requestId })
    return { ok: false, reason: 'too_many_failures', retryAfterSeconds }
  }
  const giveBack = () => withTransaction(pool, { workspaceId: null }, (tx) => giveBackAttempt(tx, attempt))
  const outcome = await work().catch(async (error: unknown) => {
    // It was not judged: who is told to try again has not failed.
    await giveBack()
    throw error
  })
  if (outcome.ok) await giveBack()
  return outcome
}
