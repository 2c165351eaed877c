/** A receiver in the test's own process: it answers 200 after a while, so that attempts are always under way, and says when it does. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface HeldReceiver {
  url: string
  /** Ids of the events that arrived, repetitions included. */
  readonly arrivals: readonly string[]
  /** From now on a request is answered after so long. */
  setHold(ms: number): void
  /** Requests that wait for their answer. */
  held(): number
  /** The most that ever did at one time. */
  mostHeld(): number
  /** Of each request since `up`: how many waited for an answer then, itself included, and how many had been answered since `up`. */
  readonly sinceUp: readonly { held: number; answered: number }[]
  /** Resolves once an answer of 200 was handed to the kernel: the sender has not recorded it yet. */
  answered(): Promise<void>
  /** Takes no more connections, once what it has is answered. */
  down(): Promise<void>
  /** Takes connections again, at the same address. */
  up(): Promise<void>
  close(): void
}

/** `host`: a loopback address; those of one name share the sockets of a sender. */
export async function startHeldReceiver(firstHoldMs: number, host = '127.0.0.1'): Promise<HeldReceiver> {
  let holdMs = firstHoldMs
  const arrivals: string[] = []
  const waiting: (() => void)[] = []
  let held = 0
  let mostHeld = 0
  let isDown = false
  let answered = 0
  const sinceUp: { held: number; answered: number }[] = []
  const server = createServer(async (request, response) => {
    arrivals.push(String(request.headers['webhook-id']))
    request.resume()
    held += 1
    mostHeld = Math.max(mostHeld, held)
    sinceUp.push({ held, answered })
    await sleep(holdMs)
    held -= 1
    answered += 1
    response.writeHead(200, isDown ? { connection: 'close' } : {}).end()
    for (const resolve of waiting.splice(0)) resolve()
  })
  const listen = async (port: number) => {
    server.listen(port, host)
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    arrivals,
    setHold: (ms) => {
      holdMs = ms
    },
    held: () => held,
    mostHeld: () => mostHeld,
    sinceUp,
    answered: () => new Promise((resolve) => waiting.push(resolve)),
    down: async () => {
      isDown = true
      server.close()
      while (held > 0) await sleep(5)
      server.closeAllConnections()
    },
    up: async () => {
      isDown = false
      answered = 0
      sinceUp.length = 0
      await listen(port)
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
