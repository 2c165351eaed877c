/** One event is one trace, from the request to the first attempt, across processes; retries are linked. Metrics beside it. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import type { CollectedSpan } from '@wds/telemetry/otlp-collector'
import { parseTraceparent } from '@wds/telemetry/trace-context'
import type { ServiceProcess } from '../harness/service-processes.ts'
import { eventually } from '../harness/standalone.ts'
import { drawTrace } from './draw-trace.ts'
import { startTracedStack, type TracedStack } from './traced-stack.ts'
import { askForWebhook, charted, readExemplars } from './where-is-my-webhook.ts'

const [server, client3, producer, consumer, internal] = [2, 3, 4, 5, 1]

const tests = (_name: string, kafka: boolean) => {
  let rig: TracedStack
  let { collector, receiver, delivery, processes, spansOf, subscriptionId } = {} as TracedStack

  beforeAll(async () => {
    rig = await startTracedStack({ kafka })
    ;({ collector, receiver, delivery, processes, spansOf, subscriptionId } = rig)
  })
  afterAll(() => rig?.stop())

  /** Changes the integration; resolves with the requests that its event led to, once the last one was answered with 200. */
  async function change(name: string, headers: Record<string, string> = {}) {
    const before = receiver.received.length
    const answer = await rig.rename(name, headers)
    expect(answer.status).toBe(200)
    return { since: () => receiver.received.slice(before) }
  }

  const contextOf = (request: { headers: Record<string, unknown> }) => {
    const parsed = parseTraceparent(request.headers.traceparent as string)
    if (parsed === null) throw new Error('a request without a valid traceparent')
    return parsed
  }

  const find = (spans: CollectedSpan[], name: string) => spans.filter((span) => span.name === name)

  test('the request is the root; create is its child; send, process, fan out and the first attempt are children of create', async () => {
    const { since } = await change('first', { tracestate: 'vendor=1', baggage: 'who=me' })
    const request = await eventually('the webhook arrives', async () => since()[0])
    const sent = contextOf(request)
    const expected = [
      ['send workspace.events', 'api', client3],
      ['process workspace.events', 'delivery', consumer],
      // It triggers rules.
      ['process workspace.events', 'api', consumer],
      ['fan out', 'delivery', internal],
      ['POST', 'delivery', client3],
    ]
    const spans = await eventually('the trace is whole', async () => {
      const found = spansOf(sent.traceId)
      const isThere = ([name, service]: unknown[]) =>
        found.some((span) => span.name === name && span.service === service)
      return expected.every(isThere) && found.some((span) => span.kind === server) && found
    })
    if (process.env.WDS_DRAW_TRACE) process.stdout.write(`${drawTrace(spans)}\n`)

    const [root] = spans.filter((span) => span.kind === server)
    const [create] = find(spans, 'create workspace.events')
    expect(root).toMatchObject({ service: 'api', name: 'PATCH /v1/integrations/:id', parentSpanId: '' })
    expect(create).toMatchObject({ service: 'api', kind: producer, parentSpanId: root?.spanId })
    const children = spans.filter((span) => span.parentSpanId === create?.spanId)
    // What is tried again, as on a machine that is slow, has a span for each try.
    const told = new Map(children.map(({ service, kind, name }) => [`${service} ${name}`, [name, service, kind]]))
    expect([...told.values()].sort()).toEqual(expected.sort())
    expect(children.flatMap((span) => span.links)).toEqual([])
    // Statements of the request are in its trace; queries of loops that belong to no event are in none.
    expect(spans.some((span) => span.name.startsWith('pg') && span.service === 'api')).toBe(true)
    expect(collector.spans().every((span) => !/GET \/(livez|readyz|metrics)/.test(span.name))).toBe(true)
  })

  test('the subscriber gets the traceparent of the attempt and nothing else; the attempt says where it went and no more', async () => {
    const { since } = await change('second', { tracestate: 'vendor=1', baggage: 'who=me' })
    const request = await eventually('the webhook arrives', async () => since()[0])
    expect(Object.keys(request.headers)).toContain('traceparent')
    expect(Object.keys(request.headers).filter((name) => /tracestate|baggage|b3|uber/.test(name))).toEqual([])
    const { traceId, spanId, flags } = contextOf(request)
    expect(flags).toBe(1)
    const [attempt] = await eventually('the attempt is told', async () => {
      const found = find(spansOf(traceId), 'POST')
      return found.length > 0 && found
    })
    const { port } = new URL(receiver.url)
    expect(attempt).toMatchObject({ spanId, isError: false })
    expect(attempt?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.request.resend_count': 0,
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.full': `${receiver.url}/hook/path`,
    })
    expect(attempt?.attributes).not.toHaveProperty('error.type')
    expect(JSON.stringify(collector.spans())).not.toContain('hidden')
  })

  test('a retry is a trace of its own with a link back, and the history has the trace ids of both', async () => {
    receiver.setMode('fail')
    const { since } = await change('third')
    await eventually('the first attempt fails', async () => since().length > 0)
    receiver.setMode('ok')
    const [first, second] = await eventually('the retry arrives', async () => {
      const requests = since()
      return requests.length > 1 && [requests[0], requests.at(-1)]
    })
    if (!first || !second) throw new Error('two requests')
    const [failed, retried] = [contextOf(first), contextOf(second)]
    expect(retried.traceId).not.toBe(failed.traceId)
    const retry = await eventually('the retry is told', async () =>
      spansOf(retried.traceId).find((span) => span.spanId === retried.spanId),
    )
    const [create] = find(spansOf(failed.traceId), 'create workspace.events')
    expect(retry).toMatchObject({ name: 'POST', kind: client3, parentSpanId: '' })
    expect(retry.links).toEqual([{ traceId: create?.traceId, spanId: create?.spanId }])
    expect(retry.attributes['http.request.resend_count']).toBeGreaterThan(0)
    const attempt = find(spansOf(failed.traceId), 'POST')[0]
    expect(attempt).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'http_status', 'http.response.status_code': 500 },
    })

    const id = JSON.parse(second.body).id as string
    const traces = await eventually('the history has both', async () => {
      const { body } = await delivery(`/v1/webhooks/${subscriptionId}/deliveries`)
      const found = (body.data as { id: string; event_id: string }[]).find((entry) => entry.event_id === id)
      const { body: one } = await delivery(`/v1/deliveries/${found?.id}`)
      return one.status === 'delivered' && (one.attempts as { trace_id: string }[]).map((entry) => entry.trace_id)
    })
    expect([traces.at(0), traces.at(-1)].sort()).toEqual([failed.traceId, retried.traceId].sort())
  })

  test('a request that the caller does not record is not recorded, and its event keeps the trace id', async () => {
    const traceId = 'abad1deaabad1deaabad1deaabad1dea'
    const { since } = await change('fourth', { traceparent: `00-${traceId}-00f067aa0ba902b7-00` })
    const request = await eventually('the webhook arrives', async () => since()[0])
    expect(contextOf(request)).toMatchObject({ traceId, flags: 0 })
    expect(contextOf(request).spanId).not.toBe('00f067aa0ba902b7')
    const { since: next } = await change('fifth', {
      traceparent: `00-${traceId.replace('a', 'b')}-00f067aa0ba902b7-01`,
    })
    const recorded = await eventually('the next one arrives', async () => next()[0])
    await eventually('the next one is told', async () => spansOf(contextOf(recorded).traceId).length > 5)
    expect(spansOf(traceId)).toEqual([])
  })

  test('the management listener serves the metrics of the same work', async () => {
    const scrape = async (from: ServiceProcess) => await (await fetch(`${from.managementUrl}/metrics`)).text()
    const text = await eventually('attempts are counted', async () => {
      const found = await scrape(processes.delivery)
      return /wds_delivery_attempts_total\{outcome="attempt_succeeded"\} [5-9]/.test(found) && found
    })
    const value = (name: string, from = text) =>
      Number(
        from
          .split('\n')
          .find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
          ?.split(' ')
          .at(-1),
      )
    expect(value('wds_delivery_attempts_total{outcome="attempt_failed",error_code="http_status"}')).toBeGreaterThan(0)
    expect(value('wds_delivery_first_attempt_wait_seconds_count')).toBeGreaterThanOrEqual(5)
    for (const reason of ['ready', 'capped', 'throttled', 'breaker', 'held', 'parked']) {
      expect(value(`wds_delivery_oldest_due_age_seconds{reason="${reason}"}`)).toBeGreaterThanOrEqual(0)
    }
    expect(value('wds_log_lag_records{consumer="delivery.ingest",topic="workspace.events"}')).toBe(0)
    // An alert sees the first one only if the counter stood at 0 before.
    expect(value('wds_log_dead_letters_total{consumer="delivery.ingest",topic="workspace.events"}')).toBe(0)
    expect(value('wds_log_dead_letters_kept{consumer="delivery.ingest"}')).toBe(0)
    expect(value('wds_outbox_age_seconds')).toBe(0)
    expect(value('wds_outbox_relay_leads')).toBe(1)
    expect(value('db_client_connection_max{db_client_connection_pool_name="delivery-worker"}')).toBeGreaterThan(0)
    expect(value('db_client_connection_wait_time_seconds_count')).toBeGreaterThan(0)
    const ofApi = await scrape(processes.api)
    const route = 'http_route="/v1/integrations/{id}"'
    expect(ofApi).toContain(
      `http_server_request_duration_seconds_count{http_request_method="PATCH",${route},http_response_status_code="200"} 5`,
    )
    expect(
      value('messaging_client_sent_messages_total{messaging_destination_name="workspace.events"}', ofApi),
    ).toBeGreaterThan(4)
    expect(text + ofApi).not.toMatch(/wsp_|whk_|int_[0-9A-Z]{26}/)
  })

  test('the collector gets the same metrics by OTLP, of every service, with units and labels', async () => {
    const pointOf = (service: string, name: string, labels: object = {}) =>
      collector
        .metrics()
        .find((metric) => metric.service === service && metric.name === name)
        ?.points.find((point) => Object.entries(labels).every(([key, value]) => point.labels[key] === value))?.value
    const succeeded = { outcome: 'attempt_succeeded' }
    const route = { 'http.request.method': 'PATCH', 'http.route': '/v1/integrations/{id}' }
    await eventually('all of the work is told', async () => {
      const attempts = pointOf('delivery', 'wds_delivery_attempts_total', succeeded) ?? 0
      return attempts >= 5 && pointOf('api', 'http.server.request.duration', route) === 5
    })
    const lag = () => pointOf('delivery', 'wds_log_lag_records', { consumer: 'delivery.ingest' })
    await eventually('the consumer has read everything', async () => lag() === 0)
    for (const service of ['auth', 'api', 'delivery']) {
      expect(pointOf(service, 'wds_outbox_relay_leads')).toBe(1)
      expect(pointOf(service, 'process.memory.usage')).toBeGreaterThan(10_000_000)
    }
    const told = collector.metrics().find(({ name }) => name === 'wds_delivery_first_attempt_wait_seconds')
    expect(told).toMatchObject({ service: 'delivery', unit: 's', kind: 'histogram' })
    expect(JSON.stringify(collector.metrics())).not.toMatch(/wsp_|whk_|int_[0-9A-Z]{26}/)
  })

  test('the log line of the call and the history of the webhook name the same trace, which shows the whole way', async () => {
    const { eventId, traceId, traceOfLine, attempt } = await askForWebhook(rig)
    expect(traceOfLine).toBe(traceId)
    expect(attempt).toMatchObject({
      isError: false,
      attributes: { 'messaging.message.id': eventId, 'http.response.status_code': 200 },
    })
  })

  test('exemplars: buckets of the call, the wait and the attempt lead to traces that the collector has', async () => {
    const { found, plain } = await readExemplars(rig)
    const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8'
    expect(found).toEqual(charted.map(([, name]) => ({ type, name, hasTraces: true })))
    // Who does not ask for it gets what every reader understands.
    expect(plain.type).toContain('text/plain')
    expect(plain.text).not.toContain('trace_id')
  })

  test('a service that ends has told of everything', async () => {
    const { since } = await change('last')
    const request = await eventually('the webhook arrives', async () => since()[0])
    expect(await Promise.all(Object.values(processes).map((one) => one.stop()))).toEqual([0, 0, 0])
    const spans = spansOf(contextOf(request).traceId)
    expect(find(spans, 'POST')).toHaveLength(1)
    expect(spans.filter((span) => span.kind === server)).toHaveLength(1)
  })
}

describe.each([['the log in Postgres', false] as const])('over %s', tests)
const onKafka = (await whyNoOwnBroker()) === null ? describe : describe.skip
onKafka.each([['Kafka', true] as const])('over %s', tests)
