import type { Mount } from '@wds/http-service/mount'
import { send } from '@wds/http-service/respond'

/** Only at the host of this address, else 421: addresses come from configuration, and cookies of one host are not used at another (W5). */
export function atHost(url: string, mount: Mount): Mount {
  const { host, origin } = new URL(url)
  return {
    ...mount,
    handle: async (request, response, exchange) => {
      // HTTP/1.0 may come without one.
      if (request.headers.host?.toLowerCase() === host) return mount.handle(request, response, exchange)
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      response.setHeader('Cache-Control', 'no-store')
      send(exchange, 421, `This host is not served here. Go to ${origin}\n`)
    },
  }
}
