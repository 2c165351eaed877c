// TLS between services (security.md 6, kubernetes.md K52): the internal listener of a service that runs, asked by the client that every service has.

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { AuthClient } from '@wds/access/auth-client'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createTestAuthority, type TestCertificate } from '@wds/local-infra/certificates'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { authClientOf } from './auth-client-of.ts'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { type RunningService, startService } from './start-service.ts'

const token = 'k7Pq2mXw9Zt4Rb6Ns8Vd1Hc3Jf5Lg0Ay'
const everyMs = 20
const [authority, renewedAuthority] = [createTestAuthority(), createTestAuthority()]
let home: Awaited<ReturnType<typeof createGadgetHome>>
let running: RunningService | null = null
let port: number
let answered = 0
/** Ends what the clients follow. */
let clients = new AbortController()

beforeAll(async () => {
  home = await createGadgetHome()
  port = await (await takeTestPorts()).next()
  place('token', token)
})
afterEach(async () => {
  clients.abort()
  clients = new AbortController()
  await running?.stop()
  running = null
})
afterAll(async () => {
  await home?.close()
  for (const one of [authority, renewedAuthority]) one.remove()
})

const fileOf = (name: string) => join(home.folder, name)
const tls = () => ({ certFile: fileOf('tls.crt'), keyFile: fileOf('tls.key'), everyMs })
const place = (name: string, text: string) => writeFileSync(fileOf(name), text, { mode: 0o600 })
const placePair = ({ cert, key }: TestCertificate) => {
  rmSync(fileOf('tls.key'), { force: true })
  place('tls.crt', cert)
  place('tls.key', key)
}

/** The service, with the pair that lies there. */
async function start(): Promise<void> {
  place('token', token)
  answered = 0
  const handle = async () => {
    answered += 1
    return { status: 200, body: { oldest_ms: 0 } }
  }
  const routes = [{ method: 'GET' as const, path: '/internal/unpublished', scope: null, handle }]
  const gadgets = { method: 'GET' as const, path: '/v1/gadgets', scope: 'any' as const, handle }
  const http = () => ({ routes: [...routes, gadgets], internal: { port, tokenFile: fileOf('token'), tls: tls() } })
  running = await startService(gadgetService({ http }), {
    values: home.values({ WDS_ROLE: 'http' }),
    signal: new AbortController().signal,
  })
}

async function serve(pair: TestCertificate): Promise<void> {
  placePair(pair)
  await start()
}

/** As a service asks; `ca`: content of its file, null without one. */
function clientOf(o: { ca: string | null; host?: string; tokenFile?: string }): { auth: AuthClient; log: string[] } {
  const log: string[] = []
  if (o.ca !== null) place('ca.crt', o.ca)
  const auth = authClientOf({
    values: withoutUndefined<Record<string, string>>({
      WDS_AUTH_INTERNAL_URL: `https://${o.host ?? 'localhost'}:${port}`,
      WDS_INTERNAL_TOKEN_FILE: fileOf(o.tokenFile ?? 'token'),
      WDS_AUTH_INTERNAL_CA_FILE: o.ca === null ? undefined : fileOf('ca.crt'),
    }) as never,
    logger: createLogger({ service: 'gadgets', destination: { write: (line) => log.push(line) } }),
    signal: clients.signal,
    progress: createProgress(),
    onStop: () => undefined,
    everyMs,
  })
  return { auth: auth as AuthClient, log }
}

/** Asks on a connection of its own; resolves with the certificate that it was shown. */
function askOnce(ca: string, bearer = token): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}` }
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 })
    const sent = request({ host: 'localhost', port, path: '/internal/unpublished', ca, headers, agent }, (response) => {
      const seen = (response.socket as TLSSocket).getPeerX509Certificate()?.toString() ?? ''
      response.resume().on('end', () => (response.statusCode === 200 ? resolve(seen) : reject(response.statusCode)))
    })
    sent.on('error', reject).end()
  })
}

async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never: ${what}`)
    await new Promise((settle) => setTimeout(settle, 5))
  }
}

describe('TLS between services', () => {
  test('auth is asked where its certificate is of the CA and for the name in the address; plain HTTP is not answered', async () => {
    await serve(authority.issue(['localhost']))
    expect(await clientOf({ ca: authority.ca }).auth.unpublishedMs()).toBe(0)
    await expect(fetch(`http://localhost:${port}/internal/unpublished`)).rejects.toThrow()
    expect(answered).toBe(1)
  })

  test.each<[string, { ca: string | null; host?: string; days?: number; purpose?: 'clientAuth' }, string]>([
    ['of another CA', { ca: renewedAuthority.ca }, 'is of no authority that is trusted here'],
    ['of a CA that only its file would name', { ca: null }, 'is of no authority that is trusted here'],
    ['for another name', { ca: authority.ca, host: '127.0.0.1' }, 'is for another host name'],
    ['that has expired', { ca: authority.ca, days: -1 }, 'has expired'],
    // regression: a fault that has no words of ours was told as a connection that failed.
    ['of clients', { ca: authority.ca, purpose: 'clientAuth' }, 'is refused (INVALID_PURPOSE)'],
  ])('a certificate %s is refused before anything is sent, and the log says why', async (_what, o, reason) => {
    await serve(authority.issue(['localhost'], o))
    const { auth, log } = clientOf(o)
    await expect(auth.unpublishedMs()).rejects.toThrow(`the certificate of auth ${reason}`)
    await expect(auth.findKey('0'.repeat(64))).rejects.toThrow(reason)
    expect(answered).toBe(0)
    // One line for both.
    expect(log.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'auth cannot be asked: its certificate is refused',
        err: expect.objectContaining({ message: expect.stringContaining(reason) }),
      }),
    ])
  })

  test('certificate, key and CA are renewed while auth is asked: half of a pair changes nothing, and no request fails', async () => {
    const [before, after] = [authority.issue(['localhost']), renewedAuthority.issue(['localhost'])]
    await serve(before)
    const both = `${authority.ca}${renewedAuthority.ca}`
    const { auth, log } = clientOf({ ca: authority.ca })
    const failures: unknown[] = []
    let isOver = false
    let asked = 0
    const until = async (ask: () => Promise<unknown>) => {
      while (!isOver) {
        await ask().then(
          () => (asked += 1),
          (error) => failures.push(error),
        )
      }
    }
    const load = [1, 2, 3].map(() => until(() => auth.unpublishedMs()))
    load.push(until(() => askOnce(both)))
    const isServed = ({ cert }: TestCertificate) => askOnce(both).then((seen) => seen.trim() === cert.trim())
    const takenIn = () => log.filter((line) => line.includes('renewed files are in use')).length
    try {
      place('ca.crt', both)
      await eventually('the second CA is trusted', () => takenIn() === 1)
      place('tls.crt', after.cert)
      for (let nth = 0; nth < 10; nth += 1) expect(await isServed(before)).toBe(true)
      place('tls.key', after.key)
      await eventually('the renewed pair is served', () => isServed(after))
      place('ca.crt', renewedAuthority.ca)
      await eventually('the first CA is no longer trusted', () => takenIn() === 2)
      const askedSoFar = asked
      await eventually('it is asked on', () => asked > askedSoFar + 10)
    } finally {
      isOver = true
      await Promise.all(load)
    }
    expect(failures).toEqual([])
  })

  test('regression: of a file with several CAs a broken one is refused at the start, whichever it is', () => {
    const { ca } = renewedAuthority
    for (const broken of [ca.slice(0, -60), ca.replace(/\n.{20}/, '\n!'), ca.replace('-----END', '-----ENB')]) {
      const both = `${authority.ca}${broken}${authority.ca}`
      expect(() => clientOf({ ca: both })).toThrow('holds a broken certificate (number 2)')
    }
    expect(() => clientOf({ ca: `# of the test\n${authority.ca}\n${ca}` })).not.toThrow()
  })

  test('XP03: the service token is exchanged while auth is asked: both hold while its file has both, and no request fails', async () => {
    const renewed = 'Zx9Qw2Er4Ty6Ui8Op1As3Df5Gh7Jk0Lm'
    await serve(authority.issue(['localhost']))
    place('own-token', token)
    const { auth, log } = clientOf({ ca: authority.ca, tokenFile: 'own-token' })
    const statusBy = (bearer: string) =>
      askOnce(authority.ca, bearer).then(
        () => 200,
        (status) => status,
      )
    expect([await auth.unpublishedMs(), await statusBy(renewed)]).toEqual([0, 401])
    place('token', `${token}\n${renewed}\n`)
    await eventually('auth takes both', async () => (await statusBy(renewed)) === 200)
    expect([await auth.unpublishedMs(), await statusBy(token)]).toEqual([0, 200])
    place('own-token', renewed)
    await eventually('who asks has the renewed one', () =>
      log.some((line) => line.includes('renewed files are in use')),
    )
    place('token', 'too short')
    place('token', renewed)
    await eventually('auth takes the renewed one alone', async () => (await statusBy(token)) === 401)
    expect(await auth.unpublishedMs()).toBe(0)
    expect(log.join()).not.toMatch(new RegExp(`${token}|${renewed}`))
  })

  test.each<[string, () => void, string]>([
    [
      'a certificate that is not there',
      () => rmSync(fileOf('tls.crt')),
      'the file of WDS_INTERNAL_TLS_CERT_FILE cannot be opened (ENOENT)',
    ],
    ['no certificate', () => place('tls.crt', 'x'), 'the file of WDS_INTERNAL_TLS_CERT_FILE holds no certificate'],
    [
      'a key that others may read',
      () => chmodSync(fileOf('tls.key'), 0o644),
      'the file of WDS_INTERNAL_TLS_KEY_FILE is open to other users',
    ],
    ['no key', () => place('tls.key', 'x'), 'the file of WDS_INTERNAL_TLS_KEY_FILE holds no private key'],
    [
      'the key of another certificate',
      () => place('tls.key', authority.issue(['localhost']).key),
      'the files of WDS_INTERNAL_TLS_CERT_FILE and WDS_INTERNAL_TLS_KEY_FILE do not belong together',
    ],
  ])('a start with %s is refused, and says which setting', async (_what, spoil, reason) => {
    placePair(authority.issue(['localhost']))
    spoil()
    await expect(start()).rejects.toThrow(`configuration refused: ${reason}`)
  })
})
