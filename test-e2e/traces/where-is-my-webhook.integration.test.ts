/**
 * 'Where is my webhook?': what somebody on call knows of one event leads to one trace, from the call to the receiver's answer, as
 * packages/docs/runbook/where-is-my-webhook.md tells; and so does a bucket of a chart, by its exemplar.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { eventually } from '../harness/standalone.ts'
import { startTracedStack, type TracedStack } from './traced-stack.ts'

/** The table of the page: the last of these that is there says how far the event came. */
const way = [
  ['api', 'PATCH /v1/integrations/:id'],
  ['api', 'create workspace.events'],
  ['api', 'send workspace.events'],
  ['delivery', 'process workspace.events'],
  ['delivery', 'fan out'],
  ['delivery', 'POST'],
]

const tests = (_name: string, kafka: boolean) => {
  let rig: TracedStack
  beforeAll(async () => {
    rig = await startTracedStack({ kafka })
  })
  afterAll(() => rig?.stop())

  /** The answer of the call, and the payload that the receiver got for it. */
  async function renameTo(name: string) {
    const before = rig.receiver.received.length
    const answer = await rig.rename(name)
    expect(answer.status).toBe(200)
    const request = await eventually('the webhook arrives', async () => rig.receiver.received[before])
    return { requestId: answer.headers.get('x-request-id'), eventId: JSON.parse(request.body).id as string }
  }

  /** By what the customer knows: the webhook, and the event of its payload. */
  const deliveryOf = (eventId: string) =>
    eventually('the history has the attempt', async () => {
      const { body } = await rig.delivery(`/v1/webhooks/${rig.subscriptionId}/deliveries`)
      const found = (body.data as { id: string; event_id: string }[]).find(({ event_id }) => event_id === eventId)
      const { body: one } = await rig.delivery(`/v1/deliveries/${found?.id}`)
      return one.status === 'delivered' && one
    })

  test('the log line of the call and the history of the webhook name the same trace, which shows the whole way', async () => {
    const { requestId, eventId } = await renameTo('asked for')
    const line = await eventually('the call is in the log', async () =>
      rig.processes.api
        .output()
        .split('\n')
        .flatMap((text) => (text.includes(`"${requestId}"`) ? [JSON.parse(text) as Record<string, unknown>] : []))
        .find(({ msg }) => msg === 'request'),
    )
    const { attempts } = await deliveryOf(eventId)
    const traceId = attempts[0].trace_id as string
    expect(line.trace_id).toBe(traceId)
    const spans = await eventually('the whole way is told', async () => {
      const found = rig.spansOf(traceId)
      const isThere = ([service, name]: string[]) => found.some((one) => one.service === service && one.name === name)
      return way.every(isThere) && found
    })
    expect(spans.find(({ name }) => name === 'POST')).toMatchObject({
      isError: false,
      attributes: { 'messaging.message.id': eventId, 'http.response.status_code': 200 },
    })
  })

  test('exemplars: buckets of the call, the wait and the attempt lead to traces that the collector has', async () => {
    const { eventId } = await renameTo('charted')
    await deliveryOf(eventId)
    for (const [service, name] of [
      ['api', 'http_server_request_duration_seconds_bucket{http_request_method="PATCH"'],
      ['delivery', 'wds_delivery_attempt_duration_seconds_bucket'],
      ['delivery', 'wds_delivery_first_attempt_wait_seconds_bucket'],
      ['delivery', 'wds_log_wait_seconds_bucket'],
    ] as const) {
      const headers = { accept: 'application/openmetrics-text; version=1.0.0' }
      const response = await fetch(`${rig.processes[service].managementUrl}/metrics`, { headers })
      expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
      const buckets = (await response.text()).split('\n').filter((text) => text.startsWith(name))
      const traces = buckets.flatMap((text) => / # \{trace_id="([0-9a-f]{32})"/.exec(text)?.[1] ?? [])
      expect([name, traces.length > 0]).toEqual([name, true])
      await eventually(`the traces of ${name} are told`, async () =>
        traces.every((traceId) => rig.spansOf(traceId).length > 0),
      )
    }
    // Who does not ask for it gets what every reader understands.
    const plain = await fetch(`${rig.processes.api.managementUrl}/metrics`)
    expect(plain.headers.get('content-type')).toContain('text/plain')
    expect(await plain.text()).not.toContain('trace_id')
  })
}

describe.each([['the log in Postgres', false] as const])('over %s', tests)
const onKafka = (await whyNoOwnBroker()) === null ? describe : describe.skip
onKafka.each([['Kafka', true] as const])('over %s', tests)
