// What a listener does otherwise over TLS, where Node resets no connection and a client may speak something else.

import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { get } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { afterAll, expect, test } from '@jest/globals'
import { createTestAuthority } from '@wds/local-infra/certificates'
import { createLogger } from '@wds/telemetry/logger'
import { cutAnswer } from './end-answer.ts'
import { defaultLimits, type HttpLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'

const authority = createTestAuthority()
const certificate = authority.issue(['localhost'])
afterAll(() => authority.remove())

async function served<T>(
  serve: RequestListener,
  use: (o: { port: number; log: { msg: string; reason?: string }[] }) => Promise<T>,
  given: Partial<HttpLimits> = {},
): Promise<T> {
  const log: { msg: string; reason?: string }[] = []
  const logger = createLogger({ service: 'test', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const limits = { ...defaultLimits, unreadMs: 200, ...given }
  const server = createListener(serve, { baseUrl: '', logger, limits, certificate })
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  try {
    return await use({ port, log })
  } finally {
    await closeListener(server, 0)
  }
}
const at = (port: number) => ({ port, host: '127.0.0.1', servername: 'localhost', ca: authority.ca })

/** How an answer ended for its client. */
const endOf = (port: number) =>
  new Promise<string>((settle) => {
    const sent = get({ ...at(port), agent: false }, (response) => {
      response.resume().once('end', () => settle('whole'))
      response.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? ''))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? ''))
  })

test('an answer that is cut over TLS is not taken for a whole one', async () => {
  let fault: unknown
  const cut: RequestListener = (_request, response) => {
    response.write('x', () => {
      try {
        cutAnswer(response)
      } catch (error) {
        fault = error
        response.end()
      }
    })
  }
  expect([await served(cut, ({ port }) => endOf(port)), fault]).toEqual(['ECONNRESET', undefined])
})

test('a client that leaves its answer unread over TLS is cut, and others are served', async () => {
  const cut = Promise.withResolvers<void>()
  const timer = setTimeout(() => cut.reject(new Error('it was never cut')), 60_000)
  const serve: RequestListener = (request, response) => {
    if (request.headers.host === 'x') response.once('close', () => cut.resolve()).end(Buffer.alloc(20_000_000))
    else response.end('x')
  }
  await served(serve, async ({ port, log }) => {
    const unread = connect(at(port)).pause()
    unread.once('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await cut.promise
    expect(log).toMatchObject([{ msg: expect.stringMatching(/^connection ended: its answer was/) }])
    expect(await endOf(port)).toBe('whole')
    unread.destroy()
  }).finally(() => clearTimeout(timer))
})

test('who speaks plain HTTP is not answered, and the log says why', async () => {
  await served(
    () => undefined,
    async ({ port, log }) => {
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
      expect(log).toMatchObject([{ msg: 'TLS connection failed', reason: 'ERR_SSL_HTTP_REQUEST' }])
    },
  )
})

test('regression: a TLS handshake that never comes is told as that, not as a refused request', async () => {
  const use = async ({ port, log }: { port: number; log: object[] }) => {
    const silent = connectPlain(port, '127.0.0.1').resume()
    await once(silent, 'close')
    expect(log).toMatchObject([{ msg: 'TLS connection failed', reason: 'ERR_TLS_HANDSHAKE_TIMEOUT' }])
  }
  await served(() => undefined, use, { headersDeadlineMs: 100, unreadMs: defaultLimits.unreadMs })
})
