// The auth service as main puts it together, on one port that the browser can reach: pages, settings API and OAuth server.
import { randomBytes } from 'node:crypto'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { createLogger } from '@wds/telemetry/logger'
import { type AuthService, cheapHashes, startAuth } from '../../services/auth/src/auth-service.fixture.ts'
import { createHttpPart } from '../../services/auth/src/http-part.ts'
import { readProviders } from '../../services/auth/src/identities/providers.ts'
import { openOAuthServer } from '../../services/auth/src/oauth/oauth-server.ts'
import { type OpenIdServer, startOpenIdProvider } from '../../services/auth/src/upstream/openid-provider.fixture.ts'
import { makeLogo } from './logo.ts'
import type { Credentials } from './oauth-app.ts'

/** A workspace, its owner, and the app that the owner registered there. */
export interface RegisteredApp extends Credentials {
  workspaceId: string
  owner: { userId: string; name: string; email: string; password: string }
}

export interface AuthRig {
  /** `{auth_url}` and `{base_url}`. */
  url: string
  auth: AuthService
  upstream: OpenIdServer | null
  /** Live with a redirect URL on https; else in development, acting in its owner workspace only. */
  registerApp(redirectUrl: string, scopes: readonly string[]): Promise<RegisteredApp>
  stop(): Promise<void>
}

/** `upstream`: name of a provider that people may sign in with. */
export async function startAuthRig(o: { upstream?: string } = {}): Promise<AuthRig> {
  const { next, release } = await takeTestPorts()
  const port = await next()
  const url = `http://localhost:${port}`
  const upstream = o.upstream === undefined ? null : await startOpenIdProvider(o.upstream, url)
  const providers = upstream === null ? [] : readProviders(JSON.stringify([upstream.settings]))
  const envelope = createEnvelopeEncryption([{ kid: 'test', key: randomBytes(32) }])
  const auth = await startAuth({ authUrl: url, envelope })
  const { pool } = auth
  const logger = createLogger({ service: 'auth', destination: { write: (line) => auth.log.push(line) } })
  const [cursors, secret] = [createCursors([randomBytes(32)]), randomBytes(32)]
  const stopping = new AbortController()
  const { signal } = stopping
  const oauth = await openOAuthServer({ pool, envelope, logger, signal, authUrl: url, baseUrl: url, secret })
  const part = createHttpPart({
    pool,
    cursors,
    authUrl: url,
    secret,
    providers,
    hashParameters: cheapHashes,
    signToken: oauth.keys.signAccessToken,
    appNameOf: oauth.appNameOf,
  })
  const running = await createHttpService({
    openapi: new URL('../../services/auth/src/', import.meta.url),
    baseUrl: url,
    pool,
    envelope,
    logger,
    authenticator: { authenticate: async () => ({ ok: false, problem: 'invalid_token' }) },
    ...part,
    mounts: [...(part.mounts ?? []), ...oauth.mounts],
  }).listen({ host: '127.0.0.1', port })

  return {
    url,
    auth,
    upstream,
    registerApp: async (redirectUrl, scopes) => {
      const { workspaceId, owner, browser } = await auth.ownedWorkspace({ name: 'Northwind Media' })
      const parts = new FormData()
      const state = redirectUrl.startsWith('https:') ? 'live' : 'development'
      const fields = { name: 'Ledgerline', redirect_urls: [redirectUrl], scopes, state }
      parts.set('app', JSON.stringify(fields))
      parts.set('logo', new Blob([new Uint8Array(makeLogo())]), 'logo.png')
      const { status, text, json } = await browser.write('/v1/oauth-apps', { body: parts })
      if (status !== 201) throw new Error(`the app was not registered: ${text}`)
      return { workspaceId, owner, clientId: json.client_id, secret: json.client_secret }
    },
    stop: async () => {
      stopping.abort()
      upstream?.stop()
      await running.close({ graceMs: 0 })
      await oauth.keys.ended
      await auth.stop()
      release()
    },
  }
}
