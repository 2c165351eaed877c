// The second listener, for the platform's probes only (kubernetes.md K21 and K22). It asks no dependency and shows no detail of a workspace.
import type { RequestListener } from 'node:http'
import type { Logger } from '@wds/telemetry/logger'
import { defaultLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'

/** A management listener that answers. */
export interface Management {
  port: number
  close(): Promise<void>
}

export interface ManagementOptions {
  host: string
  /** 0 takes any. */
  port: number
  baseUrl: string
  logger: Logger
  /** What /livez tells beside that the event loop turns; true unless told. */
  alive?(): boolean
  /** What /readyz tells: of this process, never of Postgres or the broker, since an outage must not take the fleet out of service. */
  ready(): boolean
  /** Further paths, each with its own answer; `/livez` and `/readyz` stand above them. */
  pages?: Readonly<Record<string, RequestListener>>
}

/** Serves /livez, /readyz and `pages`. Rejects with one sentence when the address cannot be had. */
export async function openManagement(o: ManagementOptions): Promise<Management> {
  const server = createListener(createManagementHandler(o), { ...o, limits: defaultLimits })
  const port = await listen(server, o)
  return { port, close: () => closeListener(server, 0) }
}

function createManagementHandler(o: ManagementOptions): RequestListener {
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const answer = (status: number, word: string) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      response.end(JSON.stringify({ status: word }))
    }
    const page = o.pages && Object.hasOwn(o.pages, path) ? o.pages[path] : undefined
    if (path === '/livez') (o.alive?.() ?? true) ? answer(200, 'ok') : answer(503, 'stuck')
    else if (path === '/readyz') o.ready() ? answer(200, 'ok') : answer(503, 'not_ready')
    else if (page) page(request, response)
    else answer(404, 'not_found')
  }
}
