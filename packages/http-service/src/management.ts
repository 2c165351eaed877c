// The second listener, for the platform's probes only (kubernetes.md, K21 and K22). It asks no dependency and shows no detail of a workspace.
import type { RequestListener } from 'node:http'

/** Answers /livez and /readyz. `ready` tells of this process, never of Postgres or the broker: an outage must not take the fleet out of service. */
export function createManagementHandler(ready: () => boolean): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]
    const answer = (status: number, word: string) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      response.end(JSON.stringify({ status: word }))
    }
    if (path === '/livez') answer(200, 'ok')
    else if (path === '/readyz') ready() ? answer(200, 'ok') : answer(503, 'not_ready')
    else answer(404, 'not_found')
  }
}
