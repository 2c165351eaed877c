/**
 * The Deployments of k8s/ as one process each, and what a cluster does about them: a process that ended is started again, and
 * kube-state-metrics tells who is ready and how often who was started, and CloudNativePG when the last backup was made. Nobody kills a process whose probe fails, as the kubelet would.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@wds/provision/provision'
import type { ProcessOptions, ServiceProcess } from '../harness/service-processes.ts'
import type { Stack } from '../harness/stack.ts'

export const deployments = {
  'auth-http': { service: 'auth', role: 'http' },
  'auth-worker': { service: 'auth', role: 'worker' },
  'api-http': { service: 'api', role: 'http' },
  'api-worker': { service: 'api', role: 'worker' },
  catalog: { service: 'catalog', role: 'all' },
  'delivery-http': { service: 'delivery', role: 'http' },
  'delivery-worker': { service: 'delivery', role: 'worker' },
} as const satisfies Record<string, { service: ServiceName; role: 'http' | 'worker' | 'all' }>

export type Deployment = keyof typeof deployments
export const deploymentNames = Object.keys(deployments) as Deployment[]

interface Place {
  process: ServiceProcess | null
  /** What a release changed of its settings. */
  env: Record<string, string>
  restarts: number
  isReady: boolean
  /** False: scaled to 0. */
  isWanted: boolean
  ports: { http: string; management: string }
}

export interface Fleet {
  /** Where kube-state-metrics and CloudNativePG are. */
  metricsAddress: string
  /** When CloudNativePG says that the last backup was made, in seconds since the epoch. */
  setLastBackup(seconds: number): void
  /** `address:port` of its management listener, which stays the same. */
  management(deployment: Deployment): string
  process(deployment: Deployment): ServiceProcess | null
  restarts(deployment: Deployment): number
  isReady(deployment: Deployment): boolean
  /** Ends it and starts it again, from now on with these settings besides; resolves when it is ready, or when its start was refused. */
  rollOut(deployment: Deployment, env?: Record<string, string>): Promise<void>
  scale(deployment: Deployment, replicas: 0 | 1): Promise<void>
  stop(): Promise<void>
}

const probeEveryMs = 1_000
const probeTimeoutMs = 3_000
/** The kubelet waits 10 s, then twice as long each time; a twentieth, as with the rules. */
const restartAfterMs = 500

export async function startFleet(o: {
  stack: Stack
  nextPort(): Promise<number>
  optionsOf(deployment: Deployment): ProcessOptions
  /** Hears of each process that is ready, so that callers reach it, and of its end. */
  onReady(process: ServiceProcess): Promise<void>
  onEnd(process: ServiceProcess): void
}): Promise<Fleet> {
  let isOver = false
  let lastBackup = Math.floor(Date.now() / 1_000) - 3_600
  const places = {} as Record<Deployment, Place>
  for (const name of deploymentNames) {
    const ports = { http: String(await o.nextPort()), management: String(await o.nextPort()) }
    places[name] = { process: null, env: {}, restarts: 0, isReady: false, isWanted: true, ports }
  }

  async function launch(name: Deployment): Promise<void> {
    const place = places[name]
    const { service, role } = deployments[name]
    const options = o.optionsOf(name)
    const ports = { WDS_HTTP_PORT: place.ports.http, WDS_MANAGEMENT_PORT: place.ports.management }
    const env = { ...options.env, ...ports, ...place.env }
    const process = await o.stack.start(service, { ...options, name, role, env })
    // The harness names the ports that it would have given.
    const at = (port: string) => `http://127.0.0.1:${port}`
    const started = { ...process, url: at(place.ports.http), managementUrl: at(place.ports.management) }
    place.process = started
    void started.exited.then(() => ended(name, started))
    if (role !== 'worker') await o.onReady(started)
  }

  function ended(name: Deployment, process: ServiceProcess): void {
    const place = places[name]
    o.onEnd(process)
    if (place.process !== process) return
    place.process = null
    if (!isOver && place.isWanted) void keepStarting(name)
  }

  /** Until it runs. */
  async function keepStarting(name: Deployment): Promise<void> {
    const place = places[name]
    while (!isOver && place.isWanted && place.process === null) {
      await sleep(restartAfterMs)
      place.restarts += 1
      await launch(name).catch(() => undefined)
    }
  }

  async function end(name: Deployment): Promise<void> {
    const { process } = places[name]
    places[name].process = null
    if (process === null) return
    o.onEnd(process)
    // One that is frozen takes no notice of a plain end.
    const killing = setTimeout(() => void process.kill(), 15_000)
    await process.stop()
    clearTimeout(killing)
  }

  const probing = (async () => {
    while (!isOver) {
      await Promise.all(
        deploymentNames.map(async (name) => {
          const { process } = places[name]
          const signal = AbortSignal.timeout(probeTimeoutMs)
          const ask = async (path: string) => {
            const response = process && (await fetch(`${process.managementUrl}${path}`, { signal }).catch(() => null))
            await response?.arrayBuffer().catch(() => undefined)
            return response?.status === 200
          }
          places[name].isReady = await ask('/readyz')
          // A process that is asked logs which loops are stuck.
          await ask('/livez')
        }),
      )
      await sleep(probeEveryMs)
    }
  })()

  const server = createServer((_, response) => {
    const lines = deploymentNames.flatMap((name) => [
      `kube_deployment_status_replicas_available{namespace="workspace-data",deployment="${name}"} ${Number(places[name].isReady)}`,
      `kube_pod_container_status_restarts_total{namespace="workspace-data",pod="${name}",container="service"} ${places[name].restarts}`,
    ])
    lines.push(
      `cnpg_collector_last_available_backup_timestamp{namespace="workspace-data",pod="postgres-1"} ${lastBackup}`,
    )
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`${lines.sort().join('\n')}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await Promise.all(deploymentNames.map(launch))
  return {
    metricsAddress: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    setLastBackup: (seconds) => {
      lastBackup = seconds
    },
    management: (name) => `127.0.0.1:${places[name].ports.management}`,
    process: (name) => places[name].process,
    restarts: (name) => places[name].restarts,
    isReady: (name) => places[name].isReady,
    rollOut: async (name, env = {}) => {
      await end(name)
      Object.assign(places[name], { env })
      await launch(name).catch(() => void keepStarting(name))
    },
    scale: async (name, replicas) => {
      places[name].isWanted = replicas > 0
      if (replicas === 0) await end(name)
      else if (places[name].process === null) await launch(name)
    },
    stop: async () => {
      isOver = true
      await probing
      await new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
    },
  }
}
