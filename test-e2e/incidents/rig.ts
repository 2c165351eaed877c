/**
 * What an incident happens to: the product as k8s/ shapes it, on Kafka, with partners that take webhooks, a steady load of two
 * workspaces, and a Prometheus with the project's alerts. Postgres and the internal listener of auth are reached as in a cluster: by an
 * address that stays, and over TLS.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type FakeReceiver, startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { createTestAuthority } from '@wds/local-infra/certificates'
import { faketimeEnv, findFaketime } from '@wds/local-infra/faketime'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { Agent, fetch as fetchWith } from 'undici'
import { type Ask, openAsk } from '../harness/ask.ts'
import { clientOf } from '../harness/client.ts'
import { startEdge } from '../harness/edge.ts'
import { type FaultProxy, startFaultProxy } from '../harness/fault-proxy.ts'
import { type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { type Deployment, deployments, type Fleet, startFleet } from './deployments.ts'
import { startLoad, type Workspace } from './load.ts'
import { type NameServer, startNameServer } from './name-server.ts'
import { type Prometheus, startPrometheus } from './prometheus.ts'

/** Who takes webhooks of the first workspace. */
export interface Partner {
  /** `http://hooks.<name>.example:port`. */
  origin: string
  webhookId: string
  /** By which it verifies. */
  secret: string
  receiver: FakeReceiver
}

export interface IncidentRig {
  url: string
  stack: Stack
  fleet: Fleet
  prometheus: Prometheus
  /** Workspaces under load. */
  workspaces: [Workspace, Workspace]
  partners: Record<PartnerName, Partner>
  /** Before Postgres, for everybody. */
  database: FaultProxy
  nameServer: NameServer
  /** As the superuser, past everything. */
  ask: Ask
  /** Serves a certificate that ends so many days from now. */
  writeCertificate(days: number): void
  /** Moves the wall clock of a Deployment, in seconds. */
  setClock(deployment: ClockedDeployment, seconds: number): void
  stop(): Promise<void>
}

export const partnerNames = ['northwind', 'contoso', 'fabrikam'] as const
export type PartnerName = (typeof partnerNames)[number]
/** Those whose clock can be moved. */
type ClockedDeployment = 'auth-http' | 'delivery-worker'

const preloads = {
  metrics: new URL('../../packages/telemetry/src/otel/preload.ts', import.meta.url).href,
  names: new URL('./use-name-server.ts', import.meta.url).href,
}

/** Everybody's settings. The product's own limits of callers hold, and deliveries are given up within seconds. */
const limits = {
  WDS_REQUEST_QUOTA: '600',
  WDS_REQUEST_CONCURRENCY: '100',
  WDS_DELIVERY_DELAYS: '2s,2s',
  WDS_DELIVERY_ATTEMPTS: '3',
  WDS_DELIVERY_DEADLINE: '2s',
  WDS_DELIVERY_LEASE: '6s',
  WDS_DELIVERY_SLOTS: '16',
  // As large a share of one workspace as by default: half of the places.
  WDS_SYNC_CONCURRENCY: '2',
  WDS_SYNC_PER_WORKSPACE: '1',
}

/** Nobody asks a worker of auth. */
const anyInternalPort = { WDS_INTERNAL_PORT: '0' }

/** `minutes`: the load ends by itself then. `env`: given to every service besides. */
export async function startIncidentRig(o: { minutes: number; env?: Record<string, string> }): Promise<IncidentRig> {
  const { undo, stop } = createUndo()
  try {
    const edge = await startEdge()
    undo.push(() => edge.close())
    const partners = await Promise.all(
      partnerNames.map(async (name) => {
        const receiver = await startFakeReceiver()
        undo.push(() => receiver.close())
        return { name, receiver, origin: `http://hooks.${name}.example:${receiver.port}` }
      }),
    )
    const nameServer = await startNameServer()
    undo.push(() => nameServer.leave())
    const authority = createTestAuthority()
    undo.push(() => authority.remove())
    const { next: nextPort, release } = await takeTestPorts()
    undo.push(release)
    const env = {
      ...limits,
      ...o.env,
      WDS_BASE_URL: edge.url,
      WDS_AUTH_URL: edge.url,
      WDS_OUTBOUND_ALLOW: partners.map(({ origin }) => origin).join(','),
      OTEL_METRICS_EXPORTER: 'prometheus',
      INCIDENT_NAME_SERVER: nameServer.address,
    }
    const stack = await startStack({ kafka: true, env, postgresSettings: { max_connections: '200' } })
    const placed = placeFiles(stack, authority)
    const internalUrl = `https://localhost:${new URL(stack.operator.url).port}`
    const database = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(stack.postgresUrl).port) })
    const clocks = await openClocks(stack.folder)
    const fleet = await startFleet({
      stack,
      nextPort,
      optionsOf: (name) => ({
        nodeArgs: ['--import', preloads.names, '--import', preloads.metrics],
        env: withoutUndefined<Record<string, string>>({
          ...throughProxy(stack, name, database),
          ...(name === 'auth-http' ? placed.serves : name === 'auth-worker' ? anyInternalPort : placed.asks),
          // As in k8s/: auth asks nobody. The stack's own address is plain HTTP.
          WDS_AUTH_INTERNAL_URL: deployments[name].service === 'auth' ? '' : internalUrl,
          ...clocks.envOf(name),
        }),
      }),
      onReady: (process) => edge.add(process),
      onEnd: (process) => edge.remove(process),
    })
    undo.push(async () => {
      await fleet.stop()
      await database.pass()
      await stack.stop()
      await database.close()
    })
    const prometheus = await startPrometheus({
      folder: stack.folder,
      port: await nextPort(),
      targets: [
        ...(Object.keys(deployments) as Deployment[]).map((name) => ({
          address: fleet.management(name),
          labels: {
            app_kubernetes_io_name: deployments[name].service,
            app_kubernetes_io_component: deployments[name].role,
            namespace: 'workspace-data',
            pod: name,
          },
        })),
        { address: fleet.metricsAddress, labels: {} },
      ],
    })
    undo.push(() => prometheus.stop())
    const { ask, end } = openAsk(stack)
    undo.push(end)
    const ca = authority.ca
    const openWorkspace = async (name: string): Promise<Workspace> => {
      const made = await makeWorkspace({ internalUrl, ca, tokenFile: stack.operator.tokenFile }, name)
      for (const path of ['/v1/workspace', '/v1/integrations', '/v1/webhooks'])
        await whenKeyIsKnown(`${edge.url}${path}`, made.apiKey)
      const client = clientOf({ base_url: edge.url } as never, made.apiKey)
      const integrations: string[] = []
      for (const nth of [1, 2]) {
        const json = { name: `source ${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
        const { status, body } = await client('/v1/integrations', { json })
        if (status !== 201) throw new Error(`the integration was refused: ${JSON.stringify(body)}`)
        integrations.push(body.id)
      }
      return { name, ...made, client, integrations }
    }
    const first = await openWorkspace('Meridian')
    const second = await openWorkspace('Bluewater')
    const subscribed = {} as Record<PartnerName, Partner>
    for (const { name, origin, receiver } of partners) {
      const json = { url: `${origin}/hook`, events: ['integration.updated'] }
      const { status, body } = await first.client('/v1/webhooks', { json })
      if (status !== 201) throw new Error(`the subscription was refused: ${JSON.stringify(body)}`)
      receiver.setSecret(body.secret)
      subscribed[name] = { origin, receiver, webhookId: body.id, secret: body.secret }
    }
    undo.push(startLoad([first, second], o.minutes))
    await eventually('every partner got an event', async () =>
      partners.every(({ receiver }) => receiver.received.length > 0),
    )
    return {
      url: edge.url,
      stack,
      fleet,
      prometheus,
      workspaces: [first, second],
      partners: subscribed,
      database,
      nameServer,
      ask,
      writeCertificate: placed.writeCertificate,
      setClock: clocks.set,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function throughProxy(stack: Stack, name: Deployment, { port }: FaultProxy): Record<string, string> {
  const { http, worker } = stack.urls[deployments[name].service]
  const to = (url: string) => Object.assign(new URL(url), { port: String(port) }).href
  return { DATABASE_URL: to(http), WDS_WORKER_DATABASE_URL: to(worker) }
}

/** Certificate and key of auth's internal listener, and the CA of those who ask it. */
function placeFiles({ folder }: Stack, authority: ReturnType<typeof createTestAuthority>) {
  const place = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const writeCertificate = (days: number) => {
    const { cert, key } = authority.issue(['localhost'], { days })
    place('internal.crt', cert)
    place('internal.key', key)
  }
  writeCertificate(90)
  return {
    writeCertificate,
    asks: { WDS_AUTH_INTERNAL_CA_FILE: place('internal-ca.crt', authority.ca) },
    serves: {
      WDS_INTERNAL_TLS_CERT_FILE: join(folder, 'internal.crt'),
      WDS_INTERNAL_TLS_KEY_FILE: join(folder, 'internal.key'),
    },
  }
}

async function openClocks(folder: string) {
  const library = await findFaketime((line) => void process.stderr.write(`${line}\n`))
  const fileOf = (name: ClockedDeployment) => join(folder, `${name}.clock`)
  const set = (name: ClockedDeployment, seconds: number) =>
    writeFileSync(fileOf(name), `${seconds < 0 ? '' : '+'}${seconds} x1\n`)
  const clocked: ClockedDeployment[] = ['auth-http', 'delivery-worker']
  for (const name of clocked) set(name, 0)
  const envOf = (name: Deployment) => {
    const own = clocked.find((one) => one === name)
    return own === undefined ? {} : faketimeEnv(library, fileOf(own))
  }
  return { set, envOf }
}

async function makeWorkspace(o: { internalUrl: string; ca: string; tokenFile: string }, name: string) {
  const dispatcher = new Agent({ connect: { ca: o.ca } })
  try {
    const response = await fetchWith(`${o.internalUrl}/internal/workspaces`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${readFileSync(o.tokenFile, 'utf8')}` },
      body: JSON.stringify({ name, plan: 'business' }),
    })
    const made = (await response.json()) as { workspace_id: string; api_key: string }
    if (response.status !== 201) throw new Error(`the workspace was refused: ${JSON.stringify(made)}`)
    return { workspaceId: made.workspace_id, apiKey: made.api_key }
  } finally {
    await dispatcher.close()
  }
}
