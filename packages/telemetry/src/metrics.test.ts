// Metrics that somebody reads: what was declared, under the names that Prometheus and the conventions have.

import { describe, expect, test } from '@jest/globals'
import { metrics } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createExemplars, installExemplars } from './exemplars.ts'
import { ScrapeReader } from './otel/scrape-reader.ts'
import { installScraper, scrape } from './scrape.ts'

// As the preload does: the provider stands before metrics are declared.
const exemplars = createExemplars({ nowMs: () => 1_700_000_000_250 })
installExemplars(exemplars)
const reader = new ScrapeReader({ exemplars, readingMs: 500 })
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
const { counter, gauge, histogram, isMetering, observe, timed } = await import('./metrics.ts')
const { observeProcess } = await import('./observe-process.ts')
installScraper((form) => reader.scrape(form))
const lines = async () => ((await scrape()) ?? '').split('\n')
const openMetrics = async () => ((await scrape('openmetrics')) ?? '').split('\n')

const attempts = counter({
  name: 'wds_test_attempts_total',
  unit: '{attempt}',
  labels: { outcome: 'How it ended.' },
  meaning: 'Attempts.',
})
const duration = histogram({
  name: 'http.server.request.duration',
  unit: 's',
  buckets: [0.1, 1],
  labels: { 'http.route': 'Template.', 'error.type': 'Fault.' },
  meaning: 'Time of a request.',
})
const traced = histogram({
  name: 'wds_test_traced_seconds',
  unit: 's',
  buckets: [0.1, 1],
  labels: { 'http.route': 'Template.', 'error.type': 'Fault.' },
  meaning: 'Time of what has a trace.',
})
const age = gauge({ name: 'wds_test_age_seconds', unit: 's', labels: { reason: 'Why.' }, meaning: 'Age.' })
const memory = gauge({ name: 'process.memory.test', unit: 'By', labels: {}, meaning: 'Memory.' })
const unexpected = (error: unknown) => {
  throw error
}

describe('with a reader', () => {
  test('it is known', () => expect(isMetering()).toBe(true))

  test('counters, histograms and gauges are served under their Prometheus names', async () => {
    attempts.add(2, { outcome: 'delivered' })
    attempts.add(1, { outcome: 'delivered' })
    attempts.add(1, { outcome: 'a"b\n' })
    attempts.add(5, { outcome: undefined })
    duration.record(0.05, { 'http.route': '/v1/x/{id}' })
    duration.record(5, { 'http.route': '/v1/x/{id}' })
    const end = observe([age, memory], {
      onError: unexpected,
      async read(report) {
        report(age, 3.5, { reason: 'ready' })
        report(memory, 4_096)
      },
    })
    const text = await lines()
    for (const line of [
      '# HELP wds_test_attempts_total Attempts.',
      '# TYPE wds_test_attempts_total counter',
      'wds_test_attempts_total{outcome="delivered"} 3',
      'wds_test_attempts_total{outcome="a\\"b\\n"} 1',
      'wds_test_attempts_total 5',
      '# TYPE http_server_request_duration_seconds histogram',
      'http_server_request_duration_seconds_count{http_route="/v1/x/{id}"} 2',
      'http_server_request_duration_seconds_bucket{http_route="/v1/x/{id}",le="0.1"} 1',
      'http_server_request_duration_seconds_bucket{http_route="/v1/x/{id}",le="+Inf"} 2',
      '# TYPE wds_test_age_seconds gauge',
      'wds_test_age_seconds{reason="ready"} 3.5',
      'process_memory_test_bytes 4096',
    ])
      expect(text).toContain(line)
    end()
    expect((await lines()).some((line) => line.startsWith('wds_test_age_seconds{'))).toBe(false)
  })

  test('regression: two who scrape at once get every gauge, where the second got only the slow ones', async () => {
    const answers: (() => void)[] = []
    const ends = [
      observe([memory], { onError: unexpected, read: (report) => report(memory, 1) }),
      observe([age], {
        onError: unexpected,
        async read(report) {
          await new Promise<void>((settle) => answers.push(settle))
          report(age, 2)
        },
      }),
    ]
    const both = [lines(), lines()]
    while (answers.length === 0) await new Promise(setImmediate)
    for (const answer of answers) {
      answer()
      await new Promise(setImmediate)
    }
    for (const text of await Promise.all(both)) {
      expect(text).toContain('process_memory_test_bytes 1')
      expect(text).toContain('wds_test_age_seconds 2')
    }
    for (const end of ends) end()
  })

  test('a counter that may count seldom is there at 0 before it counts, and goes on from there', async () => {
    attempts.begin({ outcome: 'seldom' })
    expect(await lines()).toContain('wds_test_attempts_total{outcome="seldom"} 0')
    attempts.add(1, { outcome: 'seldom' })
    attempts.begin({ outcome: 'seldom' })
    expect(await lines()).toContain('wds_test_attempts_total{outcome="seldom"} 1')
  })

  test('each look asks anew, and a gauge that cannot be read costs no other and is told once', async () => {
    const faults: unknown[] = []
    let isAway = true
    let value = 0
    const ends = [
      observe([age], {
        onError: (error) => faults.push(error),
        read() {
          if (isAway) throw new Error('no database')
        },
      }),
      observe([memory], {
        onError: unexpected,
        read(report) {
          value += 1
          report(memory, value)
        },
      }),
    ]
    await lines()
    const text = await lines()
    expect(text).toContain('process_memory_test_bytes 2')
    expect(faults).toHaveLength(1)
    for (const away of [false, true]) {
      isAway = away
      await lines()
    }
    expect(faults).toHaveLength(2)
    for (const end of ends) end()
  })

  test('regression: a gauge whose reading hangs, as that of a broker that is away, costs no other', async () => {
    const ends = [
      observe([age], { read: () => new Promise(() => undefined), onError: unexpected }),
      observe([memory], { onError: unexpected, read: (report) => report(memory, 7) }),
    ]
    const text = await lines()
    expect(text).toContain('process_memory_test_bytes 7')
    expect(text.some((line) => line.startsWith('wds_test_age_seconds{'))).toBe(false)
    for (const end of ends) end()
  })

  test('a failure is timed too and says what it was', async () => {
    const fault = Object.assign(new Error('no'), { code: '40001' })
    await expect(timed(duration, {}, () => Promise.reject(fault))).rejects.toBe(fault)
    expect(await lines()).toContain('http_server_request_duration_seconds_count{error_type="40001"} 1')
  })

  test('OpenMetrics has counters under the name of their family, bounds as floats, and an end', async () => {
    attempts.add(1, { outcome: 'written "so"' })
    duration.record(0.5, { 'http.route': '/v1/forms' })
    const text = await openMetrics()
    for (const line of [
      '# TYPE target info',
      '# TYPE wds_test_attempts counter',
      '# HELP wds_test_attempts Attempts.',
      'wds_test_attempts_total{outcome="written \\"so\\""} 1',
      '# TYPE http_server_request_duration_seconds histogram',
      'http_server_request_duration_seconds_bucket{http_route="/v1/forms",le="0.1"} 0',
      'http_server_request_duration_seconds_bucket{http_route="/v1/forms",le="1.0"} 1',
      'http_server_request_duration_seconds_bucket{http_route="/v1/forms",le="+Inf"} 1',
      'http_server_request_duration_seconds_count{http_route="/v1/forms"} 1',
      'http_server_request_duration_seconds_sum{http_route="/v1/forms"} 0.5',
    ])
      expect(text).toContain(line)
    expect(text.slice(-2)).toEqual(['# EOF', ''])
  })

  test('a bucket leads to the last recorded trace that fell into it, and to none that nobody records', async () => {
    const labels = { 'http.route': '/v1/traced', 'error.type': undefined }
    const record = (value: number, trace: string, flags: '00' | '01') =>
      traced.record(value, labels, `00-${trace.repeat(32)}-${trace.repeat(16)}-${flags}`)
    record(0.25, 'a', '01')
    record(0.5, 'b', '01')
    record(0.75, 'c', '00')
    record(8, 'd', '01')
    traced.record(0.01, labels, 'no header')
    const bucket = 'wds_test_traced_seconds_bucket{http_route="/v1/traced"'
    const told = (await openMetrics()).filter((line) => line.startsWith(bucket))
    expect(told).toEqual([
      `${bucket},le="0.1"} 1`,
      `${bucket},le="1.0"} 4 # {trace_id="${'b'.repeat(32)}",span_id="${'b'.repeat(16)}"} 0.5 1700000000.250`,
      `${bucket},le="+Inf"} 5 # {trace_id="${'d'.repeat(32)}",span_id="${'d'.repeat(16)}"} 8 1700000000.250`,
    ])
    // The older form has no place for them: its readers would refuse the page.
    expect((await lines()).filter((line) => line.includes('trace_id'))).toEqual([])
  })

  test('the process tells its memory and its CPU', async () => {
    const end = observeProcess(unexpected)
    const text = await lines()
    const read = (name: string) =>
      Number(
        text
          .find((line) => line.startsWith(name))
          ?.split(' ')
          .at(-1),
      )
    expect(read('process_memory_usage_bytes')).toBeGreaterThan(10_000_000)
    expect(read('wds_process_cpu_seconds{mode="user"}')).toBeGreaterThan(0)
    expect(read('nodejs_eventloop_utilization')).toBeLessThanOrEqual(1)
    end()
  })
})
