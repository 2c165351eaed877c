/** Listens on an app's loopback redirect URL for the browser that comes back (RFC 8252, section 7.3). */
import { createServer, type RequestListener, type Server } from 'node:http'
import { OperatorError } from './operator.ts'

export interface AwaitedRedirect {
  /** The redirect URL with the parameters of the answer. @throws OperatorError when none came in time */
  answer: Promise<URL>
  close(): void
}

/** Requests without this `state` are refused and do not end the wait. @throws OperatorError when the port is not free */
export async function awaitRedirect(o: {
  redirectUrl: URL
  state: string
  withinMs: number
}): Promise<AwaitedRedirect> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<URL>()
  const takeRequest: RequestListener = (request, response) => {
    const url = URL.parse(`${o.redirectUrl.origin}${request.url}`)
    const isAnswer = url?.pathname === o.redirectUrl.pathname && url.searchParams.get('state') === o.state
    response.once('close', () => isAnswer && resolve(url))
    response.writeHead(isAnswer ? 200 : 404, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      Connection: 'close',
    })
    response.end(isAnswer ? 'Go back to the terminal.\n' : 'This is not the answer that the terminal waits for.\n')
  }
  const servers = await listenAt(o.redirectUrl, takeRequest)
  const timer = setTimeout(
    () => reject(new OperatorError(`nobody came back to ${o.redirectUrl.href} within ${o.withinMs / 1000} s`)),
    o.withinMs,
  )
  return {
    answer,
    close: () => {
      clearTimeout(timer)
      closeAll(servers)
    },
  }
}

/** Both loopback addresses of `localhost`: on one that is left free, another program would be given the code. */
async function listenAt({ hostname, port }: URL, takeRequest: RequestListener): Promise<Server[]> {
  const servers: Server[] = []
  for (const host of hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/[[\]]/g, '')]) {
    try {
      servers.push(await listen(host, Number(port || 80), takeRequest))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const isWithoutIpv6 = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
      if (hostname === 'localhost' && host === '::1' && isWithoutIpv6) continue
      closeAll(servers)
      throw new OperatorError(
        code === 'EADDRINUSE'
          ? `port ${port} is in use: end what listens there, or give another --redirect-url of the app`
          : `cannot listen for the redirect: ${message}`,
      )
    }
  }
  return servers
}

function listen(host: string, port: number, takeRequest: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(takeRequest)
    server.once('error', reject)
    server.listen({ host, port }, () => resolve(server))
  })
}

function closeAll(servers: Server[]): void {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
}
