/** The project's own TCP fault proxy (reliability.md 3): stands before one server and refuses connections, takes them and says nothing, or leads to another server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface FaultProxy {
  port: number
  /** Ends every connection and takes no more. */
  refuse(): Promise<void>
  /** Connections stay, and new ones are taken: nothing passes, in either direction, or in that of the answers alone. */
  swallow(what?: 'all' | 'answers'): void
  /** Everything passes again; what was swallowed with its connection is gone. */
  pass(): Promise<void>
  /** Ends every connection; new ones lead to this server, as an address of a cluster does after a failover. */
  moveTo(upstream: { host: string; port: number }): void
  close(): Promise<void>
}

/** `delayMs`: what is sent to the server arrives so much later. */
export async function startFaultProxy(
  upstream: { host: string; port: number },
  o: { delayMs?: number } = {},
): Promise<FaultProxy> {
  const pairs = new Set<Socket>()
  let swallowed: 'all' | 'answers' | null = null
  let server: Server | null = null
  let target = upstream
  const cutAll = () => {
    for (const socket of pairs) socket.destroy()
  }
  const take = (client: Socket) => {
    const behind = swallowed === 'all' ? null : connect(target)
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      if (socket === null) continue
      pairs.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        if (swallowed === 'all' || (swallowed === 'answers' && socket === behind)) return
        if (socket === client && o.delayMs !== undefined) setTimeout(() => other?.write(chunk), o.delayMs)
        else other?.write(chunk)
      })
      socket.on('close', () => {
        pairs.delete(socket)
        if (swallowed === null) other?.destroy()
      })
    }
  }
  const listen = async (port: number): Promise<number> => {
    server = createServer(take).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const end = async (): Promise<void> => {
    const ended = server
    server = null
    if (ended === null) return
    const closed = once(ended, 'close')
    ended.close()
    cutAll()
    await closed
  }
  const port = await listen(0)
  return {
    port,
    refuse: end,
    swallow: (what = 'all') => {
      swallowed = what
    },
    pass: async () => {
      if (swallowed !== null) cutAll()
      swallowed = null
      if (server === null) await listen(port)
    },
    moveTo: (moved) => {
      target = moved
      cutAll()
    },
    close: end,
  }
}
