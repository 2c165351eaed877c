// Keeps the requests that arrived, the newest 10,000 of them, and whether their signature holds. It never keeps more bytes than
// a webhook may have, and forgets the oldest first.

import type { IncomingHttpHeaders } from 'node:http'
import { verifyWebhook } from '@wds/webhook-signature/verify'

/** One request that arrived. */
export interface ReceivedRequest {
  /** Counts from 1. */
  number: number
  /** RFC 3339, UTC. */
  receivedAt: string
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The body's bytes read as UTF-8. */
  body: string
  /** Whether the signature holds; null when no secret is set. */
  verified: boolean | null
}

const requestsMax = 10_000
/** Together with the number this bounds the memory: bodies of the oldest are forgotten first. */
const bodyCharactersMax = 64 * 1_024 * 1_024

/** The requests that arrived, oldest first. */
export interface Inbox {
  readonly requests: ReceivedRequest[]
  add(o: {
    method: string
    path: string
    headers: IncomingHttpHeaders
    body: Buffer
    secret: string | null
  }): ReceivedRequest
  clear(): void
}

function judge(header: string | string[] | undefined, body: Buffer, secret: string | null): boolean | null {
  if (secret === null) return null
  return verifyWebhook({ secret, header, body, nowSeconds: Date.now() / 1_000 }).ok
}

/** An empty inbox. */
export function createInbox(limit = requestsMax): Inbox {
  const requests: ReceivedRequest[] = []
  let number = 0
  let characters = 0
  const dropOldest = () => {
    characters -= requests.shift()?.body.length ?? 0
  }
  return {
    requests,
    add({ method, path, headers, body, secret }) {
      number += 1
      const verified = judge(headers['x-service-signature'], body, secret)
      const receivedAt = new Date().toISOString()
      const request = { number, receivedAt, method, path, headers, body: body.toString(), verified }
      requests.push(request)
      characters += request.body.length
      while (requests.length > limit || (characters > bodyCharactersMax && requests.length > 1)) dropOldest()
      return request
    },
    clear() {
      requests.length = 0
      characters = 0
    },
  }
}
