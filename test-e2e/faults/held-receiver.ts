/** A receiver in the test's own process: it answers 200 after a while, so that attempts are always under way, and says when it does. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface HeldReceiver {
  url: string
  /** Ids of the events that arrived, repetitions included. */
  readonly arrivals: readonly string[]
  /** Requests that wait for their answer. */
  held(): number
  /** Resolves once an answer of 200 was handed to the kernel: the sender has not recorded it yet. */
  answered(): Promise<void>
  close(): void
}

export async function startHeldReceiver(holdMs: number): Promise<HeldReceiver> {
  const arrivals: string[] = []
  const waiting: (() => void)[] = []
  let held = 0
  const server = createServer(async (request, response) => {
    arrivals.push(String(request.headers['webhook-id']))
    request.resume()
    held += 1
    await sleep(holdMs)
    held -= 1
    response.writeHead(200).end()
    for (const resolve of waiting.splice(0)) resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    held: () => held,
    answered: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
