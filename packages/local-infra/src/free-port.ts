// Finds ports on loopback that nobody listens on. It never looks at 32768 and above: outgoing connections take
// those, and a server that wants one back after a load test finds it in use (stack.md 3.5).
import { createServer } from 'node:net'
import { LocalInfraError } from './local-infra-error.ts'

/** The first port that outgoing connections may take. */
const firstEphemeralPort = 32_768

/** A free port in `[from, to)`; 15432 to 32767 unless told. Nothing reserves it: be ready to lose the race. */
export async function freePort(options: { from?: number; to?: number } = {}): Promise<number> {
  const from = options.from ?? 15_432
  const to = Math.min(options.to ?? firstEphemeralPort, firstEphemeralPort)
  for (let port = from; port < to; port++) {
    if (await isPortFree(port)) return port
  }
  throw new LocalInfraError(`No port between ${from} and ${to - 1} is free on 127.0.0.1.`)
}

/** True when a server could listen on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/**
 * Listens on the port, which is this process's until it gives it back by what it gets, or ends. Null when somebody listens
 * there. It keeps no process from ending.
 */
export function holdPort(port: number): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => void socket.destroy()).unref()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(() => void server.close()))
  })
}
