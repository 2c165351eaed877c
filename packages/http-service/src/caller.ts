// Names whoever asks, for the count of requests.

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
