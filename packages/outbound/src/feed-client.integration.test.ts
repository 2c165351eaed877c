// The reader of feeds against real servers on loopback: what it asks for, what ends it, and that nothing of it is left.
import { createServer as createHttpServer } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { strictPolicy } from './address-rule.ts'
import { createFeedClient, type FeedClientOptions, FeedFault, type FeedRequest } from './feed-client.ts'
import { at, closeAll, fixed, http, listen, onClose, raw } from './loopback-rig.ts'

afterEach(closeAll)

function feeds(o: Partial<FeedClientOptions> = {}) {
  const client = createFeedClient({ policy: { ...strictPolicy, allow: 'loopback' }, answerBytesMax: 1_000_000, ...o })
  onClose(() => client.close())
  return client
}

const never = new AbortController().signal
const asked = (url: string, more: Partial<FeedRequest> = {}): FeedRequest => ({
  workspaceId: 'wsp_1',
  url,
  headers: {},
  firstByteMs: 60_000,
  deadlineMs: 60_000,
  ...more,
})

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

/** The code of the fault that ends the request, or the body. */
async function faultOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FeedFault) return error.code
    throw error
  }
  return 'none'
}

test('asks with the given headers, those of HTTP aside, and gives status, headers and bytes as sent', async () => {
  const port = await http((request, response) => {
    const { host, cookie, authorization, 'accept-encoding': coding } = request.headers
    response
      .writeHead(206, { 'x-a': '1', link: ['<a>', '<b>'] })
      .end(JSON.stringify({ host, cookie, authorization, coding, url: request.url }))
  })
  const headers = { host: 'evil', cookie: 'a=b', authorization: 'Bearer x', 'Accept-Encoding': 'br' }
  const answer = await feeds().get(asked(`http://localhost:${port}/a?b=c`, { headers }), never)
  expect([answer.status, answer.header('x-a'), answer.header('x-b')]).toEqual([206, '1', null])
  expect(answer.header('link')).toBe('<a>, <b>')
  const seen = { host: `localhost:${port}`, authorization: 'Bearer x', coding: 'gzip', url: '/a?b=c' }
  expect(JSON.parse(await textOf(answer.body))).toEqual(seen)
})

describe('the address rule', () => {
  test.each(['http://169.254.169.254/x', 'https://10.0.0.1/', 'ftp://localhost/', 'https://name.internal/'])(
    'XA: %s is refused before anything is sent',
    async (url) => expect(await faultOf(() => feeds().get(asked(url), never))).toBe('destination_not_allowed'),
  )

  test('XA20: one bad answer of DNS refuses the whole request', async () => {
    const resolver = fixed({ 'two.acme-feeds.com': at('93.184.215.14', '10.0.0.1') })
    const client = feeds({ policy: strictPolicy, resolver })
    expect(await faultOf(() => client.get(asked('https://two.acme-feeds.com/'), never))).toBe('destination_not_allowed')
    expect(await faultOf(() => client.get(asked('https://none.acme-feeds.com/'), never))).toBe('dns_not_found')
  })

  test('XA22: a redirect is an answer like any other, its Location is not looked at', async () => {
    let hits = 0
    const target = await http((_request, response) => {
      hits += 1
      response.end()
    })
    const port = await http((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end()
    })
    const answer = await feeds().get(asked(`http://127.0.0.1:${port}/`), never)
    answer.close()
    expect([answer.status, hits]).toEqual([302, 0])
  })
})

describe('a request ends', () => {
  const stalls = () => raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'))

  test('by its first byte, which does not come', async () => {
    const port = await raw(() => undefined)
    const request = asked(`http://127.0.0.1:${port}/`, { firstByteMs: 50 })
    expect(await faultOf(() => feeds().get(request, never))).toBe('timeout')
  })

  test('by its deadline in the middle of the body', async () => {
    const answer = await feeds().get(asked(`http://127.0.0.1:${await stalls()}/`, { deadlineMs: 500 }), never)
    expect(await faultOf(() => textOf(answer.body))).toBe('timeout')
  })

  test('by the signal, while it waits and while it reads', async () => {
    const waits = new AbortController()
    const silent = await raw(() => waits.abort())
    expect(await faultOf(() => feeds().get(asked(`http://127.0.0.1:${silent}/`), waits.signal))).toBe('ours')
    expect(await faultOf(() => feeds().get(asked(`http://127.0.0.1:${silent}/`), waits.signal))).toBe('ours')
    const reads = new AbortController()
    const answer = await feeds().get(asked(`http://127.0.0.1:${await stalls()}/`), reads.signal)
    const reading = faultOf(async () => {
      for await (const _part of answer.body) reads.abort()
    })
    expect(await reading).toBe('ours')
  })

  test('where more comes than is taken, whatever it is', async () => {
    const port = await http((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', more)
      more()
    })
    const client = feeds({ answerBytesMax: 200_000 })
    const answer = await client.get(asked(`http://127.0.0.1:${port}/`), never)
    let bytes = 0
    const read = async () => {
      for await (const part of answer.body) bytes += part.length
    }
    expect(await faultOf(read)).toBe('response_too_large')
    expect(bytes).toBeLessThanOrEqual(200_000)
  })

  test('with its class where the body is cut off, the port closed or the answer none', async () => {
    const cut = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'))
    const answer = await feeds().get(asked(`http://127.0.0.1:${cut}/`), never)
    expect(['connection_reset', 'response_invalid']).toContain(await faultOf(() => textOf(answer.body)))
    const closed = await raw(() => undefined)
    await closeAll()
    expect(await faultOf(() => feeds().get(asked(`http://127.0.0.1:${closed}/`), never))).toBe('connection_refused')
    const garbage = await raw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    expect(await faultOf(() => feeds().get(asked(`http://127.0.0.1:${garbage}/`), never))).toBe('response_invalid')
  })
})

test('a kept connection that was closed meanwhile is replaced by a fresh one', async () => {
  let connections = 0
  const server = createHttpServer((request, response) => {
    // The second request of a connection finds it dead.
    if (request.socket.listenerCount('seen') > 0) return void request.socket.resetAndDestroy()
    request.socket.on('seen', () => undefined)
    response.end('ok')
  })
  server.on('connection', () => {
    connections += 1
  })
  const url = `http://127.0.0.1:${await listen(server)}/`
  const client = feeds()
  for (let nth = 0; nth < 2; nth++) expect(await textOf((await client.get(asked(url), never)).body)).toBe('ok')
  expect(connections).toBe(2)
})

test('who leaves in the middle of a body takes nothing with them', async () => {
  const closed = Promise.withResolvers<void>()
  const port = await http((_request, response) => {
    response.on('close', () => closed.resolve())
    response.write('part')
  })
  const answer = await feeds().get(asked(`http://127.0.0.1:${port}/`), never)
  for await (const _part of answer.body) break
  await closed.promise
})
