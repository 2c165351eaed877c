// For tests: a real OpenID provider on a loopback port, which signs in whoever the test names, without asking.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider as OpenIdProvider } from 'oidc-provider'
import type { ProviderSettings } from '../identities/providers.ts'

export interface OpenIdServer {
  issuer: string
  person: { sub: string; name?: string; email?: string; email_verified?: unknown }
  /** Paths that were asked for. */
  asked: string[]
  /** As the file of WDS_UPSTREAM_PROVIDERS_FILE has it. */
  settings: ProviderSettings
  stop(): void
}

/** Resolves with the address of a server that listens. */
export function listenOnLoopback(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
}

export const settingsOf = (name: string, issuer: string): ProviderSettings => ({
  name,
  title: `Provider ${name}`,
  issuer,
  client_id: 'wds',
  client_secret: `secret of ${name}`,
})

/** `authUrl`: where people sign in. */
export async function startOpenIdProvider(name: string, authUrl: string): Promise<OpenIdServer> {
  const server = createServer()
  const issuer = await listenOnLoopback(server)
  const settings = settingsOf(name, issuer)
  const provider = new OpenIdProvider(issuer, {
    clients: [
      {
        client_id: settings.client_id,
        client_secret: settings.client_secret,
        redirect_uris: [`${authUrl}/sign-in/upstream/${name}/callback`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    cookies: { keys: ['key of the test'] },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...started.person, sub: accountId }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  })
  const started: OpenIdServer = {
    issuer,
    person: { sub: 'nobody' },
    asked: [],
    settings,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  const handle = provider.callback()
  server.on('request', async (request, response) => {
    started.asked.push(request.url?.split('?', 1)[0] ?? '')
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    const details = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: started.person.sub, clientId: settings.client_id })
    grant.addOIDCScope('openid profile email')
    const login = { accountId: started.person.sub, remember: false }
    const result = details.prompt.name === 'login' ? { login } : { consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  })
  return started
}
