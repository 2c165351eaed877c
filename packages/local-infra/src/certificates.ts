// Certificates for tests, made when they are needed: no key lies in the repository.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestCertificate {
  cert: string
  key: string
}

/** A CA of a test. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  ca: string
  /** A certificate for the names and addresses; `days`: until its end, below 0 for one that has expired. `purpose`: the only one that it is for. */
  issue(names: readonly string[], o?: { days?: number; purpose?: 'clientAuth' }): TestCertificate
  remove(): void
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** As deploy/compose needs it. */
const program = 'openssl'

/** Makes a CA in a folder of its own. Throws where the machine has no openssl. */
export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'wds-authority-'))
  const openssl = (...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650', '-subj', '/CN=test CA')
  let count = 0
  return {
    ca: read('ca.pem'),
    issue(names, { days = 30, purpose } = {}) {
      count += 1
      const [key, request, cert] = [`${count}.key`, `${count}.csr`, `${count}.pem`] as const
      const subject = [
        '-subj',
        `/CN=${count}`,
        '-addext',
        `subjectAltName=${names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`)}`,
      ]
      const extended = purpose === undefined ? [] : ['-addext', `extendedKeyUsage=${purpose}`]
      openssl('req', ...newKey, '-keyout', key, '-out', request, ...subject, ...extended)
      const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy']
      openssl('x509', '-req', '-in', request, ...ca, '-days', String(days), '-out', cert)
      return { cert: read(cert), key: read(key) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
