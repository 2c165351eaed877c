// Reads certificates and their private keys from files. A file that cannot be used is told by the name of its setting, never by its path or content.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { CertificatePair } from '@wds/http-service/listener'
import { SettingsError } from '@wds/settings/settings'
import { readPrivateText } from './secret-files.ts'

/** A pair that TLS can use. */
export interface Certificate extends CertificatePair {
  /** Its begin and its end in epoch milliseconds. */
  beginsMs: number
  endsMs: number
}

export interface CertificateFiles {
  certSetting: string
  certFile: string
  keySetting: string
  keyFile: string
}

/** A certificate with its chain, and its key. Throws `SettingsError` for one that is missing, unreadable or broken, and for two that do not belong together; it may have expired, or not have begun. */
export function readCertificate(o: CertificateFiles): Certificate {
  const cert = readPublicText(o.certSetting, o.certFile)
  const key = readPrivateText(o.keySetting, o.keyFile)
  const parsed = parse(o.certSetting, 'holds no certificate', () => new X509Certificate(cert))
  const privateKey = parse(o.keySetting, 'holds no private key', () => createPrivateKey(key))
  if (!belongTogether(parsed, privateKey))
    throw refused(`${o.certSetting} and ${o.keySetting}`, 'do not belong together')
  parse(o.certSetting, 'cannot be used', () => createSecureContext({ cert, key }))
  return { cert, key, beginsMs: parsed.validFromDate.getTime(), endsMs: parsed.validToDate.getTime() }
}

/** CA certificates, PEM. Throws `SettingsError` for a file that is missing, unreadable, holds none or a broken one. */
export function readAuthorities(setting: string, path: string): string {
  const text = readPublicText(setting, path)
  // TLS itself takes those before the first broken one, and says nothing of the others.
  const [first = '', ...others] = text.split(/(?=-----BEGIN )/).filter((part) => part.startsWith('-----BEGIN '))
  parse(setting, 'holds no certificate', () => new X509Certificate(first))
  for (const [at, other] of others.entries()) {
    parse(setting, `holds a broken certificate (number ${at + 2})`, () => new X509Certificate(other))
  }
  parse(setting, 'cannot be used', () => createSecureContext({ ca: text }))
  return text
}

function belongTogether(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.checkPrivateKey(key)
}

function readPublicText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(setting, `cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
}

function parse<T>(setting: string, fault: string, read: () => T): T {
  try {
    return read()
  } catch {
    throw refused(setting, fault)
  }
}

function refused(settings: string, reason: string): SettingsError {
  return new SettingsError([`${settings.includes(' ') ? 'the files' : 'the file'} of ${settings} ${reason}`])
}
