// The OAuth server of auth, put together: signing keys, engine, consent, and the paths that they answer.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Mount } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { createCookies } from '../web/cookies.ts'
import { deriveKey, formsKey } from '../web/derived-keys.ts'
import { createForms } from '../web/forms.ts'
import { sendErrorPage } from './consent/error-page.ts'
import { holdError } from './consent/hold-error.ts'
import { appNameOf } from './engine/asking-app.ts'
import { createEngine, type Engine, type EngineError, type EngineOptions } from './engine/engine.ts'
import { oauthMounts } from './mounts.ts'
import { type KeyRing, openKeyRing } from './signing-keys/key-ring.ts'

export interface OAuthServerOptions {
  /** Of the HTTP role. */
  pool: Pool
  envelope: EnvelopeEncryption
  logger: Logger
  /** Ends the look-out for new signing keys. */
  signal: AbortSignal
  /** `{auth_url}`, the issuer. */
  authUrl: string
  baseUrl: string
  /** 32 random bytes that all processes share; what is signed by keys made from it lives for minutes. */
  secret: Buffer
  /** For tests: another way to store. */
  adapter?: EngineOptions['adapter']
}

export interface OAuthServer {
  mounts: Mount[]
  keys: KeyRing
  engine: Engine
  /** Name of the app whose authorisation goes on at this path of ours; null: none. */
  appNameOf(path: string): Promise<string | null>
}

/** Listens to nothing yet. Throws when the signing key cannot be read or the engine refuses its configuration. */
export async function openOAuthServer(o: OAuthServerOptions): Promise<OAuthServer> {
  const issuer = o.authUrl.replace(/\/+$/, '')
  const baseUrl = o.baseUrl.replace(/\/+$/, '')
  const keys = await openKeyRing({ ...o, issuer, audience: baseUrl })
  const cookies = createCookies(issuer)
  const engine = createEngine(
    withoutUndefined({
      pool: o.pool,
      logger: o.logger,
      keys,
      issuer,
      audience: baseUrl,
      authorizeUrl: `${issuer}/oauth/authorize`,
      cookieKeys: [deriveKey(o.secret, 'cookies of the OAuth engine').toString('base64url')],
      adapter: o.adapter,
      sendError: (exchange, error) => sendErrorPage(exchange, { status: error.status, ...wordsOf(error) }),
      holdError: (exchange, redirect) => holdError(exchange, redirect, { pool: o.pool, cookies }),
    }),
  )
  const forms = createForms({ cookies, key: formsKey(o.secret) })
  const mounts = oauthMounts({ pool: o.pool, cookies, forms, engine, keys, issuer, baseUrl })
  return { mounts, keys, engine, appNameOf: (path) => appNameOf(o.pool, path) }
}

/** What a person reads. A fault of ours is neither the app's nor theirs. */
function wordsOf({ error, description }: EngineError): { title: string; text: string[] } {
  if (error === 'server_error')
    return {
      title: 'This cannot be done right now',
      text: ['Something is out of order on our side. Go back to the app and try again in a moment.'],
    }
  return {
    title: 'This request cannot go on',
    text: [
      'The app that sent you here asked in a way that is not accepted, or the request has expired. Go back to the app and try again.',
      ...(description === undefined ? [] : [`For its developers: ${description}.`]),
    ],
  }
}
