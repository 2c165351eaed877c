// Decides where a request comes from: the connection's own address, or what listed proxies say of it. Forwarding headers of
// anybody else are taken out before anything could read them (C61, XT09, XT10).
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { type AddressRange, isInRanges, parseRange } from '@wds/access/address-range'

/** Where a request comes from. */
export interface RequestOrigin {
  /** Of the client: the nearest address that is no listed proxy. Empty when the connection is gone. */
  address: string
  /** Whether the client spoke TLS, to us or to the listed proxy before us. */
  secure: boolean
}

/** Reads the origin and removes every forwarding header that nobody may rely on. */
export type ReadOrigin = (request: IncomingMessage) => RequestOrigin

/** Never of use here: the addresses of links come from the configuration (auth.md W5). */
const neverTrusted = ['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-real-ip']
const trustedFromProxies = ['x-forwarded-for', 'x-forwarded-proto']

/** `proxies`: addresses and ranges such as `10.0.0.0/8`; none unless told. Throws RangeError for one that is none. */
export function createReadOrigin(proxies: readonly string[] = []): ReadOrigin {
  const ranges = proxies.map((text) => {
    const range = parseRange(text)
    if (range === null) throw new RangeError('A trusted proxy is no address and no range of addresses.')
    return range
  })
  return (request) => {
    const { headers, socket } = request
    const peer = socket.remoteAddress ?? ''
    const viaProxy = isInRanges(peer, ranges)
    for (const name of viaProxy ? neverTrusted : [...neverTrusted, ...trustedFromProxies]) delete headers[name]
    if (!viaProxy) return { address: peer, secure: (socket as Partial<TLSSocket>).encrypted === true }
    return { address: nearest(peer, listOf(headers['x-forwarded-for']), ranges), secure: isSecure(headers) }
  }
}

/** Each proxy adds the address it was called from at the end, so the list is read from there; what stands before the first stranger is hearsay. */
function nearest(peer: string, forwardedFor: string[], proxies: readonly AddressRange[]): string {
  let address = peer
  for (const before of forwardedFor.reverse()) {
    if (!isInRanges(address, proxies)) break
    // A proxy that wrote something else leaves its own address: it never stands in a client's list of ranges.
    if (parseRange(before) === null || before.includes('/')) break
    address = before
  }
  return address
}

/** The proxy next to us is the last to have written. */
function isSecure(headers: IncomingMessage['headers']): boolean {
  return listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase() === 'https'
}

function listOf(header: string | string[] | undefined): string[] {
  return header === undefined ? [] : [header].flat().flatMap((line) => line.split(',').map((item) => item.trim()))
}
