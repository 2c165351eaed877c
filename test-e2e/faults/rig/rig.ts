/**
 * What the fault tests start from: the four services as processes on a Kafka broker, each with a database of its own (or the log in
 * Postgres, and one for all), a receiver, and writers that change integrations at a steady pace. The truth is read from the stores themselves.
 */
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import { type Ask, openAsk } from '../../harness/ask.ts'
import { type Client, clientOf } from '../../harness/client.ts'
import { type Edge, startEdge } from '../../harness/edge.ts'
import { type FaultProxy, startFaultProxy } from '../../harness/fault-proxy.ts'
import { type ReceiverProcess, startReceiver } from '../../harness/receiver.ts'
import type { ServiceProcess } from '../../harness/service-processes.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually } from '../../harness/standalone.ts'
import { createUndo, type Undo } from '../../harness/undo.ts'
import type { History } from '../checkers/checker.ts'
import { type Drain, drainOf } from './drain.ts'
import { failedProbesDuring, type Write, writeWhile } from './load.ts'
import { delaysMs, outboxRowsAfterDrain, readHistory } from './read-history.ts'
import { type LogPlace, readUpdates } from './read-log.ts'
import { whereEventsAre } from './where-events-are.ts'

export const partitions = 12

/** Where the log is. */
export type LogName = 'Postgres' | 'Kafka'

export interface Rig extends Drain {
  stack: Stack
  /** `{base_url}` and `{auth_url}`: before all services. */
  url: string
  services: Record<ServiceName, ServiceProcess>
  receiver: ReceiverProcess
  /** Before the broker, where one was asked for. */
  brokerProxy: FaultProxy | null
  client: Client
  /** With every scope. */
  apiKey: string
  workspaceId: string
  webhookId: string
  /** Of the subscription. */
  secret: string
  integrations: string[]
  /** One row of a query as the superuser of the service's database. */
  ask: Ask
  /** Changes each integration, one change after the other, until `during` is over. */
  writeWhile(during: () => Promise<unknown>): Promise<Write[]>
  /** Where the log can be read. */
  logPlace: LogPlace
  /** Asks every `/livez` again and again until `during` is over; gives the answers that were not 200. */
  failedProbesDuring(during: () => Promise<unknown>): Promise<string[]>
  /** Starts a service that was stopped. */
  start(service: ServiceName): Promise<void>
  /** For the checker, once nothing moves any more. */
  history(writes: Write[]): Promise<Omit<History, 'repeatedMax'>>
  stop(): Promise<void>
}

export interface RigOptions {
  /** Integrations that are changed side by side. */
  writers?: number
  /** Pause of a writer between two changes, ms. */
  paceMs?: number
  /** True: `/metrics` on every management listener. */
  metrics?: boolean
  /** Filled with a proxy for each service, between it and its database. */
  proxies?: Record<ServiceName, FaultProxy>
  /** Default: Kafka. */
  log?: LogName
  /** True: a Postgres of its own, which the harness reaches through the proxies, too. */
  ownPostgres?: boolean
  /** Folder in which all data and logs are; the system's temporary one unless told. */
  home?: string
  /** True: a proxy between everybody and the broker. */
  brokerProxy?: boolean
  /** Addresses of the receiver; the subscription has the first one. Default 1. */
  receivers?: number
  /** Further settings of one service. */
  envOf?: Partial<Record<ServiceName, Record<string, string>>>
  /** Options of Node for one service. */
  nodeArgsOf?: Partial<Record<ServiceName, string[]>>
}

export async function startRig(o: RigOptions = {}): Promise<Rig> {
  const { undo, stop } = createUndo()
  try {
    const edge = await startEdge()
    undo.push(() => edge.close())
    const receiver = await startReceiver(o.receivers ?? 1, { keepsRequests: true })
    undo.push(() => receiver.stop())
    const { stack, brokerProxy } = await startProxiedStack(o, edge.url, undo)
    const { services, start } = createStarter(stack, edge, o)
    await Promise.all(serviceNames.map(start))
    const load = await prepareLoad({ stack, edge, services, receiver }, o.writers ?? 4)
    const { ask, end } = openAsk(o.ownPostgres && o.proxies ? { adminUrls: adminsThrough(stack, o.proxies) } : stack)
    undo.push(end)
    const logPlace = stack.kafka ? { brokers: stack.kafka.brokers } : { postgres: stack.urls.api.worker }
    const { workspaceId, integrations, client } = load
    const arrivals = () => arrivalsAtFirst(receiver)
    const brokers = stack.kafka?.brokers ?? ''
    const whereAre = (missing: string[]) =>
      whereEventsAre({ ask, brokers, partitions, missing, services: Object.values(services) })
    return {
      stack,
      url: edge.url,
      services,
      receiver,
      brokerProxy,
      ...load,
      ask,
      logPlace,
      writeWhile: (during) => writeWhile(client, { integrations, paceMs: o.paceMs ?? 200, during }),
      failedProbesDuring: (during) => failedProbesDuring(Object.values(services), during),
      ...drainOf({ ask, workspaceId, arrivals, whereAre }),
      history: async (writes) => ({
        writes,
        ...(await readHistory(ask, workspaceId, {
          log: () => readUpdates({ from: logPlace, partitions, workspaceId }),
          arrivals,
        })),
        delaysMs,
        outboxRows: await outboxRowsAfterDrain(ask),
      }),
      start,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** With a proxy before the broker, and one before the database for each service, where they are asked for. */
async function startProxiedStack(
  o: RigOptions,
  url: string,
  undo: Undo,
): Promise<{ stack: Stack; brokerProxy: FaultProxy | null }> {
  let brokerProxy: FaultProxy | null = null
  undo.push(async () => {
    for (const proxy of [...Object.values(o.proxies ?? {}), brokerProxy]) await proxy?.close()
  })
  const kafkaBehind = async (port: number) => {
    if (o.brokerProxy) brokerProxy = await startFaultProxy({ host: '127.0.0.1', port })
    return brokerProxy?.port ?? port
  }
  const stack = await startStack(
    withoutUndefined({
      kafka: o.log !== 'Postgres',
      partitions,
      env: { WDS_BASE_URL: url, WDS_AUTH_URL: url },
      kafkaBehind,
      home: o.home,
      postgresSettings: o.ownPostgres ? {} : undefined,
    }),
  )
  undo.push(() => stack.stop())
  for (const service of o.proxies ? serviceNames : []) {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(stack.postgresUrl).port) })
    Object.assign(o.proxies ?? {}, { [service]: proxy })
  }
  return { stack, brokerProxy }
}

/** `start`: a service, with its proxy, its settings and its options of Node; the edge has the last one of each. */
function createStarter(stack: Stack, edge: Edge, o: RigOptions): Pick<Rig, 'services' | 'start'> {
  const services = {} as Record<ServiceName, ServiceProcess>
  const start = async (service: ServiceName) => {
    const proxied = o.proxies ? throughProxy(stack, service, o.proxies[service]) : {}
    const metered = o.metrics ? { OTEL_METRICS_EXPORTER: 'prometheus' } : {}
    const options = {
      nodeArgs: [...(o.metrics ? ['--import', preload] : []), ...(o.nodeArgsOf?.[service] ?? [])],
      env: { ...metered, ...proxied, ...o.envOf?.[service] },
    }
    if (services[service]) edge.remove(services[service])
    services[service] = await stack.start(service, options)
    await edge.add(services[service])
  }
  return { services, start }
}

type Load = Pick<Rig, 'client' | 'apiKey' | 'workspaceId' | 'webhookId' | 'secret' | 'integrations'>

/** A workspace with a subscription, and as many integrations as are changed side by side. */
async function prepareLoad(
  { stack, edge, services, receiver }: Pick<Rig, 'stack' | 'services' | 'receiver'> & { edge: Edge },
  writers: number,
): Promise<Load> {
  const { workspaceId, apiKey } = await stack.makeWorkspace('faults')
  for (const path of ['/v1/workspace', '/v1/integrations', '/v1/webhooks'])
    await whenKeyIsKnown(`${edge.url}${path}`, apiKey)
  const client = clientOf({ base_url: edge.url } as never, apiKey)
  // One endpoint takes all: its cap must not be what a drain measures.
  const hook = { url: `${receiver.origins[0]}/hook`, events: ['integration.updated'], max_in_flight: 64 }
  const webhook = await answered(() => client('/v1/webhooks', { json: hook }))
  if (webhook.status !== 201) {
    const last = services.delivery.output().slice(-2_000)
    throw new Error(`the subscription was refused: ${JSON.stringify(webhook.body)}; delivery said: ${last}`)
  }
  const integrations = await Promise.all(
    Array.from({ length: writers }, async (_, nth) => {
      const json = { name: `writer ${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
      return (await answered(() => client('/v1/integrations', { json }))).body.id as string
    }),
  )
  return { client, apiKey, workspaceId, webhookId: webhook.body.id, secret: webhook.body.secret, integrations }
}

/** Event ids that the first address of the receiver saw, repetitions included. */
async function arrivalsAtFirst(receiver: ReceiverProcess): Promise<string[]> {
  const host = new URL(receiver.origins[0] ?? '').hostname
  return (await receiver.arrivals()).filter(([to]) => to === host).map(([, eventId]) => eventId)
}

/** 503 says that nothing was done and that it may be asked again, as it may be while a slow machine is still starting. */
export function answered<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  return eventually('an answer that is not 503', async () => {
    const answer = await ask()
    return answer.status !== 503 && answer
  })
}

function throughProxy(stack: Stack, service: ServiceName, { port }: FaultProxy): Record<string, string> {
  const { http, worker } = stack.urls[service]
  const to = (url: string) => Object.assign(new URL(url), { port: String(port) }).href
  return { DATABASE_URL: to(http), WDS_WORKER_DATABASE_URL: to(worker) }
}

function adminsThrough({ adminUrls }: Stack, proxies: Record<ServiceName, FaultProxy>): Stack['adminUrls'] {
  const through = (service: ServiceName) =>
    Object.assign(new URL(adminUrls[service]), { port: String(proxies[service].port) }).href
  return Object.fromEntries(serviceNames.map((service) => [service, through(service)])) as Stack['adminUrls']
}

const preload = new URL('../../../packages/telemetry/src/otel/preload.ts', import.meta.url).href
