// Certificates for tests, made when they are needed: no key lies in the repository.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestCertificate {
  cert: string
  key: string
}

export interface IssueOptions {
  days?: number
  beginsInDays?: number
  purpose?: 'clientAuth'
}

/** A CA of a test. */
export interface TestAuthority {
  /** Its own certificate, PEM. */
  ca: string
  /** The file of it, until `remove`. */
  caFile: string
  /**
   * A certificate for the names and addresses; `days`: until its end, below 0 for one that has expired; `beginsInDays`: until it is valid, default 0, or a day before its end.
   * `purpose`: the only one that it is for.
   */
  issue(names: readonly string[], o?: IssueOptions): TestCertificate
  remove(): void
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Of `openssl ca`, which alone takes a begin in every version that is about. */
const issuing = `[ca]
default_ca = test
[test]
database = issued
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
copy_extensions = copy
policy = names
[names]
commonName = supplied
`
/** An instant as openssl takes it: 20261126165700Z. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-T:]|\.\d+/g, '')

/** As deploy/compose needs it. */
const program = 'openssl'

/** Makes a CA in a folder of its own, which bears the id of the process. Throws where the machine has no openssl. */
export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), `wds-authority-${process.pid}-`))
  const openssl = (...args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650', '-subj', '/CN=test CA')
  writeFileSync(join(folder, 'ca.cnf'), issuing)
  writeFileSync(join(folder, 'issued'), '')
  let count = 0
  return {
    ca: read('ca.pem'),
    caFile: join(folder, 'ca.pem'),
    issue(names, { days = 30, beginsInDays = Math.min(0, days - 1), purpose } = {}) {
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
      const ca = ['-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-batch', '-notext']
      const span = ['-startdate', inDays(beginsInDays), '-enddate', inDays(days)]
      openssl('ca', ...ca, ...span, '-in', request, '-out', cert)
      return { cert: read(cert), key: read(key) }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
