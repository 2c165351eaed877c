// TLS of the guarded client: version, certificate and name verified, each fault its own class (security.md 1.3.6; reliability.md F35).

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { strictPolicy } from './address-rule.ts'
import { at, client, closeAll, fixed, listen, raw, requestTo } from './loopback-rig.ts'

afterEach(closeAll)

// Certificates are made at test time; where the machine has no openssl, these tests are shown as skipped.
const program = 'openssl'
const isAvailable = spawnSync(program, ['version']).status === 0
const certificateTest = isAvailable ? test : test.skip

describe('TLS', () => {
  let folder = ''
  const pem = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const openssl = (...args: string[]): void => {
    execFileSync(program, args, { cwd: folder, stdio: 'ignore' })
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wds-tls-'))
    if (!isAvailable) return
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=test ca')
    for (const [name, days, newKey, names = 0] of [
      ['good', '2', key],
      ['expired', '-1', key],
      ['rsa', '2', ['-newkey', 'rsa:2048', '-nodes']],
      ['names', '2', key, 400],
      ['more-names', '2', key, 1_200],
    ] as const) {
      openssl(
        'req',
        ...newKey,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
        '-subj',
        '/CN=good.acme.io',
        '-addext',
        `subjectAltName=${['good', ...Array.from({ length: names }, (_, nth) => `other-${nth}`)].map((one) => `DNS:${one}.acme.io`)}`,
      )
      openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-copy_extensions',
        'copy',
        '-days',
        days,
        '-out',
        `${name}.pem`,
      )
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const attempt = async (
    name: string,
    o: { cert?: string; ca?: boolean; maxVersion?: 'TLSv1.1'; tls12?: string } = {},
  ) => {
    let requests = 0
    const cert = o.cert ?? 'good'
    const server = createTlsServer(
      withoutUndefined<ServerOptions>({
        key: pem(`${cert}.key`),
        cert: pem(`${cert}.pem`),
        minVersion: o.maxVersion === undefined ? undefined : 'TLSv1',
        maxVersion: o.tls12 === undefined ? o.maxVersion : 'TLSv1.2',
        ciphers: o.tls12 ?? (o.maxVersion && 'DEFAULT:@SECLEVEL=0'),
        dhparam: o.tls12 === undefined ? undefined : 'auto',
      }),
      (_request, response) => {
        requests += 1
        response.end('secure')
      },
    )
    const port = await listen(server)
    const guarded = client(
      withoutUndefined({
        policy: { ...strictPolicy, allow: [`https://${name}:${port}`] },
        resolver: fixed({ [name]: at('127.0.0.1') }),
        ca: o.ca === false ? undefined : [pem('ca.pem')],
      }),
    )
    return { result: await guarded.send(requestTo(`https://${name}:${port}/`)), requests }
  }

  certificateTest('a certificate of a known authority for the name is accepted', async () => {
    expect(await attempt('good.acme.io')).toMatchObject({
      result: { outcome: 'answered', status: 200, excerpt: 'secure' },
      requests: 1,
    })
  })

  certificateTest(
    'F35: expired, for another host, of an unknown authority, of an old version: each its own class and nothing is sent',
    async () => {
      const failed = (errorCode: string) => ({ result: { outcome: 'failed', errorCode, status: null }, requests: 0 })
      expect(await attempt('good.acme.io', { cert: 'expired' })).toMatchObject(failed('tls_expired'))
      expect(await attempt('other.acme.io')).toMatchObject(failed('tls_wrong_host'))
      expect(await attempt('good.acme.io', { ca: false })).toMatchObject(failed('tls_untrusted'))
      expect(await attempt('good.acme.io', { maxVersion: 'TLSv1.1' })).toMatchObject(failed('tls_failed'))
    },
  )

  certificateTest(
    "regression: a group of the server's own making, which may cost a second, is never computed with",
    async () => {
      expect(await attempt('good.acme.io', { cert: 'rsa', tls12: 'ECDHE' })).toMatchObject({ requests: 1 })
      expect(await attempt('good.acme.io', { cert: 'rsa', tls12: 'DHE' })).toMatchObject({
        result: { outcome: 'failed', errorCode: 'tls_failed' },
        requests: 0,
      })
    },
  )

  // A chain of 88 KB with RSA exponents of 3,072 bits takes half a second, of everybody's time.
  certificateTest('regression: a handshake of more than 24 KiB is never computed; one of 10 KB is', async () => {
    expect(await attempt('good.acme.io', { cert: 'names' })).toMatchObject({ requests: 1 })
    expect(await attempt('good.acme.io', { cert: 'more-names' })).toMatchObject({
      result: { outcome: 'failed', errorCode: 'tls_failed' },
      requests: 0,
    })
  })

  certificateTest('a long answer over TLS is an answer all the same, and so is the next one', async () => {
    const port = await listen(
      createTlsServer({ key: pem('good.key'), cert: pem('good.pem') }, (_request, response) =>
        response.end(Buffer.alloc(1_048_576)),
      ),
    )
    const guarded = client({
      policy: { ...strictPolicy, allow: [`https://good.acme.io:${port}`] },
      resolver: fixed({ 'good.acme.io': at('127.0.0.1') }),
      ca: [pem('ca.pem')],
    })
    for (let nth = 0; nth < 2; nth += 1) {
      expect(await guarded.send(requestTo(`https://good.acme.io:${port}/`))).toMatchObject({
        outcome: 'answered',
        status: 200,
      })
    }
  })

  test('F35: a server that speaks no TLS is tls_failed; a handshake that stalls ends at the deadline', async () => {
    for (const [handle, errorCode, deadlineMs] of [
      [(socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 'tls_failed', 60_000],
      [() => {}, 'timeout', 500],
    ] as const) {
      const port = await raw(handle)
      const guarded = client({
        policy: { ...strictPolicy, allow: [`https://a.acme.io:${port}`] },
        resolver: fixed({ 'a.acme.io': at('127.0.0.1') }),
      })
      expect(await guarded.send(requestTo(`https://a.acme.io:${port}/`, { deadlineMs }))).toMatchObject({
        outcome: 'failed',
        errorCode,
      })
    }
  })
})
