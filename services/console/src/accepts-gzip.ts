// Whether a client takes packed content (RFC 9110 12.5.3).
import type { IncomingMessage } from 'node:http'

export function acceptsGzip(request: IncomingMessage): boolean {
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
}
