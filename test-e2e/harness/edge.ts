/** Stands before several replicas of each service, as an orchestrator's edge does: sends requests to those that say they are ready, in turn. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@wds/telemetry/logger'
import { createRouter, type Upstream } from '../../deploy/standalone/src/router.ts'
import type { ServiceProcess } from './service-processes.ts'

export interface Edge {
  url: string
  /** Takes part once its `/readyz` says yes; resolves then. */
  add(process: ServiceProcess): Promise<void>
  /** Gets no further request. */
  remove(process: ServiceProcess): void
  close(): void
}

async function isReady(process: ServiceProcess): Promise<boolean> {
  const response = await fetch(`${process.managementUrl}/readyz`).catch(() => null)
  await response?.arrayBuffer()
  return response?.status === 200
}

export async function startEdge(port = 0): Promise<Edge> {
  const replicas = new Map<Upstream, ServiceProcess[]>()
  const of = (service: Upstream) => replicas.get(service) ?? []
  const turns = new Map<Upstream, number>()
  const portOf = (upstream: Upstream) => {
    const turn = (turns.get(upstream) ?? 0) + 1
    turns.set(upstream, turn)
    const list = of(upstream)
    const picked = list[turn % list.length]
    // Nobody listens on port 1: the answer is a 503, as from an edge without a replica.
    return picked === undefined ? 1 : Number(new URL(picked.url).port)
  }
  const server: Server = createRouter({
    baseUrl: 'http://127.0.0.1',
    portOf,
    logger: createLogger({ service: 'edge', level: 'silent' }),
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (process) => {
      while (!(await isReady(process))) await new Promise((resolve) => setTimeout(resolve, 20))
      replicas.set(process.service, [...of(process.service), process])
    },
    remove: (process) => {
      replicas.set(
        process.service,
        of(process.service).filter((one) => one !== process),
      )
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
