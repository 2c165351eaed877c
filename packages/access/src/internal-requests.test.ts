// How auth's internal listener is asked, apart from TLS, which packages/service-host tests with a listener that serves it.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { createInternalRequests } from './internal-requests.ts'

async function asking<T>(
  serve: RequestListener,
  use: (ask: ReturnType<typeof createInternalRequests>, sockets: Socket[]) => Promise<T>,
): Promise<T> {
  const sockets: Socket[] = []
  const server = createServer(serve).on('connection', (socket) => sockets.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await use(createInternalRequests({ url: `http://127.0.0.1:${port}`, token: () => 'secret' }), sockets)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
const withinMs = 10_000

test('a question is a POST with its token and JSON, one without content a GET; connections are kept', async () => {
  const seen: unknown[] = []
  const serve: RequestListener = ({ method, url, headers }, response) => {
    seen.push([method, url, headers.authorization, headers['content-type'] ?? null])
    response.end('{"a":1}')
  }
  await asking(serve, async (ask, sockets) => {
    expect(await ask({ path: '/x', body: { b: 2 }, withinMs })).toEqual({ a: 1 })
    expect(await ask({ path: '/y', withinMs })).toEqual({ a: 1 })
    expect(sockets).toHaveLength(1)
  })
  expect(seen).toEqual([
    ['POST', '/x', 'Bearer secret', 'application/json'],
    ['GET', '/y', 'Bearer secret', null],
  ])
})

test('a kept connection that ends under a question costs no answer: it is asked again on a new one', async () => {
  await asking(
    (_request, response) => response.end('{"a":1}'),
    async (ask, sockets) => {
      await ask({ path: '/x', withinMs })
      const asked = ask({ path: '/x', body: {}, withinMs })
      sockets[0]?.resetAndDestroy()
      expect(await asked).toEqual({ a: 1 })
      expect(sockets).toHaveLength(2)
    },
  )
})

test('regression: a kept connection that ends under an answer is a fault, and nothing is asked that nobody waits for', async () => {
  const seen: unknown[] = []
  const serve: RequestListener = ({ url, socket }, response) => {
    seen.push(url)
    if (url !== '/cut') return response.end('{"a":1}')
    response.writeHead(200, { 'content-length': 100 })
    response.write('{', () => setImmediate(() => (socket as Socket).resetAndDestroy()))
  }
  await asking(serve, async (ask) => {
    await ask({ path: '/x', withinMs })
    await expect(ask({ path: '/cut', withinMs })).rejects.toThrow('aborted')
    await ask({ path: '/y', withinMs })
  })
  expect(seen).toEqual(['/x', '/cut', '/y'])
})

test.each<[string, RequestListener, string]>([
  ['another status', (_request, response) => response.writeHead(503).end('{}'), 'auth answered 503 to /x'],
  ['no JSON', (_request, response) => response.end('{'), 'auth answered no JSON to /x'],
  [
    'an answer without end',
    (_request, response) => response.end(Buffer.alloc(1_100_000)),
    'auth answered more than 1048576 bytes to /x',
  ],
  ['nothing', (request) => request.socket.destroy(), 'socket hang up'],
])('%s is a fault, never an answer', async (_what, serve, fault) => {
  await asking(serve, (ask) => expect(ask({ path: '/x', withinMs })).rejects.toThrow(fault))
})
