/**
 * I8 to I11 of reliability.md 5: what the requests that a receiver got say of themselves. It has its own verifier, written from
 * packages/docs/how-to/verify-signatures.md, and shares no code with the services.
 */
import { createHmac } from 'node:crypto'
import { type FaultTime, longestWait } from './lateness-checker.ts'

export interface SentRequest {
  eventId: string
  /** `X-Service-Signature` as it came. */
  signature: string
  body: string
  /** Epoch milliseconds of the harness. */
  atMs: number
}

export interface RequestHistory {
  requests: readonly SentRequest[]
  /** As the receiver counted them; one whose sender was killed amid its body is not among `requests`. */
  arrived: number
  /** Of the subscription, with the time in which each is live, epoch milliseconds. */
  secrets: readonly { secret: string; fromMs: number; untilMs: number }[]
  workspaceId: string
  /** Those subscribed to. */
  types: readonly string[]
  /** The time of a signature is at most so far from that of its arrival in one piece beside all faults, ms. */
  apartMs: number
  /** From when until when a process may have stood still between the two. */
  faults: readonly FaultTime[]
}

/** A secret may have ended so long before the request that it signed came, ms. */
const claimedBeforeMs = 1_000
const workspaceIds = /\bwsp_[0-9A-Za-z]+/g

/** One sentence for each breach; none when all is well. */
export function requestBreachesOf(history: RequestHistory): string[] {
  const { arrived, requests } = history
  return [
    ...(arrived > 0 && requests.length === 0 ? [`I8: of ${arrived} requests none was kept for the checker`] : []),
    ...bodyBreaches(history),
    ...requests.flatMap((request) => breachesOfOne(history, request)),
  ]
}

function bodyBreaches({ requests }: RequestHistory): string[] {
  return [...Map.groupBy(requests, ({ eventId }) => eventId)].flatMap(([id, mine]) =>
    new Set(mine.map(({ body }) => body)).size > 1 ? [`I8: the requests of ${id} have different bodies`] : [],
  )
}

function breachesOfOne(history: RequestHistory, request: SentRequest): string[] {
  const { eventId, body } = request
  const said = readBody(body)
  if (said === null) return [`I8: the body of ${eventId} is no event`, ...signatureBreaches(history, request)]
  const foreign = [...body.matchAll(workspaceIds)].map(([id]) => id).filter((id) => id !== history.workspaceId)
  return [
    ...(said.id === eventId ? [] : [`I8: the body of ${eventId} is that of ${said.id}`]),
    ...signatureBreaches(history, request),
    ...foreign.map((id) => `I10: ${eventId} of ${history.workspaceId} holds ${id}`),
    ...(history.types.includes(String(said.type)) ? [] : [`I11: ${eventId} is ${said.type}`]),
  ]
}

function readBody(body: string): { id?: unknown; type?: unknown } | null {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function signatureBreaches(
  { secrets, apartMs, faults }: RequestHistory,
  { eventId, signature, body, atMs }: SentRequest,
) {
  const [first = '', ...rest] = signature.split(',')
  const time = /^t=(\d+)$/.exec(first)?.[1] ?? ''
  const given = rest.map((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1])
  const signedMs = Number(time) * 1_000
  const live = secrets.filter(({ fromMs, untilMs }) => fromMs <= atMs && untilMs >= signedMs - claimedBeforeMs)
  const wanted = live.map(({ secret }) => createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
  return [
    ...(wanted.some((one) => given.includes(one)) ? [] : [`I9: no live secret signed ${eventId}`]),
    // One from the future has no excuse.
    ...(signedMs - atMs <= apartMs && longestWait(faults, signedMs, atMs) <= apartMs
      ? []
      : [`I9: ${eventId} came ${atMs - signedMs} ms after its signature, at ${new Date(atMs).toISOString()}`]),
  ]
}
