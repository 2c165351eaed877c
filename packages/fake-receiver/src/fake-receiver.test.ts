// What tests and demos may rely on: every mode, the list of what arrived, the end of the program.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { signWebhook } from '@wds/webhook-signature/sign'
import fc from 'fast-check'
import { type FakeReceiver, startFakeReceiver } from './fake-receiver.ts'
import { createInbox } from './inbox.ts'

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
const body = '{"id":"evt_1"}'
const program = fileURLToPath(new URL('./main.ts', import.meta.url))
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function start(o: Parameters<typeof startFakeReceiver>[0] = {}): Promise<FakeReceiver> {
  const receiver = await startFakeReceiver(o)
  open.push(() => receiver.close())
  return receiver
}
const post = (url: string, text = body, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: text, headers, signal: AbortSignal.timeout(60_000) })
const signed = (own = secret) => ({
  ...signWebhook({ secrets: [own], id: 'evt_1', timestamp: Math.floor(Date.now() / 1_000), body: Buffer.from(body) }),
})
async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('fake receiver', () => {
  test('keeps what arrives and lists it newest first, with headers and body', async () => {
    const receiver = await start()
    for (const text of ['a', 'b', 'c'])
      expect((await post(`${receiver.url}/hooks/x?y=1`, text, { 'webhook-id': text })).status).toBe(200)
    const list = (await (await fetch(`${receiver.url}/received?limit=2`)).json()) as { body: string }[]
    expect(list).toMatchObject([
      { body: 'c', headers: { 'webhook-id': 'c' }, path: '/hooks/x?y=1', verified: null },
      { body: 'b' },
    ])
    expect(receiver.received.map((request) => request.body)).toEqual(['a', 'b', 'c'])
    expect(await (await fetch(`${receiver.url}/received?limit=0`)).json()).toEqual([])
    expect((await fetch(`${receiver.url}/received?limit=x`)).status).toBe(400)
  })

  test('a path that names a status is answered with it, whatever the mode and the secret are, and is not kept', async () => {
    const receiver = await start({ secret, mode: 'down' })
    for (const status of [200, 204, 410, 500])
      expect((await post(`${receiver.url}/status/${status}/crm`)).status).toBe(status)
    expect(receiver.received).toEqual([])
    receiver.setMode('fail')
    expect((await post(`${receiver.url}/status/900`)).status).toBe(500)
    expect(receiver.received.map(({ path }) => path)).toEqual(['/status/900'])
  })

  test('verifies when it has a secret: a good signature 200, any other 401', async () => {
    const receiver = await start({ secret })
    expect((await post(`${receiver.url}/h`, body, signed())).status).toBe(200)
    expect((await post(`${receiver.url}/h`, `${body} `, signed())).status).toBe(401)
    expect((await post(`${receiver.url}/h`)).status).toBe(401)
    expect(receiver.received.map((request) => request.verified)).toEqual([true, false, false])
  })

  test('control switches modes and verification, all of it or nothing', async () => {
    const receiver = await start()
    const control = async (value: unknown) => {
      const response = await post(`${receiver.url}/control`, JSON.stringify(value))
      return [response.status, await response.json()]
    }
    expect(await control({ mode: 'fail', secret })).toEqual([200, { mode: 'fail', verifies: true, received: 0 }])
    expect((await post(`${receiver.url}/h`, body, signed())).status).toBe(500)
    expect(receiver.received[0]?.verified).toBe(true)
    for (const bad of [{ mode: 'x' }, { mode: 'ok', secret: 'whsec_' }, [], 'ok', null, 3])
      expect((await control(bad))[0]).toBe(422)
    expect(await control({ secret: null })).toEqual([200, { mode: 'fail', verifies: false, received: 1 }])
  })

  test('hang gives no answer until the mode changes, and then cuts the connection', async () => {
    const receiver = await start({ mode: 'hang' })
    const outcome = post(`${receiver.url}/h`).then(
      (response) => response.status,
      () => 'cut',
    )
    await until(() => receiver.received.length === 1)
    await post(`${receiver.url}/control`, '{"mode":"ok"}')
    expect(await outcome).toBe('cut')
    expect((await post(`${receiver.url}/h`)).status).toBe(200)
  })

  test('down resets hooks while control still answers', async () => {
    const receiver = await start({ mode: 'down' })
    await expect(post(`${receiver.url}/h`)).rejects.toThrow()
    expect(receiver.received).toHaveLength(0)
    expect((await post(`${receiver.url}/control`, '{"mode":"ok"}')).status).toBe(200)
    expect((await post(`${receiver.url}/h`)).status).toBe(200)
  })

  test('says what it is', async () => {
    const receiver = await start()
    expect(await (await fetch(receiver.url)).text()).toContain('A receiver of webhooks')
  })

  test('closes at once, with a request that hangs', async () => {
    const receiver = await startFakeReceiver({ mode: 'hang' })
    const outcome = post(`${receiver.url}/h`).catch(() => 'cut')
    await until(() => receiver.received.length === 1)
    await receiver.close()
    expect(await outcome).toBe('cut')
  })

  test('a body that is too long is refused, and the receiver goes on', async () => {
    const receiver = await start()
    expect((await post(`${receiver.url}/h`, 'x'.repeat(1_048_577))).status).toBe(413)
    expect((await post(`${receiver.url}/h`)).status).toBe(200)
  })

  test('never keeps more than its limit, and keeps the newest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(60), (limit, count) => {
        const inbox = createInbox(limit)
        for (let n = 0; n < count; n += 1)
          inbox.add({ method: 'POST', path: '/', headers: {}, body: Buffer.from('x'), secret: null })
        expect(inbox.requests.map((request) => request.number)).toEqual(
          Array.from({ length: count }, (_, n) => n + 1).slice(-limit),
        )
      }),
    )
  })
})

describe('fake receiver as a program', () => {
  async function firstLine(child: ChildProcess): Promise<{ url: string }> {
    open.push(async () => child.kill('SIGKILL'))
    const [chunk] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
    return JSON.parse(chunk.toString())
  }

  test('prints its address as one JSON line and ends on SIGTERM', async () => {
    const child = spawn(process.execPath, [program, '--mode', 'hang'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const { url } = await firstLine(child)
    expect((await fetch(url)).status).toBe(200)
    const hanging = post(`${url}/h`).catch(() => 'cut')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(await hanging).toBe('cut')
  })

  test('ends when the channel to its parent closes, and waits for no request', async () => {
    const child = fork(program, ['--mode', 'hang'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] })
    const { url } = await firstLine(child)
    const hanging = post(`${url}/h`).catch(() => 'cut')
    while (((await (await fetch(`${url}/received`)).json()) as unknown[]).length === 0);
    const exit = once(child, 'exit')
    child.disconnect()
    expect(await exit).toEqual([0, null])
    expect(await hanging).toBe('cut')
  })

  test('ends when the channel closes while it starts (regression)', async () => {
    const child = fork(program, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
    open.push(async () => child.kill('SIGKILL'))
    const exit = once(child, 'exit')
    child.disconnect()
    expect(await exit).toEqual([0, null])
  })

  test('a wrong option ends it with one line that does not show a secret', async () => {
    const child = spawn(process.execPath, [program, '--secret', 'whsec_short'], { stdio: ['ignore', 'ignore', 'pipe'] })
    const exit = once(child, 'exit')
    const [chunk] = (await once(child.stderr, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^fake receiver: [^\n]*\n$/)
    expect(chunk.toString()).not.toContain('whsec_short')
    expect(await exit).toEqual([1, null])
  })
})
