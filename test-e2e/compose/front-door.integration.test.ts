// The front door of deploy/compose alone, before services that only tell what reached them: what it writes down, and what it passes on.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestAuthority } from '@wds/local-infra/certificates'
import { findNginx, whyNoNginx } from '@wds/local-infra/nginx'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { eventually, exitOf } from '../harness/standalone.ts'
import { edgeArguments, placeEdge } from './place-edge.ts'

const token = 'tok-Zx9Qw2Er4Ty6Ui8Op1As3Df5'
const missing = await whyNoNginx()
;(missing === null ? describe : describe.skip)('the front door', () => {
  const authority = createTestAuthority()
  const agent = new Agent({ ca: authority.ca })
  const folder = mkdtempSync(join(tmpdir(), 'wds-edge-'))
  const logFile = join(folder, 'log')
  let services: Server
  let nginx: ChildProcess
  let port: number
  let seen: IncomingHttpHeaders[] = []
  /** Answers that the service has not given yet. */
  let held: ServerResponse[] = []

  beforeAll(async () => {
    services = createServer((asked, answer) => {
      seen.push(asked.headers)
      asked.resume().on('end', () => {
        if (asked.url === '/v1/held') held.push(answer)
        else if (asked.url === '/v1/away') answer.destroy()
        else answer.end('here')
      })
    })
    await new Promise<void>((settle) => services.listen(0, '127.0.0.1', settle))
    const ports = await takeTestPorts()
    port = await ports.next()
    const [tls, edge] = [join(folder, 'tls'), join(folder, 'edge')]
    mkdirSync(tls)
    const { cert, key } = authority.issue(['localhost'])
    writeFileSync(join(tls, 'tls.crt'), cert)
    writeFileSync(join(tls, 'tls.key'), key, { mode: 0o600 })
    const { port: at } = services.address() as AddressInfo
    placeEdge(edge, { tls, port, addresses: `map $wds_service $wds_address { default 127.0.0.1:${at}; }\n` })
    const log = openSync(logFile, 'a', 0o600)
    nginx = spawn(await findNginx(() => undefined), edgeArguments(edge), { stdio: ['ignore', log, log] })
    await eventually('the front door', () =>
      ask('/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    const ended = nginx && exitOf(nginx)
    nginx?.kill('SIGTERM')
    await ended
    agent.destroy()
    services?.closeAllConnections()
    services?.close()
    authority.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  function ask(path: string, o: { method?: string; headers?: Record<string, string> } = {}) {
    return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((settle, fail) => {
      const sent = request({ host: 'localhost', servername: 'localhost', port, path, agent, ...o }, async (answer) => {
        const body = await text(answer).catch(fail)
        settle({ status: answer.statusCode, headers: answer.headers, body: body ?? '' })
      })
      sent.on('error', fail).end()
    })
  }
  const logged = () => readFileSync(logFile, 'utf8')

  test('who asks for another protocol, or says where it comes from, is believed by no service', async () => {
    seen = []
    const claims = { upgrade: 'h2c', connection: 'Upgrade', te: 'trailers', 'x-forwarded-proto': 'http' }
    const origins = [
      'x-forwarded-for',
      'x_forwarded_for',
      'forwarded',
      'x-real-ip',
      'x-forwarded-host',
      'x-forwarded-port',
    ]
    const headers = { ...claims, ...Object.fromEntries(origins.map((name) => [name, '192.0.2.7'])) }
    expect((await ask('/v1/webhooks', { headers })).status).toBe(200)
    const passed = Object.entries(seen[0] ?? {}).filter(([name]) => name in headers && name !== 'connection')
    expect(Object.fromEntries(passed)).toEqual({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' })
    expect(seen[0]?.connection ?? '').not.toContain('Upgrade')
  })

  test('regression: one address has so many requests at once, and then a problem that says when to try again', async () => {
    held = []
    const most = 256
    const waiting = Array.from({ length: most }, () => ask('/v1/held'))
    await eventually('all of them are under way', async () => held.length === most)
    const { status, headers, body } = await ask('/v1/webhooks')
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([429, '1', 'application/problem+json'])
    expect(JSON.parse(body)).toMatchObject({ status: 429, code: 'quota_exceeded' })
    for (const answer of held) answer.end('here')
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200)
    expect((await ask('/v1/webhooks')).status).toBe(200)
  })

  test('regression: a name that the caller gave stands in no answer but as a name', async () => {
    const typeOf = async (host: string) => {
      const { status, headers, body } = await ask('/v1/away', { headers: { host } })
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '1', 'application/problem+json'])
      return (JSON.parse(body) as { type: string }).type
    }
    expect(await typeOf(`localhost:${port}`)).toBe(`https://localhost:${port}/problems/unavailable`)
    expect(await typeOf('[::1]:8443')).toBe('https://[::1]:8443/problems/unavailable')
    for (const forged of ['a"},{"b":"c', 'a\\']) expect(await typeOf(forged)).toBe('/problems/unavailable')
  })

  test('regression: no token of an address is in its log, whether the service answers or is away', async () => {
    const targets = [
      `/invitations/${token}`,
      `/password/${token}`,
      `/password//${token}`,
      `/%70assword/${token}`,
      `/v1/sub-affiliate-invitations/${token}/accept`,
      `/oauth/authorize?code=${token}`,
      `/v1/webhooks?cursor=${token}`,
    ]
    for (const target of targets) expect((await ask(target, { method: 'POST' })).status).toBe(200)
    services.closeAllConnections()
    await new Promise((settle) => services.close(settle))
    for (const target of targets) expect((await ask(target, { method: 'POST' })).status).toBe(503)
    await eventually('both are in the log', async () => /POST \/v1\/webhooks 503 .* delivery 502/.test(logged()))
    expect(logged()).toContain('POST /invitations/* 200')
    expect(logged()).toContain('POST /v1/sub-affiliate-invitations/* 503')
    expect(logged()).not.toContain(token)
  })
})
