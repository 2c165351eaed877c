// The public keys of access tokens in memory: as auth's events told them, and, for a `kid` that they did not tell of, as auth publishes them.

import { ServiceError } from '@wds/postgres/transaction'
import { type CryptoKey, importJWK } from 'jose'
import type { SigningKeyRow } from './access-store.ts'
import type { SigningJwk } from './auth-events.ts'

/** No key has this `kid`. */
export class UnknownKey extends Error {
  override name = 'UnknownKey'
}

export interface SigningKeys {
  take(row: SigningKeyRow): void
  clear(): void
  /** Throws UnknownKey, and `ServiceError` when auth could not be asked. */
  find(kid: string): Promise<CryptoKey>
}

/** Auth is asked for its keys once in so long, whatever tokens say (B12). */
const fetchEveryMs = 60_000
/** After a failure: it may be over, and until then no token of a new key is judged. */
const retryAfterMs = 1_000

/** `fetchKeys`: of auth; left out where it cannot be asked. `monotonicMs` is for tests. */
export function createSigningKeys(
  o: { fetchKeys?: (() => Promise<SigningJwk[]>) | undefined; monotonicMs?: () => number } = {},
): SigningKeys {
  const monotonicMs = o.monotonicMs ?? (() => performance.now())
  const keys = new Map<string, Promise<CryptoKey>>()
  const retired = new Set<string>()
  let asked: { untilMs: number; answer: Promise<void> } | null = null

  const add = (jwk: SigningJwk) => void keys.set(jwk.kid, importJWK(jwk, 'ES256') as Promise<CryptoKey>)

  async function ask(fetchKeys: () => Promise<SigningJwk[]>): Promise<void> {
    for (const jwk of await fetchKeys()) if (!keys.has(jwk.kid) && !retired.has(jwk.kid)) add(jwk)
  }

  /** Many at once ask once. */
  function askAtTimes(fetchKeys: () => Promise<SigningJwk[]>): Promise<void> {
    if (asked !== null && monotonicMs() < asked.untilMs) return asked.answer
    const asking = { untilMs: monotonicMs() + fetchEveryMs, answer: ask(fetchKeys) }
    asking.answer.catch(() => {
      asking.untilMs = monotonicMs() + retryAfterMs
    })
    asked = asking
    return asking.answer
  }
  return {
    take({ jwk, retired: isRetired }) {
      if (!isRetired) return add(jwk)
      keys.delete(jwk.kid)
      retired.add(jwk.kid)
    },
    clear() {
      keys.clear()
      retired.clear()
    },
    async find(kid) {
      if (!keys.has(kid) && o.fetchKeys && !retired.has(kid)) {
        await askAtTimes(o.fetchKeys).catch((cause: unknown) => {
          throw new ServiceError('keys_unavailable', 'The keys of access tokens could not be read.', { cause })
        })
      }
      const key = keys.get(kid)
      if (key === undefined) throw new UnknownKey(`no key is called ${kid}`)
      return await key
    },
  }
}
