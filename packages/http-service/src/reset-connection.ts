// Ends a connection so that its peer takes nothing that came as the whole of an answer.
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** By a reset. Node resets no TLS connection; there an end that TLS did not announce says the same. */
export function resetConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
