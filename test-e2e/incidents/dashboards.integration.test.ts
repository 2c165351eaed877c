/**
 * The dashboards with data: every query of every panel, asked of a real Prometheus over the running product while good and bad things
 * happen to it, gives numbers; and a query of buckets has exemplars whose traces the collector has. No Grafana draws them: none can be
 * had where this runs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { type Collector, startCollector } from '@wds/telemetry/otlp-collector'
import { eventually, root } from '../harness/standalone.ts'
import { type IncidentRig, startIncidentRig } from './rig.ts'

const folder = join(root, 'k8s/components/monitoring/dashboards')

interface Target {
  expr: string
  exemplar: boolean
}

const targets = readdirSync(folder).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    panels: { title: string; targets: Target[] }[]
  }
  return panels.flatMap(({ title, targets }) => targets.map((target) => ({ ...target, panel: `${file}: ${title}` })))
})

/** Queries without a series while nothing of this kind ever happened in the process: only a fault of our own makes it. */
const ofFaultsAlone = ['sum(rate(wds_delivery_stuck_total[$__rate_interval]))']

const waitMs = 300_000
const suite = (await whyNoOwnBroker()) === null ? describe : describe.skip

suite('the dashboards of a running product', () => {
  let collector: Collector
  let rig: IncidentRig
  beforeAll(async () => {
    collector = await startCollector()
    rig = await startIncidentRig({ minutes: 30, env: collector.env })
  })
  afterAll(async () => {
    await rig?.stop()
    await collector?.close()
  })

  /** One of each kind that a panel shows apart: a failure of a receiver, a refusal, a lost worker, an export, a replay, a name server away. */
  async function makeThingsHappen(): Promise<void> {
    const {
      workspaces: [{ client }, { client: other }],
      partners: { contoso, fabrikam },
    } = rig
    const query = { group_by: ['day'], from: '2026-11-01', to: '2026-11-02' }
    await client('/v1/exports', { json: { type: 'stats', format: 'csv', query } })
    fabrikam.receiver.setMode('fail')
    await eventually('a delivery is dead', async () => {
      const { body } = await client(`/v1/webhooks/${fabrikam.webhookId}/deliveries?status=dead&limit=1`)
      return body.data.length > 0
    })
    fabrikam.receiver.setMode('ok')
    await client('/v1/replays', { json: { webhook_id: fabrikam.webhookId } })
    // The worker that is killed below takes its counters along: a rate needs two reads of each.
    for (const counter of ['wds_delivery_dead_total', 'wds_delivery_replayed_total{result="opened"}']) {
      const isReadTwice = async () => (await rig.prometheus.query(`rate(${counter}[1m])`)).length > 0
      await eventually(`${counter} was read twice`, isReadTwice)
    }
    contoso.receiver.setMode('hang')
    await eventually('a worker has an attempt under way', async () => {
      const [found] = await rig.prometheus.query('max(wds_delivery_attempts_under_way)')
      return Number(found?.value[1]) > 0
    })
    await rig.fleet.process('delivery-worker')?.kill()
    contoso.receiver.setMode('ok')
    await rig.nameServer.leave()
    await eventually(
      'attempts are held',
      async () => (await rig.prometheus.query('wds_delivery_held_total')).length > 0,
    )
    await rig.nameServer.come()
    await rig.database.refuse()
    await eventually('calls are refused', async () => (await client('/v1/integrations')).status >= 500)
    await rig.database.pass()
    // Beyond its quota: 600 a minute.
    await eventually('a quota is met', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => other('/v1/event-types')))
      return answers.some(({ status }) => status === 429)
    })
  }

  test('every query gives numbers', async () => {
    await makeThingsHappen()
    const open = new Set(targets.map(({ expr }) => expr).filter((expr) => !ofFaultsAlone.includes(expr)))
    expect(open.size).toBeGreaterThan(50)
    const look = async () => {
      for (const expr of open) {
        const series = await rig.prometheus.query(expr.replaceAll('$__rate_interval', '1m'))
        if (series.some(({ value: [, value] }) => Number.isFinite(Number(value)))) open.delete(expr)
      }
      return open.size === 0
    }
    await eventually('every query has given numbers', look, waitMs).catch(() => undefined)
    expect([...open]).toEqual([])
  })

  test('buckets of requests and attempts lead to traces', async () => {
    for (const name of ['http_server_request_duration_seconds', 'wds_delivery_attempt_duration_seconds']) {
      const { expr = '' } = targets.find((one) => one.exemplar && one.expr.includes(`${name}_bucket`)) ?? {}
      const now = Date.now() / 1_000
      const query = encodeURIComponent(expr.replaceAll('$__rate_interval', '1m'))
      await eventually(`${name} has exemplars`, async () => {
        const path = `/api/v1/query_exemplars?query=${query}&start=${now - 600}&end=${now + 600}`
        const { data } = (await (await fetch(`${rig.prometheus.url}${path}`)).json()) as {
          data: { exemplars: { labels: { trace_id: string } }[] }[]
        }
        const traces = new Set(data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id)))
        return collector.spans().some(({ traceId }) => traces.has(traceId))
      })
    }
  })
})
