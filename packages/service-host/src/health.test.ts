// Who says which loops are stuck: whoever looks, a probe or a scrape.
import { afterAll, expect, test } from '@jest/globals'
import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'

// As the preload does: the provider stands before metrics are declared.
const reader = new PeriodicExportingMetricReader({
  exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
})
const provider = new MeterProvider({ readers: [reader] })
metrics.setGlobalMeterProvider(provider)
const { createHealth } = await import('./health.ts')
const { createLogger } = await import('@wds/telemetry/logger')
const { createProgress } = await import('@wds/telemetry/progress')
afterAll(() => provider.shutdown())

test('regression: where nobody asks /livez, as in compose, the log says which loops are stuck, once', async () => {
  let aheadMs = 0
  const log: { msg: string; loops: string[] }[] = []
  const logger = createLogger({ service: 'test', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const progress = createProgress({ nowMs: () => aheadMs })
  const health = createHealth({ role: 'all', signal: new AbortController().signal, logger, progress })
  const held = Promise.withResolvers<void>()
  const turn = progress.loop('planted').turn(() => held.promise)
  await reader.collect()
  expect(log).toEqual([])
  aheadMs = 61_000
  await reader.collect()
  await reader.collect()
  expect(log).toMatchObject([{ loops: ['planted'], msg: 'loops have not moved for 60 s' }])
  expect(health.alive()).toBe(false)
  expect(log).toHaveLength(1)
  held.resolve()
  await turn
  expect(health.alive()).toBe(true)
  health.close()
})
