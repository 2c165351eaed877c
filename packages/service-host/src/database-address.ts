// Judges the address of a database for the production profile: encrypted on its way, with a password of its own (security.md 7).
import { isLoopback } from './profile.ts'

/** 16 random characters of base64 hold 96 bits; what is shorter was chosen by a person. */
const passwordCharactersMin = 16

/** What examples, images and people put there. */
const knownPasswords =
  /^(?:postgres|password|passwd|changeme|change[-_]?me|secret|example|admin|root|test|wds|1234567890)+\d*$/i

/** Modes of `sslmode` under which the server's certificate is verified. */
const verified = new Set(['require', 'verify-ca', 'verify-full'])

/** Faults that name `setting` and no part of its value. */
export function databaseFaults(setting: string, text: string): string[] {
  if (!URL.canParse(text)) return [`${setting} must be a postgres:// address`]
  const url = new URL(text)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (url.protocol === 'socket:' || host.startsWith('/')) return clockFaults(setting, url)
  const faults = [...passwordFaults(setting, decodeURIComponent(url.password)), ...clockFaults(setting, url)]
  if (!isLoopback(host) && !isEncrypted(url))
    faults.push(`${setting} must use TLS with a verified certificate (sslmode=verify-full)`)
  return faults
}

function isEncrypted({ searchParams }: URL): boolean {
  const mode = searchParams.get('sslmode')
  // libpq's own meaning of `require` is encryption without verification.
  if (mode === 'require' && searchParams.get('uselibpqcompat') === 'true') return false
  return mode === null ? searchParams.get('ssl') === 'true' : verified.has(mode)
}

function passwordFaults(setting: string, password: string): string[] {
  if (password === '') return [`${setting} has no password`]
  if (knownPasswords.test(password)) return [`${setting} has a default or example password`]
  return password.length < passwordCharactersMin
    ? [`${setting} has a password shorter than ${passwordCharactersMin} characters`]
    : []
}

function clockFaults(setting: string, url: URL): string[] {
  return /app\.clock_offset_ms/.test(url.searchParams.get('options') ?? '')
    ? [`${setting} must not move the clock`]
    : []
}
