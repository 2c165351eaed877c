// Says which names mean this machine (RFC 6761 6.3): they resolve to loopback without DNS and never leave the machine.

/** True for `localhost` and every name below it, in the lower case that the URL parser gives. */
export function isUnderLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

/** What those names resolve to, everywhere. */
export const localhostAddresses: readonly string[] = ['127.0.0.1', '::1']
