// Listens on an app's loopback redirect URL for the browser that comes back (RFC 8252, section 7.3).
import type { RequestListener } from 'node:http'
import { LoopbackError, listenOnLoopback } from '@wds/loopback-server/loopback-server'
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
  // Who listens may be about to ask for the answer when the time is over.
  answer.catch(() => undefined)
  const server = await listenOnLoopback(o.redirectUrl, takeRequest).catch((error: unknown) => {
    if (!(error instanceof LoopbackError)) throw error
    throw new OperatorError(`${error.message}: end what listens there, or give another --redirect-url of the app`)
  })
  const timer = setTimeout(
    () => reject(new OperatorError(`nobody came back to ${o.redirectUrl.href} within ${o.withinMs / 1000} s`)),
    o.withinMs,
  )
  return {
    answer,
    close: () => {
      clearTimeout(timer)
      server.close()
    },
  }
}
