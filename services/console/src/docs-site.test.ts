// The documentation as browsers get it, from a folder as the build writes it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openDocs } from './docs-site.ts'
import { serveSite } from './site.ts'

let folder: string
let server: Server
let url: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wds-docs-'))
  const site = { document: '<html></html>', assets: new Map() }
  server = createServer(serveSite(site, openDocs(folder), { baseUrl: 'http://127.0.0.1' }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const html = '<p>page</p>'.repeat(50)

function build(): void {
  const entry = (file: string) => ({
    file,
    type: 'text/html; charset=utf-8',
    etag: `"${file.length}"`,
    isPacked: true,
    isImmutable: false,
  })
  mkdirSync(join(folder, 'files/docs/a'), { recursive: true })
  for (const file of ['docs/a/index.html', 'docs/404.html']) {
    writeFileSync(join(folder, 'files', file), html)
    writeFileSync(join(folder, 'files', `${file}.gz`), gzipSync(html))
  }
  writeFileSync(join(folder, 'files/docs/llms.txt'), '- [A](/docs/a/)\n')
  const list = {
    '/docs/a/': entry('docs/a/index.html'),
    '/docs/404.html': entry('docs/404.html'),
    '/docs/llms.txt': { ...entry('docs/llms.txt'), type: 'text/plain; charset=utf-8', isPacked: false },
  }
  writeFileSync(join(folder, 'files.json'), JSON.stringify(list))
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { redirect: 'manual', headers: { 'accept-encoding': 'identity', ...headers } })

test('until it is built, a page says so and asks again by itself', async () => {
  const waiting = await get('/docs/a/')
  expect([waiting.status, waiting.headers.get('refresh')]).toEqual([503, '5'])
  build()
  expect((await get('/docs/a/')).status).toBe(200)
})

test('a page is sent with a policy that allows no script and no style in it, and once only', async () => {
  build()
  const { status, headers } = await get('/docs/a/')
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
  const again = await get('/docs/a/', { 'if-none-match': headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('it is packed beforehand, for those who take it', async () => {
  build()
  const { length } = gzipSync(html)
  const packed = await get('/docs/a/', { 'accept-encoding': 'gzip' })
  expect([packed.headers.get('content-encoding'), packed.headers.get('content-length')]).toEqual(['gzip', `${length}`])
  expect(await packed.text()).toBe(html)
  expect(gunzipSync(gzipSync(html)).toString()).toBe(html)
  expect((await get('/docs/a/')).headers.get('content-encoding')).toBeNull()
})

test('regression: the list for programs is at the root of the address as well, where they look for it', async () => {
  expect((await get('/llms.txt')).status).toBe(503)
  build()
  for (const path of ['/docs/llms.txt', '/llms.txt']) {
    const answer = await get(path)
    expect([answer.status, await answer.text()]).toEqual([200, '- [A](/docs/a/)\n'])
  }
})

test('an address without its slash leads on; an unknown one is 404 with a page; no path leads out of the folder', async () => {
  build()
  const short = await get('/docs/a')
  expect([short.status, short.headers.get('location')]).toEqual([308, '/docs/a/'])
  for (const path of ['/docs/nowhere/', '/docs/..%2f..%2ffiles.json', '/docs/files.json']) {
    const { status, headers } = await get(path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8'])
  }
  expect((await get('/docsx')).headers.get('content-type')).toBe('application/problem+json')
})
