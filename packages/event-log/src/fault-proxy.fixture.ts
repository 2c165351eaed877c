// Stands between a Kafka client and its brokers in tests: stops, cuts or swallows what passes.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { KafkaConnection } from './kafka-client.ts'

export interface FaultProxy {
  socketFactory: NonNullable<KafkaConnection['socketFactory']>
  /** Nothing passes until `resume`; connections stay. */
  stall(): void
  resume(): void
  /** The brokers' side of every connection goes away, and the client hears nothing of it: what a router does to an idle one. */
  cutSilently(): void
  /** What the client says still arrives, what the broker answers does not. */
  swallowAnswers(swallow: boolean): void
  /** What brokers say passes at so many bytes a second, on each connection; null: at once. */
  throttle(bytesPerSecond: number | null): void
  /** Ends every connection. */
  cut(): void
  /** Ends every connection, and each further one at once until told otherwise: what clients see of a broker that is down. */
  refuse(refuses: boolean): void
  connections(): number
  close(): Promise<void>
}

export async function createFaultProxy(): Promise<FaultProxy> {
  const targets = new Map<number, { host: string; port: number }>()
  const pairs = new Set<{ client: Socket; broker: Socket; dead: boolean }>()
  let stalled = false
  let swallowing = false
  let refusing = false
  let rate: number | null = null
  const server = createServer(async (client) => {
    client.on('error', () => undefined)
    if (refusing) {
      client.destroy()
      return
    }
    const from = client.remotePort ?? 0
    while (!targets.has(from) && !client.destroyed) await new Promise((resolve) => setImmediate(resolve))
    const target = targets.get(from)
    targets.delete(from)
    if (!target || client.destroyed) return
    const broker = connect(target)
    const pair = { client, broker, dead: false }
    pairs.add(pair)
    broker.on('error', () => undefined)
    const forward = (to: Socket) => (chunk: Buffer) => void (pair.dead || to.write(chunk))
    client.on('data', forward(broker))
    const answer = forward(client)
    broker.on('data', (chunk) => {
      if (swallowing) return
      answer(chunk)
      if (rate === null) return
      broker.pause()
      setTimeout(() => stalled || broker.resume(), (chunk.length / rate) * 1_000)
    })
    client.on('close', () => {
      pairs.delete(pair)
      broker.destroy()
    })
    broker.on('close', () => {
      if (!pair.dead) client.destroy()
    })
    if (stalled) for (const socket of [client, broker]) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const setFlow = (flows: boolean): void => {
    stalled = !flows
    for (const { client, broker } of pairs) for (const one of [client, broker]) flows ? one.resume() : one.pause()
  }
  const cut = (): void => {
    for (const { client } of pairs) client.destroy()
  }
  return {
    socketFactory({ host, port: brokerPort, onConnect }) {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => {
        targets.set(socket.localPort ?? 0, { host, port: brokerPort })
        onConnect()
      })
      return socket
    },
    stall: () => setFlow(false),
    resume: () => setFlow(true),
    cutSilently() {
      for (const pair of pairs) {
        pair.dead = true
        pair.broker.destroy()
      }
    },
    swallowAnswers(swallow) {
      swallowing = swallow
    },
    throttle(bytesPerSecond) {
      rate = bytesPerSecond
    },
    cut,
    refuse(refuses) {
      refusing = refuses
      if (refuses) cut()
    },
    connections: () => pairs.size,
    async close() {
      for (const { client, broker } of pairs) for (const one of [client, broker]) one.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
