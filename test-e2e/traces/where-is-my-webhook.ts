/**
 * 'Where is my webhook?': what somebody on call knows of one event leads to one trace, from the call to the receiver's answer, as
 * packages/docs/runbook/where-is-my-webhook.md tells; and so does a bucket of a chart, by its exemplar.
 */
import { eventually } from '../harness/standalone.ts'
import type { TracedStack } from './traced-stack.ts'

/** The table of the page: the last of these that is there says how far the event came. */
const way = [
  ['api', 'PATCH /v1/integrations/:id'],
  ['api', 'create workspace.events'],
  ['api', 'send workspace.events'],
  ['delivery', 'process workspace.events'],
  ['delivery', 'fan out'],
  ['delivery', 'POST'],
]

/** The answer of the call, and the payload that the receiver got for it. */
async function renameTo(rig: TracedStack, name: string) {
  const before = rig.receiver.received.length
  const answer = await rig.rename(name)
  if (answer.status !== 200) throw new Error(`the change was refused with ${answer.status}`)
  const request = await eventually('the webhook arrives', async () => rig.receiver.received[before])
  return { requestId: answer.headers.get('x-request-id'), eventId: JSON.parse(request.body).id as string }
}

/** By what the customer knows: the webhook, and the event of its payload. */
const deliveryOf = (rig: TracedStack, eventId: string) =>
  eventually('the history has the attempt', async () => {
    const { body } = await rig.delivery(`/v1/webhooks/${rig.subscriptionId}/deliveries`)
    const found = (body.data as { id: string; event_id: string }[]).find(({ event_id }) => event_id === eventId)
    const { body: one } = await rig.delivery(`/v1/deliveries/${found?.id}`)
    return one.status === 'delivered' && one
  })

/** The traces that the log line of a call and the history of its webhook name, and the attempt in the latter, once it shows the whole way. */
export async function askForWebhook(rig: TracedStack) {
  const { requestId, eventId } = await renameTo(rig, 'asked for')
  const line = await eventually('the call is in the log', async () =>
    rig.processes.api
      .output()
      .split('\n')
      .flatMap((text) => (text.includes(`"${requestId}"`) ? [JSON.parse(text) as Record<string, unknown>] : []))
      .find(({ msg }) => msg === 'request'),
  )
  const { attempts } = await deliveryOf(rig, eventId)
  const traceId = attempts[0].trace_id as string
  const spans = await eventually('the whole way is told', async () => {
    const found = rig.spansOf(traceId)
    const isThere = ([service, name]: string[]) => found.some((one) => one.service === service && one.name === name)
    return way.every(isThere) && found
  })
  return { eventId, traceId, traceOfLine: line.trace_id, attempt: spans.find(({ name }) => name === 'POST') }
}

/** Buckets of the call, the wait and the attempt. */
export const charted = [
  ['api', 'http_server_request_duration_seconds_bucket{http_request_method="PATCH"'],
  ['delivery', 'wds_delivery_attempt_duration_seconds_bucket'],
  ['delivery', 'wds_delivery_first_attempt_wait_seconds_bucket'],
  ['delivery', 'wds_log_wait_seconds_bucket'],
] as const

/** The exemplars of the buckets after one more event, and what a reader gets that does not ask for them. Waits until the collector has each trace. */
export async function readExemplars(rig: TracedStack) {
  const { eventId } = await renameTo(rig, 'charted')
  await deliveryOf(rig, eventId)
  const found: { type: string | null; name: string; hasTraces: boolean }[] = []
  for (const [service, name] of charted) {
    const headers = { accept: 'application/openmetrics-text; version=1.0.0' }
    const response = await fetch(`${rig.processes[service].managementUrl}/metrics`, { headers })
    const buckets = (await response.text()).split('\n').filter((text) => text.startsWith(name))
    const traces = buckets.flatMap((text) => / # \{trace_id="([0-9a-f]{32})"/.exec(text)?.[1] ?? [])
    found.push({ type: response.headers.get('content-type'), name, hasTraces: traces.length > 0 })
    await eventually(`the traces of ${name} are told`, async () =>
      traces.every((traceId) => rig.spansOf(traceId).length > 0),
    )
  }
  const plain = await fetch(`${rig.processes.api.managementUrl}/metrics`)
  return { found, plain: { type: plain.headers.get('content-type'), text: await plain.text() } }
}
