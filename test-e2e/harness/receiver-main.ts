// A receiver for load, a process of its own: answers as cheaply as Node can and notes when the first byte of each hook came.
// It listens on many addresses of 127.0.0.0/8 with one port, so that each endpoint is an origin of its own.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { ReceiverAnswer, ReceiverCommand } from './receiver.ts'

const wallClock = () => performance.timeOrigin + performance.now()
const idOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '')

let arrivals: [host: string, eventId: string, traceId: string, at: number][] = []
let requests: ReceiverAnswer['requests'] = []
let count = 0
const keepsRequests = process.env.RECEIVER_KEEPS === 'yes'
const hanging = new Set<string>()
const held = new Set<ServerResponse>()

function take(request: IncomingMessage, response: ServerResponse): void {
  const host = idOf(request.headers.host).split(':', 1)[0] as string
  if (hanging.has(host)) {
    held.add(response)
    response.once('close', () => held.delete(response))
    request.resume()
    return
  }
  count += 1
  arrivals.push([
    host,
    idOf(request.headers['webhook-id']),
    idOf(request.headers.traceparent).slice(3, 35),
    wallClock(),
  ])
  if (keepsRequests) keep(request, host)
  request.resume()
  request.once('end', () => response.writeHead(200, { 'content-length': '2' }).end('ok'))
}

function keep(request: IncomingMessage, host: string): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const { 'webhook-id': id, 'x-service-signature': signature } = request.headers
    requests.push([idOf(id), idOf(signature), Buffer.concat(chunks).toString('utf8'), wallClock(), host])
  })
}

function answer(command: ReceiverCommand): ReceiverAnswer {
  if (command.op === 'hang') {
    hanging.clear()
    for (const host of command.hosts) hanging.add(host)
    if (command.hosts.length === 0) for (const response of held) response.destroy()
  }
  if (command.op === 'clear') {
    arrivals = []
    requests = []
    count = 0
  }
  return {
    port,
    count,
    arrivals: command.op === 'arrivals' ? arrivals.slice(command.from) : [],
    requests: command.op === 'requests' ? requests : [],
  }
}

const { RECEIVER_TLS: certificate = '' } = process.env
const tls: { cert: string; key: string } | null = certificate === '' ? null : JSON.parse(certificate)
const kept = { keepAliveTimeout: 60_000 }
const servers: Pick<Server, 'close'>[] = []

/** All addresses on one port; false, and none of them, where somebody listens on it already. */
async function listenOn(port: number, hosts: number): Promise<boolean> {
  for (let nth = 1; nth <= hosts; nth += 1) {
    const server = tls === null ? createServer(kept, take) : createTlsServer({ ...kept, ...tls }, take)
    server.listen(port, `127.0.0.${nth}`)
    try {
      await once(server, 'listening')
    } catch (error) {
      for (const other of servers.splice(0)) other.close()
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
      throw error
    }
    servers.push(server)
  }
  return true
}

const [from, to, hosts] = process.argv.slice(2).map(Number) as [number, number, number]
let port = from
while (!(await listenOn(port, hosts))) {
  port += 1
  if (port === to) throw new Error(`no port between ${from} and ${to} is free on ${hosts} addresses`)
}
process.on('message', (command: ReceiverCommand) => process.send?.(answer(command)))
process.on('disconnect', () => process.exit(0))
process.send?.({ port, count: 0, arrivals: [], requests: [] } satisfies ReceiverAnswer)
