// The upstream OpenID providers of a deployment: read from their file at start, and spoken to here alone.
import { SettingsError } from '@wds/settings/settings'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from 'openid-client'

/** One entry of the file of WDS_UPSTREAM_PROVIDERS_FILE. */
export interface ProviderSettings {
  /** In the addresses of its sign-in: `[a-z0-9-]{1,32}`. */
  name: string
  /** As the pages name it. */
  title: string
  issuer: string
  client_id: string
  client_secret: string
  /** Origins of its endpoints besides the issuer's own. Nothing else is called. */
  endpoint_origins?: string[]
}

export interface Provider extends Pick<ProviderSettings, 'name' | 'title' | 'issuer'> {
  /** The client for one exchange, whose calls end together by a deadline. Throws when the provider cannot be asked. */
  open(): Promise<Configuration>
}

const setting = 'WDS_UPSTREAM_PROVIDERS_FILE'

/** `text`: JSON, an array of `ProviderSettings`. `deadlineMs`: of the calls of one exchange, ten seconds unless told. Throws `SettingsError`, which holds nothing of the text. */
export function readProviders(text: string, o: { deadlineMs?: number } = {}): Provider[] {
  const refuse = (reason: string): never => {
    throw new SettingsError([`the file of ${setting} ${reason}`])
  }
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    return refuse('is not JSON')
  }
  if (!Array.isArray(entries)) return refuse('is not an array')
  for (const [at, entry] of entries.entries()) {
    const fault = faultOf(entry)
    if (fault !== null) refuse(`has an entry (number ${at + 1}) ${fault}`)
  }
  const settings = entries as ProviderSettings[]
  for (const key of ['name', 'issuer'] as const) {
    if (new Set(settings.map((one) => one[key])).size < settings.length) refuse(`gives one ${key} twice`)
  }
  return settings.map((one) => createProvider(one, o.deadlineMs ?? 10_000))
}

function faultOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return 'that is not an object'
  const given = entry as Record<string, unknown>
  for (const key of ['name', 'title', 'issuer', 'client_id', 'client_secret']) {
    if (typeof given[key] !== 'string' || given[key] === '') return `without a text as ${key}`
  }
  if (!/^[a-z0-9-]{1,32}$/.test(given.name as string)) return 'whose name is not of 1 to 32 small letters, digits and -'
  const origins = given.endpoint_origins ?? []
  if (!Array.isArray(origins)) return 'whose endpoint_origins are not an array'
  if (![given.issuer, ...origins].every(isSafeUrl)) return 'with an address that is not https'
  return origins.every((origin) => URL.parse(origin)?.origin === origin) ? null : 'with more than an origin'
}

/** Without TLS only on this machine, for development. */
function isSafeUrl(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
  )
}

const metadataMs = 600_000
const bytesMax = 256 * 1024

function createProvider(settings: ProviderSettings, deadlineMs: number): Provider {
  const { name, title, issuer, client_id: clientId, client_secret: secret, endpoint_origins: others = [] } = settings
  const origins = new Set([new URL(issuer).origin, ...others])
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const authenticate: ClientAuth = (server, ...rest) => {
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false
    return (isPost ? ClientSecretPost : ClientSecretBasic)(secret)(server, ...rest)
  }
  let known: { metadata: Promise<ServerMetadata>; endsMs: number } | null = null

  async function discover(): Promise<ServerMetadata> {
    const options = { [customFetch]: boundedFetch(origins, deadlineMs), execute: insecure, timeout: deadlineMs / 1_000 }
    return (await discovery(new URL(issuer), clientId, {}, authenticate, options)).serverMetadata()
  }

  /** Many at once ask once; a failure is not kept. */
  function metadataNow(): Promise<ServerMetadata> {
    if (known === null || known.endsMs < performance.now()) {
      const asked = { metadata: discover(), endsMs: performance.now() + metadataMs }
      known = asked
      asked.metadata.catch(() => {
        if (known === asked) known = null
      })
    }
    return known.metadata
  }

  return {
    name,
    title,
    issuer,
    open: async () => {
      const configuration = new Configuration(await metadataNow(), clientId, {}, authenticate)
      configuration[customFetch] = boundedFetch(origins, deadlineMs)
      configuration.timeout = deadlineMs / 1_000
      for (const set of [...insecure, enableNonRepudiationChecks]) set(configuration)
      return configuration
    },
  }
}

/** Calls these origins alone, follows no redirect, and reads a small answer whole before the deadline of all its calls. */
function boundedFetch(origins: ReadonlySet<string>, deadlineMs: number): CustomFetch {
  const deadline = AbortSignal.timeout(deadlineMs)
  return async (url, { method, headers, body }) => {
    if (!origins.has(new URL(url).origin)) throw new Error('an endpoint at an origin that is not configured')
    const response = await fetch(url, {
      method,
      headers,
      body: body as NonNullable<RequestInit['body']>,
      redirect: 'manual',
      signal: deadline,
    })
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > bytesMax) throw new Error('an answer over 256 KiB')
      parts.push(part)
    }
    const hasBody = ![204, 205, 304].includes(response.status)
    return new Response(hasBody ? Buffer.concat(parts) : null, { status: response.status, headers: response.headers })
  }
}
