// Names whoever asks, for the count of requests.
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadOrigin } from './request-origin.ts'

/** No id of a workspace begins so. */
const prefix = 'address '

/** A client by itself. */
export function callerOf(client: { workspaceId: string; id: string }): string {
  return `${client.workspaceId} ${client.id}`
}

/** Is this caller nobody but an address? */
export function isAddress(caller: string): boolean {
  return caller.startsWith(prefix)
}

/** Whom a request without a valid client counts for: the address, of IPv6 the network, since each host has all of one. */
export function callerAt(address: string): string {
  if (address.includes('.')) return `${prefix}${address.slice(address.lastIndexOf(':') + 1)}`
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const behind = tail === undefined ? [] : tail.split(':')
  while (tail !== undefined && groups.length + behind.length < 8) groups.push('0')
  return `${prefix}${[...groups, ...behind].slice(0, 4).join(':')}::/64`
}

/** An event of the response, with the workspace of its client: the token of its request was accepted. */
const tokenAccepted = Symbol('the token was accepted')

/** Told where the token of a request was accepted. */
export function acceptClient(response: ServerResponse, { workspaceId }: { workspaceId: string }): void {
  response.emit(tokenAccepted, workspaceId)
}

const tokensMax = 10_000

/**
 * Names whoever asks before anything is judged: as the workspace whose token was accepted before, which has
 * one share however many keys it has, else by his address, since anybody may send any token.
 */
export class Askers {
  readonly #readOrigin: ReadOrigin
  /** Workspaces by the digests of their tokens: one has many, and may write each in many ways. */
  readonly #accepted = new Map<string, string>()

  constructor(readOrigin: ReadOrigin) {
    this.#readOrigin = readOrigin
  }

  nameOf(request: IncomingMessage, response: Pick<ServerResponse, 'once'>): string {
    const { authorization } = request.headers
    const address = callerAt(this.#readOrigin(request).address)
    if (authorization === undefined) return address
    const token = hash('sha256', authorization.replace(/^bearer +/i, ''), 'base64')
    const workspace = this.#accepted.get(token)
    if (workspace !== undefined) return workspace
    response.once(tokenAccepted, (name: string) => this.#accept(token, name))
    // Apart from those without one, who may stand behind the same proxy.
    return `token from ${address}`
  }

  #accept(token: string, workspace: string): void {
    this.#accepted.set(token, workspace)
    const [oldest] = this.#accepted.keys()
    if (this.#accepted.size > tokensMax && oldest !== undefined) this.#accepted.delete(oldest)
  }
}
