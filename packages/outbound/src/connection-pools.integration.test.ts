// Which pools of connections make room where there may be no more, by what receivers on loopback see of it.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { createConnectionPools, type PoolEntry } from './connection-pools.ts'
import { client, closeAll, http, onClose, requestTo } from './loopback-rig.ts'

afterEach(closeAll)

/** A receiver that answers at once, and how many connections it has had. */
async function answering(): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<Socket>()
  const port = await http((request, response) => {
    sockets.add(request.socket)
    response.end()
  })
  return { url: `http://127.0.0.1:${port}/`, connections: () => sockets.size }
}

test('a pool in use is never ended: while all are, a further attempt is given back, and goes out once one is idle', async () => {
  let hold: (response: ServerResponse) => void = () => undefined
  const held = new Promise<ServerResponse>((resolve) => {
    hold = resolve
  })
  const slow = await http((_request, response) => hold(response))
  const other = await answering()
  const guarded = client({ maxPools: 1 })
  const first = guarded.send(requestTo(`http://127.0.0.1:${slow}/`))
  const response = await held
  expect(await guarded.send(requestTo(other.url))).toMatchObject({ outcome: 'released' })
  response.end()
  expect(await first).toMatchObject({ status: 200, isRepeated: false })
  expect(await guarded.send(requestTo(other.url))).toMatchObject({ status: 200 })
})

test('of idle pools the least recently used one makes room', async () => {
  const [often, seldom, third] = await Promise.all([answering(), answering(), answering()])
  const guarded = client({ maxPools: 2 })
  for (const { url } of [often, seldom, often, third, often, seldom])
    expect(await guarded.send(requestTo(url))).toMatchObject({ status: 200 })
  expect([often, seldom, third].map(({ connections }) => connections())).toEqual([1, 2, 1])
})

test('regression: requests of a workspace that hang keep no other one to the same origin waiting, however many they are, where it had ended at its deadline without having been sent', async () => {
  const held: ServerResponse[] = []
  let hangs = true
  const port = await http(({ url }, response) => {
    if (hangs && url === '/hangs') held.push(response)
    else response.end()
  })
  const guarded = client()
  const hanging = Array.from({ length: 200 }, () => guarded.send(requestTo(`http://127.0.0.1:${port}/hangs`)))
  while (held.length < 64) await new Promise(setImmediate)
  const { status, errorCode } = await guarded.send(requestTo(`http://127.0.0.1:${port}/`, { deadlineMs: 10_000 }))
  hangs = false
  for (const response of held) response.end()
  expect(await Promise.all(hanging)).toEqual(hanging.map(() => expect.objectContaining({ status: 200 })))
  expect([status, errorCode]).toEqual([200, null])
})

test('where descriptors run out half of the idle pools end, those used least recently, however many ask at once, and so on until none is left', async () => {
  const pools = createConnectionPools({ poolsMax: 10, idleMs: 60_000, connectTimeoutMs: 10_000 })
  onClose(() => pools.close())
  const use = async (port: number) => {
    const target = { workspaceId: 'wsp_1', origin: `http://127.0.0.1:${port}`, address: '127.0.0.1' }
    const entry = pools.take({ ...target, isAllowed: () => true })
    if (entry === null) throw new Error('no pool')
    const { body } = await entry.pool.request({ method: 'GET', path: '/' })
    await body.dump()
    return entry
  }
  const ports = await Promise.all(Array.from({ length: 5 }, () => http((_request, response) => response.end())))
  const entries: PoolEntry[] = []
  for (const port of ports) entries.push(await use(port))
  const [inUse, ...idle] = entries
  for (const entry of idle) pools.release(entry)
  const kept = () => entries.map(({ pool }) => pool.stats.connected)
  expect(await Promise.all([pools.endIdle(), pools.endIdle()])).toEqual([true, true])
  expect(kept()).toEqual([1, 0, 0, 1, 1])
  expect(await pools.endIdle()).toBe(true)
  expect(kept()).toEqual([1, 0, 0, 0, 1])
  expect([await pools.endIdle(), await pools.endIdle()]).toEqual([true, false])
  expect([kept(), inUse?.pool.destroyed]).toEqual([[1, 0, 0, 0, 0], false])
})
