/** The services with tracing, a receiver that takes what an integration's changes lead to, and the collector that hears of both. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { type CollectedSpan, type Collector, startCollector } from '@wds/telemetry/otlp-collector'
import pg from 'pg'
import { type Client, clientOf } from '../harness/client.ts'
import type { ServiceProcess } from '../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { eventually, root } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'

const preload = pathToFileURL(join(root, 'packages/telemetry/src/otel/preload.ts')).href

export interface TracedStack {
  collector: Collector
  receiver: FakeReceiver
  processes: Record<'auth' | 'api' | 'delivery', ServiceProcess>
  api: Client
  delivery: Client
  /** Whose changes the subscription hears of. */
  integrationId: string
  subscriptionId: string
  spansOf(traceId: string): CollectedSpan[]
  /** A PATCH of the integration's name. */
  rename(name: string, headers?: Record<string, string>): ReturnType<Client>
  stop(): Promise<void>
}

export async function startTracedStack({ kafka }: { kafka: boolean }): Promise<TracedStack> {
  const { undo, stop } = createUndo()
  try {
    const collector = await startCollector()
    undo.push(() => collector.close())
    const receiver = await startFakeReceiver()
    undo.push(() => receiver.close())
    const env = {
      ...collector.env,
      ...collector.metricsEnv,
      OTEL_METRICS_EXPORTER: 'prometheus,otlp',
      WDS_DELIVERY_DELAYS: '200ms,200ms,200ms,200ms,200ms',
    }
    const stack = await startStack({ kafka, env })
    undo.push(() => stack.stop())
    const start = (service: 'auth' | 'api' | 'delivery') => stack.start(service, { nodeArgs: ['--import', preload] })
    const [auth, first, second] = await Promise.all([start('auth'), start('api'), start('delivery')])
    const processes = { auth, api: first, delivery: second }
    const { apiKey } = await stack.makeWorkspace('traced')
    await whenKeyIsKnown(`${processes.api.url}/v1/integrations`, apiKey)
    await whenKeyIsKnown(`${processes.delivery.url}/v1/webhooks`, apiKey)
    const api = clientOf({ base_url: processes.api.url } as never, apiKey)
    const delivery = clientOf({ base_url: processes.delivery.url } as never, apiKey)
    const body = { name: 'traced', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
    const integrationId: string = (await api('/v1/integrations', { json: body })).body.id
    const hook = { url: `${receiver.url}/hook/path?token=hidden`, events: ['integration.updated'] }
    const subscribed = await delivery('/v1/webhooks', { json: hook })
    if (subscribed.status !== 201) throw new Error(`the subscription was refused: ${JSON.stringify(subscribed.body)}`)
    await eventually('the event of the new integration is fanned out', () => isQueueEmpty(stack))
    return {
      collector,
      receiver,
      processes,
      api,
      delivery,
      integrationId,
      subscriptionId: subscribed.body.id,
      spansOf: (traceId) => collector.spans().filter((span) => span.traceId === traceId),
      rename: (name, headers = {}) =>
        api(`/v1/integrations/${integrationId}`, {
          method: 'PATCH',
          json: { name },
          headers: { 'content-type': 'application/merge-patch+json', ...headers },
        }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An event that finds older ones of its workspace in the queue is fanned out behind them, with a second span. */
async function isQueueEmpty(stack: Stack): Promise<boolean> {
  const database = new pg.Client({ connectionString: stack.adminUrls.delivery })
  await database.connect()
  const sql = 'select exists (select from delivery.events) and not exists (select from delivery.fan_out_queue) as done'
  const { rows } = await database.query<{ done: boolean }>(sql).finally(() => database.end())
  return rows[0]?.done === true
}
