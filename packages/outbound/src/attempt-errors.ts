// Translates what the network, TLS and the HTTP parser throw into the error classes of delivery.md 2.7.
// It never looks at messages, only at codes and names, and tells our own faults (which cost no attempt) from the receiver's.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'

const classes: Readonly<Record<string, AttemptErrorCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  HOSTNAME_MISMATCH: 'tls_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  CERT_CHAIN_TOO_LONG: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_untrusted',
  INVALID_CA: 'tls_untrusted',
  INVALID_PURPOSE: 'tls_untrusted',
  PATH_LENGTH_EXCEEDED: 'tls_untrusted',
  EPROTO: 'tls_failed',
  UND_ERR_HEADERS_OVERFLOW: 'response_too_large',
  HPE_HEADER_OVERFLOW: 'response_too_large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'response_too_large',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'connection_failed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'response_invalid',
  WDS_NOT_PINNED: 'destination_not_allowed',
  WDS_HANDSHAKE_TOO_LARGE: 'tls_failed',
  WDS_ANSWER_TOO_LARGE: 'response_too_large',
}

/**
 * Faults of this machine that pass: nothing was sent, so the attempt is released. What depends on the destination is not among them: an
 * address that this machine has no way to (`EADDRNOTAVAIL`, `EACCES`, `EPERM`, `ENETUNREACH`, …) stays so, and is the attempt's failure.
 */
const ours = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED', 'WDS_NO_POOL'])

/** The code of an error as Node and undici give it, or ''. */
export function errorCodeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** The class of an error that ended an attempt; `connection_failed` when it has no class of its own. */
export function classifyError(error: unknown): AttemptErrorCode {
  const code = errorCodeOf(error)
  const known = classes[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_') || (error as { name?: unknown } | null)?.name === 'HTTPParserError')
    return 'response_invalid'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code.startsWith('ERR_OSSL_')) return 'tls_failed'
  return 'connection_failed'
}

/** True for an error of ours, which uses up no attempt when it came before the first byte. */
export const isOurError = (error: unknown): boolean => ours.has(errorCodeOf(error))

/** True for a fault of connecting after which another checked address of the name may be tried. */
export const isConnectFault = (error: unknown): boolean => connectFaults.has(errorCodeOf(error))

const connectFaults = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EACCES',
  'EPERM',
])
