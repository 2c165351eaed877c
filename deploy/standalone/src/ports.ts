/** Ports of one start. Those that people type are fixed and refused when taken; the rest are a block that is free. */
import { setTimeout as sleep } from 'node:timers/promises'
import { holdPort, isPortFree } from '@wds/local-infra/free-port'
import { type Upstream, upstreams } from './router.ts'
import type { Ports } from './services.ts'
import { StartError } from './start-error.ts'

/** After kill -9 of a supervisor its children end within 2 s; until then they hold their ports. */
const patienceMs = 3_000

/** One to hold the block, one of the internal listener, two of each service and of the console. */
const blockSize = 2 + 2 * upstreams.length
const lastPort = 32_000

/** @throws StartError when the port stays taken. */
async function claimPort(port: number, setting: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isPortFree(port))) {
    if (performance.now() > deadline)
      throw new StartError(`port ${port} is taken: stop what uses it, or set ${setting} to another one`)
    await sleep(100)
  }
}

interface Block {
  ports: number[]
  release(): void
}

/**
 * The first block from there of which no port is taken. Whoever listens on the first port of a block has all of it: another
 * start passes it over, also before the services listen. Every start counts blocks alike.
 */
export async function claimBlock(from: number): Promise<Block> {
  for (let first = Math.ceil(from / blockSize) * blockSize; first + blockSize <= lastPort; first += blockSize) {
    const release = await holdPort(first)
    if (release === null) continue
    const ports = Array.from({ length: blockSize - 1 }, (_, nth) => first + 1 + nth)
    if ((await Promise.all(ports.map(isPortFree))).every(Boolean)) return { ports, release }
    release()
  }
  throw new StartError(
    `no ${blockSize} ports in a row are free from ${from} on: set WDS_SERVICE_PORTS_FROM to another one`,
  )
}

/** `release` gives back what nobody listens on. */
export async function choosePorts(o: {
  router: number
  receiver: number
  /** Null: there is none. */
  source: number | null
  servicesFrom: number
}): Promise<{ ports: Omit<Ports, 'postgres'>; release(): void }> {
  await claimPort(o.router, 'WDS_PORT')
  await claimPort(o.receiver, 'WDS_RECEIVER_PORT')
  if (o.source !== null) await claimPort(o.source, 'WDS_SOURCE_PORT')
  const { ports: free, release } = await claimBlock(o.servicesFrom)
  const [internal, ...rest] = free as [number, ...number[]]
  const portsOf = (from: number) =>
    Object.fromEntries(upstreams.map((name, nth) => [name, rest[from + nth]])) as Record<Upstream, number>
  const { router, receiver, source } = o
  const ports = { router, receiver, source, internal, services: portsOf(0), management: portsOf(upstreams.length) }
  return { ports, release }
}
