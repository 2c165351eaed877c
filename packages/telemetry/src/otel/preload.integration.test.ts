// The preload in processes of its own: what it loads, what it sends, and how it ends.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Collector, startCollector } from '../otlp-collector.ts'

// Each test starts a process that loads the SDK.

const preload = new URL('./preload.ts', import.meta.url).href
const program = fileURLToPath(new URL('../preload-program.fixture.ts', import.meta.url))

interface Ran {
  code: number
  stdout: string
  stderr: string
  /** What Node loaded, by address. */
  loaded: string[]
}

function run(env: Record<string, string>): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'wds preload '))
  const options = { env: { PATH: process.env.PATH, NODE_V8_COVERAGE: folder, ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', preload, program], options, (error, stdout, stderr) => {
      const loaded = readdirSync(folder).flatMap((name) => {
        const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
        return result.map(({ url }) => url)
      })
      rmSync(folder, { recursive: true, force: true })
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr, loaded })
    })
  })
}

const packagesOf = (ran: Ran) =>
  new Set(ran.loaded.flatMap((url) => /node_modules\/(@opentelemetry\/[^/]+)/.exec(url)?.[1] ?? []))

describe('preload', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await startCollector()
  })
  afterAll(() => collector.close())

  test('without variables nothing of OpenTelemetry is loaded but its API, which does nothing', async () => {
    const ran = await run({})
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(packagesOf(ran)).toEqual(new Set(['@opentelemetry/api']))
    expect(JSON.parse(ran.stdout)).toMatchObject({ isRecorded: false, metrics: null, sent: true })
  })

  test('metrics alone load no instrumentation of a library and are served as text', async () => {
    const ran = await run({ OTEL_METRICS_EXPORTER: 'prometheus' })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect([...packagesOf(ran)].filter((name) => /instrumentations?-/.test(name))).toEqual([])
    const { metrics, isRecorded } = JSON.parse(ran.stdout) as { metrics: string; isRecorded: boolean }
    expect(metrics).toContain('wds_test_total 1')
    expect(metrics).toContain('service_name="telemetry"')
    expect(isRecorded).toBe(false)
  })

  test('spans that wait are sent before the process ends', async () => {
    const ran = await run({ ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '600000' })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const { traceparent, sent } = JSON.parse(ran.stdout) as { traceparent: string; sent: boolean }
    expect(sent).toBe(true)
    const span = collector.spans().find(({ traceId }) => traceparent.includes(traceId))
    expect(span).toMatchObject({ service: 'telemetry', name: 'work', kind: 1, parentSpanId: '' })
    expect(span?.attributes).toMatchObject({ where: 'here' })
  })

  test('a collector that takes nothing does not keep the process', async () => {
    const deaf = createServer(() => undefined)
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
    const { port } = deaf.address() as { port: number }
    const ran = await run({
      ...collector.env,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    })
    deaf.close()
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ isRecorded: true, sent: false })
  })

  test('a value that is not understood ends the process with one sentence', async () => {
    const ran = await run({ OTEL_TRACES_EXPORTER: 'zipkin' })
    expect(ran).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'telemetry: OTEL_TRACES_EXPORTER must be none, otlp or console, not zipkin\n',
    })
  })
})
