// The signing keys in memory, looked at again every half minute, so that a rotation needs no restart.

import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { importJWK, SignJWT } from 'jose'
import { loadSigningKeys, type SigningKeys } from './store.ts'

const everyMs = 30_000

export interface KeyRing {
  /** As they were at the last look. */
  keys(): SigningKeys
  /** Looks now. */
  reload(): Promise<void>
  /** An access token as auth.md 3.2 describes it, `jti`, `iat` and `exp` added. */
  signAccessToken(claims: AccessTokenClaims, o: { lifeSeconds: number }): Promise<string>
  /** Resolves once it looks no more, after `signal` was aborted. */
  ended: Promise<void>
}

/** Claims of an access token that its maker says. */
export interface AccessTokenClaims {
  sub: string
  client_id: string
  scope: string
  workspace_id: string
  grant_id: string
  member_rev: number
}

export async function openKeyRing(o: {
  pool: Pool
  envelope: EnvelopeEncryption
  logger: Logger
  signal: AbortSignal
  issuer: string
  audience: string
}): Promise<KeyRing> {
  let keys = await loadSigningKeys(o.pool, o.envelope)
  const reload = async () => {
    keys = await loadSigningKeys(o.pool, o.envelope)
  }
  const throttle = new LogThrottle()
  const look = async () => {
    for (;;) {
      await wait(everyMs, o.signal)
      if (o.signal.aborted) return
      await reload().then(
        () => throttle.over((failures) => o.logger.info({ failures }, 'signing keys can be read again')),
        (err: unknown) =>
          throttle.wrong(() => o.logger.error({ err }, 'signing keys could not be read, keeping those in memory')),
      )
    }
  }
  return {
    keys: () => keys,
    reload,
    ended: look(),
    signAccessToken: async (claims, { lifeSeconds }) => {
      const { kid, privateJwk } = keys.current
      return await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
        .setIssuer(o.issuer)
        .setAudience(o.audience)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${lifeSeconds} seconds`)
        .sign(await importJWK(privateJwk, 'ES256'))
    },
  }
}
