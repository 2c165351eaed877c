// Answers that are sent part by part, through a real socket.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { downloadsPerWorkspace } from './downloads.ts'
import { download, startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(() => widgets?.stop())

const url = (kind: string) => `http://127.0.0.1:${widgets.port}/v1/downloads/${kind}`
const headers = { authorization: 'Bearer a' }
const bytes = download.parts * download.partBytes

test('an answer in parts has its length, type and tag, and all of its bytes in their order', async () => {
  const answer = await fetch(url('whole'), { headers })
  const shown = ['content-length', 'content-type', 'etag'].map((name) => answer.headers.get(name))
  expect([answer.status, ...shown]).toEqual([200, String(bytes), 'text/csv', '"one"'])
  const body = Buffer.from(await answer.arrayBuffer())
  expect(body.length).toBe(bytes)
  for (let part = 0; part < download.parts; part++) expect(body[part * download.partBytes]).toBe(part % 10)
})

test('C20, C40: HEAD and a client that has it already read no part', async () => {
  const head = await fetch(url('whole'), { method: 'HEAD', headers })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes)])
  const known = await fetch(url('whole'), { headers: { ...headers, 'if-none-match': '"one"' } })
  expect([known.status, await known.text(), download.partsRead]).toEqual([304, '', 0])
})

test('a part that cannot be read cuts the answer short of its length, and is logged', async () => {
  const answer = await fetch(url('torn'), { headers })
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow()
  expect(widgets.log.some((line) => line.includes('the third part is gone'))).toBe(true)
})

test('regression: a client of HTTP/1.0, which is told no length, sees that an answer is cut: its connection is reset', async () => {
  const socket = connect(widgets.port, '127.0.0.1')
  socket.write('GET /v1/downloads/unmeasured-torn HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer a\r\n\r\n')
  let answer = ''
  const read = async () => {
    for await (const chunk of socket) answer += chunk
  }
  await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('regression: a file that is gone by its first part is answered by a problem, not by an answer that is cut', async () => {
  const answer = await fetch(url('gone'), { headers })
  expect([answer.status, answer.headers.get('etag'), await answer.json()]).toMatchObject([
    404,
    null,
    { code: 'not_found' },
  ])
})

test('an answer in parts whose length nobody knows comes in chunks, and ends where its last part does', async () => {
  const answer = await fetch(url('unmeasured'), { headers })
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, null])
  expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
})

test('parts are read as the client takes them: one that stops reading holds a few of them, and one that goes ends the reading', async () => {
  const socket = connect(widgets.port, '127.0.0.1').pause()
  socket.write('GET /v1/downloads/whole HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\n\r\n')
  // One that is left open, with bytes that nobody reads, would keep the run alive.
  try {
    const stands = await untilItStands(() => download.partsRead)
    expect(stands).toBeGreaterThan(0)
    expect(stands).toBeLessThan(download.parts / 2)
  } finally {
    socket.destroy()
  }
  const isLogged = () =>
    widgets.log.filter((line) => line.includes('/v1/downloads/{kind}') && line.includes('"status":0'))
  await untilItStands(() => isLogged().length, 1)
  expect(download.partsRead).toBeLessThan(download.parts / 2)
})

test('C63, C87: a workspace fetches 16 files at a time, and one more is told to come again; others may go on; one that ends makes room', async () => {
  const ask = (token: string) => {
    const socket = connect(widgets.port, '127.0.0.1')
    socket.write(`GET /v1/downloads/whole HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    return new Promise<Socket>((settle) => socket.once('readable', () => settle(socket)))
  }
  const sockets: Socket[] = []
  try {
    while (sockets.length < downloadsPerWorkspace) sockets.push(await ask('a'))
    const refused = await fetch(url('whole'), { headers })
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('etag')]).toEqual([429, '10', null])
    expect(await refused.json()).toMatchObject({ code: 'quota_exceeded', 'violated-policies': ['downloads'] })
    // Regression: who fetches nothing of it takes no place.
    const head = await fetch(url('whole'), { method: 'HEAD', headers })
    const known = await fetch(url('whole'), { headers: { ...headers, 'if-none-match': '"one"' } })
    expect([head.status, known.status]).toEqual([200, 304])
    const other = await fetch(url('whole'), { headers: { authorization: 'Bearer b' } })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes])
    sockets.pop()?.destroy()
    while ((await fetch(url('torn'), { headers })).status !== 200);
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

/** The number once it is at least `least` and has been the same for 20 looks at it. */
async function untilItStands(count: () => number, least = 1): Promise<number> {
  const deadline = Date.now() + 60_000
  for (let [before, looks] = [-1, 0]; looks < 20; ) {
    if (Date.now() > deadline) throw new Error('it never stands still')
    await fetch(`http://127.0.0.1:${widgets.port}/healthz`)
    const now = count()
    looks = now === before && now >= least ? looks + 1 : 0
    before = now
  }
  return count()
}
