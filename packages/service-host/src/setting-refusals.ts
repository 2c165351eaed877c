// Decides which settings a start refuses (security.md 7). A fault names the setting and never its value.
import { type AddressRange, parseRange } from '@wds/access/address-range'
import { databaseFaults } from './database-address.ts'
import { kafkaFaults } from './kafka-address.ts'
import { isLoopback, isProduction } from './profile.ts'
import type { ServiceValues } from './service-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What is refused in every profile, and what only in production. `execArgv`: the runtime's own arguments. */
export function settingFaults(values: ServiceValues, o: { env: Env; execArgv: readonly string[] }): string[] {
  const always = [...values.WDS_CORS_ORIGINS.map(originFault), ...values.WDS_TRUSTED_PROXIES.map(proxyFault)]
  const faults = isProduction(values)
    ? [...always, ...addressFaults(values), ...kafkaFaults(values), ...exposureFaults(values), ...debugFaults(o)]
    : always
  return [...new Set(faults.filter((fault) => fault !== null))]
}

function originFault(text: string): string | null {
  const isOrigin = /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  return isOrigin ? null : 'WDS_CORS_ORIGINS must be a list of origins such as https://app.example'
}

function proxyFault(text: string): string | null {
  return parseRange(text) === null ? 'WDS_TRUSTED_PROXIES must be a list of addresses and ranges' : null
}

function addressFaults(values: ServiceValues): (string | null)[] {
  const { WDS_BASE_URL: baseUrl, WDS_AUTH_URL: authUrl, WDS_AUTH_INTERNAL_URL: internalUrl } = values
  const used = { http: values.WDS_ROLE !== 'worker', worker: values.WDS_ROLE !== 'http' }
  return [
    isHttps(baseUrl) ? null : 'WDS_BASE_URL must begin with https:// in production',
    authUrl === undefined || isHttps(authUrl) ? null : 'WDS_AUTH_URL must begin with https:// in production',
    internalUrl === undefined || isHttps(internalUrl) || isOnLoopback(internalUrl)
      ? null
      : 'WDS_AUTH_INTERNAL_URL must begin with https:// in production: auth is not on this machine',
    ...(used.http ? databaseFaults('DATABASE_URL', values.DATABASE_URL) : []),
    ...(used.worker ? databaseFaults('WDS_WORKER_DATABASE_URL', values.WDS_WORKER_DATABASE_URL) : []),
  ]
}

const isOnLoopback = (url: string) => URL.canParse(url) && isLoopback(new URL(url).hostname)
const isHttps = (url: string) => url.startsWith('https:')

/** Who may reach what: nothing of this is open to everyone. */
function exposureFaults(values: ServiceValues): (string | null)[] {
  const { WDS_TRUSTED_PROXIES: proxies, WDS_MANAGEMENT_HOST: management } = values
  const everyone = proxies.map(parseRange).some((range) => range !== null && isEveryone(range))
  const needsProxy = values.WDS_ROLE !== 'worker' && proxies.length === 0
  return [
    everyone ? 'WDS_TRUSTED_PROXIES must not be open to everyone' : null,
    needsProxy ? 'WDS_TRUSTED_PROXIES must list the proxies that end TLS: plain HTTP is refused in production' : null,
    ['0.0.0.0', '::', ''].includes(management) && values.WDS_MANAGEMENT_PORT !== undefined
      ? 'WDS_MANAGEMENT_HOST must be one address, not all of them'
      : null,
    values.WDS_CORS_ORIGINS.some((origin) => !isHttps(origin) && !isOnLoopback(origin))
      ? 'WDS_CORS_ORIGINS must begin with https:// in production'
      : null,
  ]
}

/** Wider than any network of one operator: 10.0.0.0/8 and fc00::/7 are the widest private ones. */
function isEveryone(range: AddressRange): boolean {
  return range.prefix < (range.family === 'ipv4' ? 8 : 7)
}

/** Switches of the runtime and of the database's clients that open or weaken the process. */
function debugFaults(o: { env: Env; execArgv: readonly string[] }): (string | null)[] {
  const inspected = [...o.execArgv, ...(o.env.NODE_OPTIONS ?? '').split(/\s+/)].some((word) =>
    word.startsWith('--inspect'),
  )
  return [
    inspected ? 'NODE_OPTIONS must not open the inspector in production' : null,
    o.env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? 'NODE_TLS_REJECT_UNAUTHORIZED must not be 0: certificates are verified'
      : null,
    /app\.clock_offset_ms/.test(o.env.PGOPTIONS ?? '') ? 'PGOPTIONS must not move the clock' : null,
  ]
}
