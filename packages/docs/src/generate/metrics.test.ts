// What a declaration of a metric must hold, whichever service it belongs to (stack.md 8.8).
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Metric } from '@wds/telemetry/metrics'
import { metricsPage, readMetrics, type ServiceMetrics } from './metrics.ts'
import { servicesOf } from './public-openapi.ts'

const root = new URL('../../../../', import.meta.url)
let services: ServiceMetrics[]
let all: Metric[]
beforeAll(async () => {
  services = await readMetrics(root)
  all = services.flatMap(({ metrics }) => metrics)
})

describe('metrics', () => {
  test('every service declares its metrics, each name once', () => {
    expect(services.map(({ service }) => service)).toEqual(servicesOf(root))
    for (const { metrics } of services) {
      const names = metrics.map(({ name }) => name)
      expect(names).toEqual([...new Set(names)])
    }
  })

  test('regression: every service declares the clock, which the host of each records', () => {
    const without = services.filter(({ metrics }) => !metrics.some(({ name }) => name === 'wds_clock_off_seconds'))
    expect(without.map(({ service }) => service)).toEqual([])
  })

  test('no label can hold a workspace, a subscription or an address', () => {
    const labels = new Set(all.flatMap((metric) => Object.keys(metric.labels)))
    expect([...labels].filter((name) => /workspace|subscription|url|address|client_id|user|email/.test(name))).toEqual(
      [],
    )
  })

  test('names of ours carry unit and kind, as Prometheus wants them', () => {
    for (const { name, kind, unit } of all.filter((metric) => metric.name.startsWith('wds_'))) {
      expect(name).toMatch(/^wds_[a-z0-9_]+$/)
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter'])
      expect([name, name.endsWith('_seconds')]).toEqual([name, unit === 's'])
    }
  })

  test('bounds of histograms rise', () => {
    for (const { buckets = [] } of all) expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b))
  })

  test('the page has one line for each, and two meanings of one name are refused', () => {
    const page = metricsPage(services)
    for (const { name } of all) expect(page.split(`| \`${name}\` |`)).toHaveLength(2)
    const [first] = all as [Metric]
    const other = { service: 'x', metrics: [{ ...first, meaning: 'Something else.' }] }
    expect(() => metricsPage([...services, other])).toThrow(`${first.name} is declared twice`)
  })
})
