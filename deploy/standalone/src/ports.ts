/** Ports of one start. The two that people type are fixed and refused when taken; the rest is whatever is free. */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@wds/local-infra/free-port'
import type { Ports } from './services.ts'
import { StartError } from './start-error.ts'

/** After kill -9 of a supervisor its children end within 2 s; until then they hold their ports. */
const patienceMs = 3_000

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** @throws StartError when the port stays taken. */
async function claimPort(port: number, setting: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isFree(port))) {
    if (performance.now() > deadline)
      throw new StartError(`port ${port} is taken: stop what uses it, or set ${setting} to another one`)
    await sleep(100)
  }
}

export async function choosePorts(o: {
  router: number
  receiver: number
  servicesFrom: number
}): Promise<Omit<Ports, 'postgres'>> {
  await claimPort(o.router, 'WDS_PORT')
  await claimPort(o.receiver, 'WDS_RECEIVER_PORT')
  const free: number[] = []
  for (let from = o.servicesFrom; free.length < 9; from = (free.at(-1) as number) + 1)
    free.push(await freePort({ from, to: 32_000 }))
  const [internal, ...rest] = free as [number, ...number[]]
  const portsOf = (from: number) => {
    const [auth, api, catalog, delivery] = rest.slice(from) as [number, number, number, number]
    return { auth, api, catalog, delivery }
  }
  return { router: o.router, receiver: o.receiver, internal, services: portsOf(0), management: portsOf(4) }
}
