// Listens for browsers on this machine, at the address that an OAuth app registered (RFC 8252, section 7.3).
import { createServer, type RequestListener, type Server } from 'node:http'

/** Hosts of an address on this machine. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** One sentence for whoever started it. */
export class LoopbackError extends Error {}

/**
 * Both loopback addresses of `localhost`: on one that is left free, another program would be given the code.
 * @throws LoopbackError when the port is not free
 */
export async function listenOnLoopback({ hostname, port }: URL, answer: RequestListener): Promise<{ close(): void }> {
  const servers: Server[] = []
  const close = () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  for (const host of hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/[[\]]/g, '')]) {
    try {
      servers.push(await listen(host, Number(port || 80), answer))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const isWithoutIpv6 = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
      if (hostname === 'localhost' && host === '::1' && isWithoutIpv6) continue
      close()
      throw new LoopbackError(code === 'EADDRINUSE' ? `port ${port} is in use` : `cannot listen: ${message}`)
    }
  }
  return { close }
}

function listen(host: string, port: number, answer: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(answer)
    server.once('error', reject)
    server.listen({ host, port }, () => resolve(server))
  })
}
