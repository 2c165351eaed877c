// Asks auth's internal listener, over TLS where its address says so: then certificate and host name are verified, at each connection.

import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestTls, Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { withoutUndefined } from '@wds/contracts/without-undefined'

/** An answer is a few rows. */
const answerBytesMax = 1_048_576
const agentOptions = { keepAlive: true, maxSockets: 64 }

export interface InternalRequest {
  path: string
  /** POST when given, else GET. */
  body?: object | undefined
  withinMs: number
}

export interface InternalRequestOptions {
  url: string
  /** Asked for at each request. */
  token: () => string
  /** CA certificates, PEM, asked for at each request; undefined: those of the runtime. */
  ca?: (() => string) | undefined
}

/** The certificate of the other side was refused: `message` says why. Nothing was sent. */
export class CertificateRefused extends Error {}

/** The commonest, in words; every other one is told by its code. */
const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is of no authority that is trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'is of no authority that is trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is of no authority that is trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is of no authority that is trusted here',
  CERT_SIGNATURE_FAILURE: 'is of no authority that is trusted here',
}

/** Node ends the connection with the very error for which it would not authorise it. */
function certificateFaultOf(error: NodeJS.ErrnoException, socket: Socket | null): string | null {
  const { code = error.message } = error
  if (String((socket as TLSSocket | null)?.authorizationError ?? '') !== code) return null
  return certificateFaults[code] ?? `is refused (${code === 'UNSPECIFIED' ? error.message : code})`
}

/** Returns how to ask: resolves with the object of a 200, else rejects. */
export function createInternalRequests(o: InternalRequestOptions) {
  const isTls = new URL(o.url).protocol === 'https:'
  // A resumed session would not be verified again.
  const agent = isTls ? new TlsAgent({ ...agentOptions, maxCachedSessions: 0 }) : new PlainAgent(agentOptions)
  const request: typeof requestTls = isTls ? requestTls : requestPlain
  return ({ path, body, withinMs }: InternalRequest): Promise<Record<string, unknown>> => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const options: RequestOptions = {
      method: content === undefined ? 'GET' : 'POST',
      headers: withoutUndefined({
        authorization: `Bearer ${o.token()}`,
        'content-type': content === undefined ? undefined : 'application/json',
        'content-length': content === undefined ? undefined : Buffer.byteLength(content),
      }),
      signal: AbortSignal.timeout(withinMs),
      // Connections are kept by it: one that another authority vouched for is not used again.
      ca: o.ca?.(),
    }
    const send = (on: RequestOptions['agent']): Promise<Record<string, unknown>> =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, o.url), { ...options, agent: on })
        const refuse = (error: NodeJS.ErrnoException) => {
          // auth ended a kept connection just then, as in a rollout. All of this is reading: it is asked again, on a new one.
          if (sent.reusedSocket && error.code === 'ECONNRESET' && on === agent) return resolve(send(false))
          const fault = certificateFaultOf(error, sent.socket)
          const why = `the certificate of auth ${fault}`
          reject(fault === null ? error : new CertificateRefused(why, { cause: error }))
        }
        sent.once('error', refuse)
        sent.once('response', (response) => {
          // What breaks from now on breaks the answer, whose reader tells it: asked again, its fault would be nobody's.
          sent.off('error', refuse).on('error', () => undefined)
          resolve(readAnswer(response, path))
        })
        sent.end(content)
      })
    return send(agent)
  }
}

async function readAnswer(response: IncomingMessage, path: string): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > answerBytesMax) throw new Error(`auth answered more than ${answerBytesMax} bytes to ${path}`)
    chunks.push(chunk)
  }
  if (response.statusCode !== 200) throw new Error(`auth answered ${response.statusCode} to ${path}`)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
  } catch (cause) {
    throw new Error(`auth answered no JSON to ${path}`, { cause })
  }
}
