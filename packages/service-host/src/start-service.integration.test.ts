// What every service may rely on: the order of start and stop, and that a start that fails leaves nothing open.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import { type TestPorts, takeTestPorts } from '@wds/local-infra/test-ports'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { runLoop } from './loop.ts'
import { type RunningService, startService } from './start-service.ts'

let home: Awaited<ReturnType<typeof createGadgetHome>>
let ports: TestPorts
let running: RunningService | null = null
const signal = new AbortController().signal

beforeAll(async () => {
  ports = await takeTestPorts()
  home = await createGadgetHome()
})
afterEach(async () => {
  await running?.stop()
  running = null
})
afterAll(async () => {
  ports?.release()
  await home?.close()
})

describe('a start', () => {
  test.each([
    ['all', true, true],
    ['http', true, false],
    ['worker', false, true],
  ])('of the role %s: public listener %s, worker %s; ready, and gone after the stop', async (role, listens, works) => {
    let worked = false
    const service = gadgetService({
      worker: () => {
        worked = true
      },
    })
    running = await startService(service, { values: home.values({ WDS_ROLE: role }), signal })
    expect([running.port !== undefined, worked]).toEqual([listens, works])
    const management = `http://127.0.0.1:${running.managementPort}`
    expect((await fetch(`${management}/readyz`)).status).toBe(200)
    if (listens) expect((await fetch(`http://127.0.0.1:${running.port}/v1/gadgets`)).status).toBe(401)
    await running.stop()
    running = null
    await expect(fetch(`${management}/livez`)).rejects.toThrow()
    expect(await home.connectionsLeft()).toBe(0)
  })

  test('a worker runs the consumers that its service declares and no other, so that their dead letters can be replayed', async () => {
    const handleBatch = async () => undefined
    const topics = ['workspace.events']
    const declared: ConsumerDeclaration = { name: 'api.gadgets', topics, dedupe: 'natural', handleBatch }
    const worker = (consumer: ConsumerDeclaration) =>
      startService(gadgetService({ consumers: [declared], worker: (o) => o.consume(consumer) }), {
        values: home.values({ WDS_ROLE: 'worker' }),
        signal,
      })
    running = await worker(declared)
    await expect(worker({ ...declared, name: 'api.others' })).rejects.toThrow(
      'api does not declare the consumer api.others',
    )
  })

  test('regression: its line shows the settings that hold, and of a secret that it is set (style.md 23)', async () => {
    const lines = new Map<string | undefined, object | string>()
    const service = gadgetService({
      shared: (o) => {
        o.logger.info = (fields: object | string, message?: string) => void lines.set(message, fields)
      },
    })
    running = await startService(service, { values: home.values({ WDS_REQUEST_QUOTA: '7' }), signal })
    const settings = { WDS_ROLE: 'all', WDS_REQUEST_QUOTA: '7', WDS_REQUEST_QUOTA_WINDOW: '1m', DATABASE_URL: 'set' }
    expect(lines.get('started')).toMatchObject({ role: 'all', settings })
  })

  test('regression: a job that holds the event loop is named in a warning', async () => {
    // It holds for 600 ms: a busy machine makes turns late that nothing of ours held.
    const warned: { delay_ms: number; work?: object }[] = []
    const named = () => warned.filter(({ delay_ms }) => delay_ms > 550).flatMap(({ work }) => work ?? [])
    let held = false
    const hold = async () => {
      if (held) return false
      held = true
      const untilMs = performance.now() + 600
      while (performance.now() < untilMs);
      return false
    }
    const begin = new AbortController()
    const service = gadgetService({
      shared: (o) => {
        o.logger.warn = (fields: object | string) => void warned.push(fields as (typeof warned)[number])
      },
      worker: (o) => {
        const started = new Promise((settle) => begin.signal.addEventListener('abort', settle))
        const { logger, progress } = o
        const loop = { name: 'gadget-work', pauseMs: 5, logger, progress, signal: o.signal }
        o.untilStopped(started.then(() => runLoop({ ...loop, turn: hold })))
      },
    })
    running = await startService(service, { values: home.values(), signal })
    begin.abort()
    const deadline = Date.now() + 60_000
    while (named().length === 0 && Date.now() < deadline) await new Promise(setImmediate)
    expect(named()).toEqual([{ loop: 'gadget-work' }])
  })

  test('K22: not ready before everything runs, and not ready once it is to end, while it still lives', async () => {
    const seen: number[] = []
    const look = async () => seen.push((await fetch(`http://127.0.0.1:${port}/readyz`)).status)
    const port = await ports.next()
    const ending = new AbortController()
    const service = gadgetService({
      http: async (o) => {
        await look()
        return gadgetService().http(o)
      },
    })
    const values = home.values({ WDS_MANAGEMENT_PORT: String(port) })
    running = await startService(service, { values, signal: ending.signal })
    await look()
    ending.abort()
    await look()
    expect([...seen, (await fetch(`http://127.0.0.1:${port}/livez`)).status]).toEqual([503, 200, 503, 200])
  })

  test('auth.md 5.5: the HTTP side is not ready before a worker has seen the end that the log had at its start', async () => {
    const alone = await createGadgetHome({ isConfirmed: false })
    const port = await ports.next()
    const statusOf = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => null,
      )
    try {
      // Of an earlier process: it says nothing of what came since.
      const worker = await startService(gadgetService(), { values: alone.values({ WDS_ROLE: 'worker' }), signal })
      const seen = async () =>
        (await alone.admin.query<{ seen: boolean }>('select seen_at is not null as seen from api.access_log_end'))
          .rows[0]?.seen
      while (!(await seen()));
      await worker.stop()
      const values = alone.values({ WDS_ROLE: 'http', WDS_MANAGEMENT_PORT: String(port) })
      let isReady = false
      const starting = startService(gadgetService(), { values, signal }).then((started) => {
        isReady = true
        return started
      })
      while ((await statusOf()) === null);
      // Longer than a process needs that has not to wait.
      await new Promise((settle) => setTimeout(settle, 1_000))
      expect([await statusOf(), isReady]).toEqual([503, false])
      running = await startService(gadgetService(), { values: alone.values({ WDS_ROLE: 'worker' }), signal })
      const http = await starting
      expect(await statusOf()).toBe(200)
      await http.stop()
      await running.stop()
      running = null
    } finally {
      await alone.close()
    }
  })

  test('one that fails closes what it opened, last first, and says why', async () => {
    const steps: string[] = []
    const service = gadgetService<string, string>({
      shared: (o) => {
        o.onStop(() => steps.push('shared'))
        return 'both'
      },
      worker: (o) => {
        o.onStop(() => steps.push(`worker of ${o.shared}`))
        o.onStop(() => Promise.reject(new Error('a step that fails')))
        return 'told'
      },
      http: async (o) => {
        await o.pool.query('select 1')
        throw new Error(`the worker ${o.worker} of ${o.shared}`)
      },
    })
    await expect(startService(service, { values: home.values(), signal })).rejects.toThrow('the worker told of both')
    expect(steps).toEqual(['worker of both', 'shared'])
    expect(await home.connectionsLeft()).toBe(0)
  })

  test('a taken port is one sentence and leaves nothing open', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((settle) => other.once('listening', settle))
    const { port } = other.address() as AddressInfo
    const start = startService(gadgetService(), { values: home.values({ WDS_HTTP_PORT: String(port) }), signal })
    await expect(start).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}: the port is taken.`)
    other.close()
    expect(await home.connectionsLeft()).toBe(0)
  })
})
