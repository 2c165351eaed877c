// The guarded client against real receivers on loopback: connect steps, error classes, limits, reuse of connections (security.md 1 and 2).
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from '@jest/globals'
import { strictPolicy } from './address-rule.ts'
import { at, client, closeAll, fixed, http, listen, raw, requestTo } from './loopback-rig.ts'
import type { Resolver } from './resolver.ts'

afterEach(closeAll)

/** Answers with `head`, then `piece` for as long as it is read. */
const flood = (piece: string, head = ''): Promise<number> =>
  raw((socket) => {
    const pieces = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
    const more = (): void => {
      while (!socket.destroyed && socket.write(pieces));
    }
    socket.removeAllListeners('data').on('drain', more).resume()
    socket.write(head)
    more()
  })

describe('an answered attempt', () => {
  test('carries status, excerpt and a duration in steps of 50 ms, and sent the exact bytes', async () => {
    const bodies: string[] = []
    const port = await listen(
      createHttpServer((request, response) => {
        request.setEncoding('utf8')
        let text = ''
        request.on('data', (chunk: string) => {
          text += chunk
        })
        request.on('end', () => {
          bodies.push(`${request.method} ${request.url} ${request.headers.host} ${text}`)
          response.end('thanks')
        })
      }),
    )
    const result = await client().send(
      requestTo(`http://localhost:${port}/a/b?c=d`, { headers: { host: 'evil', cookie: 'a=b' } }),
    )
    expect(result).toMatchObject({
      outcome: 'answered',
      status: 200,
      errorCode: null,
      excerpt: 'thanks',
      isRepeated: false,
    })
    expect(result.durationMs % 50).toBe(0)
    expect(bodies).toEqual([`POST /a/b?c=d localhost:${port} {"id":"evt_1"}`])
  })

  test.each([400, 404, 410, 429, 500, 503])(
    'with status %i is an http_status and keeps Retry-After',
    async (status) => {
      const port = await http((_request, response) => response.writeHead(status, { 'retry-after': '120' }).end('no'))
      const result = await client().send(requestTo(`http://127.0.0.1:${port}/`))
      expect(result).toMatchObject({
        outcome: 'answered',
        status,
        errorCode: 'http_status',
        retryAfter: '120',
        excerpt: 'no',
      })
    },
  )

  test.each([300, 301, 302, 303, 307, 308])(
    'F34, XA22: a redirect with status %i is not followed, nor gone round in',
    async (status) => {
      const asked: string[] = []
      const answering = (name: string, headers: Record<string, string> = {}) =>
        http((_request, response) => {
          asked.push(name)
          response.writeHead(status, headers).end()
        })
      const target = await answering('target')
      for (const location of [`http://127.0.0.1:${target}/`, 'http://169.254.169.254/', '/again']) {
        const port = await answering('redirect', { location })
        const result = await client().send(requestTo(`http://127.0.0.1:${port}/`))
        expect(result).toMatchObject({ outcome: 'answered', status, errorCode: 'http_status' })
      }
      expect(asked).toEqual(['redirect', 'redirect', 'redirect'])
    },
  )

  test('F33: informational answers before the real one are skipped', async () => {
    const port = await raw((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    )
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'answered',
      status: 204,
    })
  })

  test('F30: success is decided by the status line: a body that is cut off, hangs or is endless changes nothing', async () => {
    const cutOff = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'))
    const hangs = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'))
    for (const port of [cutOff, hangs]) {
      const result = await client().send(requestTo(`http://127.0.0.1:${port}/`, { deadlineMs: 1_500 }))
      expect(result).toMatchObject({ outcome: 'answered', status: 200, errorCode: null, excerpt: 'part' })
    }
  })

  test('F30, XA34: a huge or endless body is read to 64 KiB and the connection is closed', async () => {
    let isClosed = false
    let written = 0
    const port = await http((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && written < 1e9 && response.write('x'.repeat(16_384))) written += 16_384
      }
      response.on('drain', more)
      response.on('close', () => {
        isClosed = true
      })
      more()
    })
    const result = await client().send(requestTo(`http://127.0.0.1:${port}/`))
    expect(result).toMatchObject({ outcome: 'answered', status: 200 })
    expect(result.excerpt).toBe('x'.repeat(1_024))
    const deadline = Date.now() + 60_000
    while (!isClosed && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(true)
    expect(written).toBeLessThan(50e6)
  })

  test('F30, XA34: a body in a content coding was not asked for and is not unpacked', async () => {
    const asked: unknown[] = []
    const bodies: [string | string[], Buffer, string | null][] = [
      ['identity', Buffer.from('hello'), 'hello'],
      ['gzip', gzipSync('hello'), null],
      ['br', brotliCompressSync('hello'), null],
      [['identity', 'gzip'], gzipSync('hello'), null],
      ['exotic', Buffer.from('x'), null],
    ]
    const sender = client()
    for (const [encoding, body, excerpt] of bodies) {
      const port = await http((request, response) => {
        asked.push(request.headers['accept-encoding'])
        response.setHeader('content-encoding', encoding).end(body)
      })
      const request = requestTo(`http://127.0.0.1:${port}/`, { headers: { 'Accept-Encoding': 'br' } })
      expect(await sender.send(request)).toMatchObject({ status: 200, excerpt })
    }
    expect(asked).toEqual(bodies.map(() => 'identity'))
  })
})

describe('error classes', () => {
  test('connection_refused: nobody listens', async () => {
    const port = await listen(createServer())
    await closeAll()
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'failed',
      errorCode: 'connection_refused',
    })
  })

  test('F33: connection_reset: reset or closed before an answer, not repeated on a fresh connection', async () => {
    let requests = 0
    const reset = await raw((socket) => {
      requests += 1
      socket.resetAndDestroy()
    })
    const closed = await raw((socket) => {
      requests += 1
      socket.end()
    })
    for (const port of [reset, closed]) {
      expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
        outcome: 'failed',
        errorCode: 'connection_reset',
        isRepeated: false,
      })
    }
    expect(requests).toBe(2)
  })

  test('F30: timeout: an endpoint that never answers, or answers one header byte at a time, ends at the deadline', async () => {
    const silent = await raw(() => {})
    const drip = await raw((socket) => {
      socket.write('HTTP/1.1 ')
      const timer = setInterval(() => socket.write('2'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const startedMs = performance.now()
    const result = client().send(requestTo(`http://127.0.0.1:${silent}/`, { deadlineMs: 300 }))
    const late = sleep(10_000, 'far behind the deadline', { ref: false })
    expect(await Promise.race([result, late])).toMatchObject({ outcome: 'failed', errorCode: 'timeout', status: null })
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(299)
    expect(await client().send(requestTo(`http://127.0.0.1:${drip}/`, { deadlineMs: 300 }))).toMatchObject({
      outcome: 'failed',
      status: null,
    })
  })

  test.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['an old HTTP', 'ICY 200 OK\r\n\r\n'],
    ['an impossible status', 'HTTP/1.1 999 Nope\r\ncontent-length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  ])('F33: response_invalid: %s', async (_name, answer) => {
    const port = await raw((socket) => socket.end(answer))
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'failed',
      errorCode: 'response_invalid',
    })
  })

  test('F33: a switch of protocols that nobody asked for is a failure, not a crash', async () => {
    const port = await raw((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    )
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`, { deadlineMs: 500 }))).toMatchObject({
      outcome: 'failed',
      status: null,
    })
  })

  test('F30: response_too_large: more headers than 16 KiB', async () => {
    const port = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${'header: some value\r\n'.repeat(2_000)}\r\n`))
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'failed',
      errorCode: 'response_too_large',
    })
  })

  test.each([
    ['informational answers', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'response_too_large'],
    ['blank lines', '\r\n', 'response_too_large'],
  ])('regression: F30: %s without an end are not read until the deadline', async (_, piece, errorCode) => {
    const result = await client().send(requestTo(`http://localhost:${await flood(piece)}/`, { deadlineMs: 60_000 }))
    expect(result).toMatchObject({ outcome: 'failed', errorCode })
  })

  test('regression: F30: neither is the extension of a chunk, nor a body byte by byte in its memory', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    const extended = await flood('a'.repeat(1_000), `${head}1;`)
    const bytewise = await flood('1\r\nx\r\n', head)
    for (const port of [extended, bytewise]) {
      const result = await client().send(requestTo(`http://localhost:${port}/`, { deadlineMs: 60_000 }))
      expect(result).toMatchObject({ outcome: 'answered', status: 200 })
    }
  })

  test('F36: dns_not_found, dns_failed; a fault of our own resolver is neither the receiver’s nor one that passes by itself', async () => {
    const resolver = fixed({
      'failed.acme.io': { ok: false, fault: 'failed' },
      'ours.acme.io': { ok: false, fault: 'ours' },
      'none-left.acme.io': { ok: false, fault: 'no_descriptor' },
    })
    const guarded = client({ resolver, policy: strictPolicy })
    expect(await guarded.send(requestTo('https://gone.acme.io/'))).toMatchObject({
      outcome: 'failed',
      errorCode: 'dns_not_found',
    })
    expect(await guarded.send(requestTo('https://failed.acme.io/'))).toMatchObject({
      outcome: 'failed',
      errorCode: 'dns_failed',
    })
    expect(await guarded.send(requestTo('https://ours.acme.io/'))).toMatchObject({
      outcome: 'unresolved',
      errorCode: null,
    })
    expect(await guarded.send(requestTo('https://none-left.acme.io/'))).toMatchObject({
      outcome: 'released',
      errorCode: null,
    })
  })

  test('F36: the deadline covers a look-up that does not end', async () => {
    const resolver: Resolver = { resolve: () => new Promise(() => {}) }
    const result = await client({ resolver, policy: strictPolicy }).send(
      requestTo('https://slow.acme.io/', { deadlineMs: 200 }),
    )
    expect(result).toMatchObject({ outcome: 'failed', errorCode: 'timeout' })
  })
})

describe('destinations', () => {
  test('XA20: one bad answer among good ones refuses the whole attempt, and nothing is sent', async () => {
    let connections = 0
    const server = createServer()
    server.on('connection', () => {
      connections += 1
    })
    await listen(server)
    const bad = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:8.8.8.8',
      'fd00:ec2::254',
      '168.63.129.16',
      '64:ff9b::808:808',
    ]
    for (const address of bad) {
      const guarded = client({
        policy: strictPolicy,
        resolver: fixed({ 'a.acme.io': at('8.8.8.8', address, '1.1.1.1') }),
      })
      const result = await guarded.send(requestTo('https://a.acme.io/'))
      expect(result).toMatchObject({ outcome: 'failed', errorCode: 'destination_not_allowed', status: null })
    }
    expect(connections).toBe(0)
  })

  test('XA21: the look-up is made once per attempt and the checked address is the one connected to', async () => {
    const hosts: (string | undefined)[] = []
    const port = await http((request, response) => {
      hosts.push(request.headers.host)
      response.end()
    })
    let lookUps = 0
    const resolver: Resolver = {
      resolve: async () => {
        lookUps += 1
        return lookUps === 1 ? at('127.0.0.1') : at('10.0.0.1')
      },
    }
    const guarded = client({ resolver })
    expect(await guarded.send(requestTo(`http://rebind.acme.io:${port}/`))).toMatchObject({
      outcome: 'answered',
      status: 200,
    })
    expect(lookUps).toBe(1)
    expect(hosts).toEqual([`rebind.acme.io:${port}`])
    // XA32: a name that turns bad later is refused at the next attempt, although a connection is still open.
    expect(await guarded.send(requestTo(`http://rebind.acme.io:${port}/`))).toMatchObject({
      errorCode: 'destination_not_allowed',
    })
    expect(hosts).toHaveLength(1)
  })

  test('XA21, F36: answers that alternate never reach the refused address', async () => {
    const port = await http((_request, response) => response.end())
    let turn = 0
    const resolver: Resolver = {
      resolve: async () => (turn++ % 2 === 0 ? at('127.0.0.1') : at('127.0.0.1', '192.168.0.1')),
    }
    const guarded = client({ resolver })
    for (let i = 0; i < 20; i += 1) {
      const result = await guarded.send(requestTo(`http://flip.acme.io:${port}/`))
      expect(result.errorCode).toBe(i % 2 === 0 ? null : 'destination_not_allowed')
    }
  })

  test('XA31: proxy variables of the environment have no effect', async () => {
    let proxied = 0
    const proxy = await listen(
      createServer((socket) => {
        proxied += 1
        socket.destroy()
      }),
    )
    const names = [
      'http_proxy',
      'https_proxy',
      'all_proxy',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ]
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy}`
    try {
      const port = await http((_request, response) => response.end())
      expect(await client().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 })
      expect(proxied).toBe(0)
    } finally {
      names.forEach((name, i) => {
        const value = before[i]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      })
    }
  })

  test('XA32: at save every path judges the answers; a name that does not resolve is accepted', async () => {
    const resolver = fixed({
      'good.acme.io': at('8.8.8.8', '2606:4700::1111'),
      'bad.acme.io': at('8.8.8.8', '10.0.0.1'),
    })
    const guarded = client({ policy: strictPolicy, resolver })
    expect(await guarded.checkAtSave('https://good.acme.io')).toEqual({ ok: true, value: 'https://good.acme.io/' })
    expect(await guarded.checkAtSave('https://bad.acme.io/')).toEqual({ ok: false, error: 'address' })
    expect(await guarded.checkAtSave('https://unknown.acme.io/')).toMatchObject({ ok: true })
    expect(await guarded.checkAtSave('https://10.0.0.1/')).toEqual({ ok: false, error: 'address' })
    const local = client({ resolver })
    expect(await local.checkAtSave('http://localhost:9000')).toEqual({ ok: true, value: 'http://localhost:9000/' })
    expect(await local.checkAtSave('http://good.acme.io/')).toMatchObject({ ok: false })
    expect(await local.checkAtSave('http://unknown.acme.io/')).toMatchObject({ ok: false })
  })

  test('XA35: a refused destination says the same whatever is behind it', async () => {
    const open = await http((_request, response) => response.end())
    const guarded = client({ policy: strictPolicy })
    const results = []
    for (const url of [
      `https://127.0.0.1:${open}/`,
      'https://127.0.0.1/',
      'https://10.255.255.1/',
      'https://localhost/',
    ])
      results.push(await guarded.send(requestTo(url)))
    for (const result of results) expect(result).toEqual(results[0])
  })

  test('where a name has both families, the next checked address is tried when nobody listens at the first', async () => {
    const port = await listen(
      createHttpServer((_request, response) => response.end('second')),
      '127.0.0.2',
    )
    const guarded = client({ resolver: fixed({ 'two.acme.io': at('127.0.0.1', '127.0.0.2') }) })
    expect(await guarded.send(requestTo(`http://two.acme.io:${port}/`))).toMatchObject({
      status: 200,
      excerpt: 'second',
    })
  })
})

describe('connections', () => {
  test('XA36: connections are reused within a workspace and host and never shared between workspaces or hosts', async () => {
    const owners = new Map<Socket, Set<string>>()
    const port = await http((request, response) => {
      const owner = `${String(request.headers['x-workspace'])} ${String(request.headers.host)}`
      owners.set(request.socket, (owners.get(request.socket) ?? new Set()).add(owner))
      response.end()
    })
    const guarded = client({ resolver: fixed({ 'a.acme.io': at('127.0.0.1'), 'b.acme.io': at('127.0.0.1') }) })
    for (let i = 0; i < 40; i += 1) {
      const workspaceId = `wsp_${i % 4}`
      const host = i % 3 === 0 ? 'a.acme.io' : 'b.acme.io'
      await guarded.send(requestTo(`http://${host}:${port}/`, { workspaceId, headers: { 'x-workspace': workspaceId } }))
    }
    for (const seen of owners.values()) expect(seen.size).toBe(1)
    expect(owners.size).toBe(8)
  })

  test('F33: a kept connection that is closed at reuse is replaced by a fresh one inside the same attempt, and marked', async () => {
    let requests = 0
    const seen = new WeakSet<Socket>()
    const port = await raw((socket, data) => {
      if (!data.includes('POST ')) return
      requests += 1
      if (seen.has(socket)) return socket.resetAndDestroy()
      seen.add(socket)
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    const guarded = client()
    expect(await guarded.send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200, isRepeated: false })
    await new Promise((resolve) => setImmediate(resolve)) // the pool takes a connection back one turn after its answer
    expect(await guarded.send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200, isRepeated: true })
    expect(requests).toBe(3)
  })

  test('200 attempts at once all end with their own answer', async () => {
    const port = await http((request, response) => response.end(String(request.url)))
    const guarded = client()
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        guarded.send(requestTo(`http://127.0.0.1:${port}/${i}`, { workspaceId: `wsp_${i % 7}` })),
      ),
    )
    expect(results.map((result) => result.excerpt)).toEqual(results.map((_result, i) => `/${i}`))
  })
})

describe('shutdown', () => {
  test('an attempt that had sent a byte is unknown, one that had not is released', async () => {
    const stop = new AbortController()
    let arrived: () => void = () => {}
    const hasArrived = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const port = await raw(() => arrived())
    const resolver: Resolver = { resolve: () => new Promise(() => {}) }
    const sent = client().send(requestTo(`http://127.0.0.1:${port}/`), stop.signal)
    const waiting = client({ resolver }).send(requestTo('http://slow.acme.io/'), stop.signal)
    await hasArrived
    stop.abort()
    expect(await sent).toMatchObject({ outcome: 'unknown', errorCode: null })
    expect(await waiting).toMatchObject({ outcome: 'released', errorCode: null })
    expect(await client().send(requestTo(`http://127.0.0.1:${port}/`), stop.signal)).toMatchObject({
      outcome: 'released',
    })
  })
})
