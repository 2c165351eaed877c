// Judges who says to be somebody by a password. Whether there is no such account, none with a password, a disabled one or a wrong password:
// the answer, the statements and the work are the same (XO10).
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, withTransaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import { reportRefusal } from '../audit/security-events.ts'
import { attemptOf } from '../throttle/attempt.ts'
import { giveBackAttempt, takeAttempt } from '../throttle/store.ts'
import { isKnownBrowser } from '../throttle/store-known-browsers.ts'
import { emailKeyOf } from './email.ts'
import type { PasswordHasher } from './password-hash.ts'
import { type Account, findAccountByEmail, parametersInUse } from './store.ts'

export interface Credentials {
  email: string
  password: string
  /** Of the client, as listed proxies tell. */
  address: string
  /** Digest of its cookie; null without one. */
  browser: Buffer | null
  userAgent: string | null
  requestId: string
}

export type Verified =
  | { ok: true; account: Account & { hash: string } }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_failures'; retryAfterSeconds: number }

/** Throws Problem `unavailable` when too many passwords are judged already. */
export async function verifyPassword(
  { pool, hasher }: { pool: Pool; hasher: PasswordHasher },
  credentials: Credentials,
): Promise<Verified> {
  const { email, password, address, browser, userAgent, requestId } = credentials
  const emailKey = emailKeyOf(email)
  const { account, inUse, attempt, retryAfterSeconds } = await withTransaction(
    pool,
    { workspaceId: null },
    async (tx) => {
      const [account, isKnown, inUse] = await allInOrder([
        findAccountByEmail(tx, emailKey),
        isKnownBrowser(tx, { emailKey, browser }),
        parametersInUse(tx),
      ] as const)
      const attempt = attemptOf({ emailKey, address, browser: isKnown ? browser : null })
      return { account, inUse, attempt, retryAfterSeconds: await takeAttempt(tx, attempt) }
    },
  )
  if (retryAfterSeconds !== null) {
    reportRefusal('sign_in_throttled', { requestId })
    return { ok: false, reason: 'too_many_failures', retryAfterSeconds }
  }
  const { hash = null, status, user_id: userId = '' } = account ?? {}
  const giveBack = () => withTransaction(pool, { workspaceId: null }, (tx) => giveBackAttempt(tx, attempt))
  const fits = await hasher.verify(password, hash, inUse).catch(async (error: unknown) => {
    // It was not judged: who is told to try again has not failed.
    await giveBack()
    throw error
  })
  if (fits && account !== null && hash !== null && status === 'active') {
    // At once: nobody has failed who knows the password, whatever fails behind it.
    await giveBack()
    return { ok: true, account: { ...account, hash } }
  }
  await withTransaction(pool, { workspaceId: null, userId }, (tx) =>
    recordAuditOfPerson(tx, {
      actor: `user:${userId}`,
      action: 'sign_in',
      object: userId,
      outcome: 'refused',
      address,
      userAgent,
      requestId,
    }),
  )
  return { ok: false, reason: 'wrong' }
}
