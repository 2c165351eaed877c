// The only client for addresses that users give us: check, resolve, pin, connect, send, read, within one absolute deadline (security.md 1).
// It never throws, never follows a redirect, never uses a proxy and never shares a connection between workspaces.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { Result } from '@wds/contracts/result'
import type { CheckedUrl, OutboundPolicy, RefusalReason } from './address-rule.ts'
import { assertPolicy, checkParsedUrl, isAllowedAnswer } from './address-rule.ts'
import { type Attempt, createSignalRegistry, startAttempt } from './attempt.ts'
import { classifyError, errorCodeOf, isConnectFault, isOurError } from './attempt-errors.ts'
import { type ConnectionPools, createConnectionPools, type PoolEntry, type PoolTarget } from './connection-pools.ts'
import { type ExchangeEnd, type ExchangeRequest, startExchange } from './exchange.ts'
import { isUnderLocalhost, localhostAddresses } from './localhost-name.ts'
import { createResolver, type Resolution, type Resolver } from './resolver.ts'
import { makeExcerpt } from './response-excerpt.ts'

/** One attempt to send. `deadlineMs` counts from the call and covers DNS, connect, TLS, headers and body. */
export interface OutboundRequest {
  readonly workspaceId: string
  readonly url: string
  readonly method: 'POST'
  /** Names that HTTP itself needs (host, content-length, connection …) are left out. */
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  readonly deadlineMs: number
  readonly bodyBytesMax: 65536
  readonly excerptBytes: 1024
}

/**
 * What became of an attempt. `answered`: a status line arrived (`errorCode` is `http_status` unless 2xx). `failed`: the receiver's fault or a refused
 * destination. `released`: a fault of ours before the first byte, costs no attempt. `unknown`: ended by us after the first byte.
 */
export interface OutboundResult {
  readonly outcome: 'answered' | 'failed' | 'released' | 'unknown'
  readonly status: number | null
  readonly errorCode: AttemptErrorCode | null
  /** Rounded up to 50 ms, so that times do not map a network. */
  readonly durationMs: number
  readonly excerpt: string | null
  /** The `Retry-After` field as received, at most 100 characters. */
  readonly retryAfter: string | null
  /** True when a kept connection was reset before any answer byte and the request was sent once more (reliability.md F33). */
  readonly isRepeated: boolean
}

/** The client. Callers pass one long-lived signal (shutdown), not one per attempt. */
export interface GuardedClient {
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>
  /** The serialised URL to store, or why it is refused; a name that does not resolve is accepted (check step 7). */
  checkAtSave(url: string): Promise<Result<string, RefusalReason>>
  close(): Promise<void>
}

/** Settings of the client. */
export interface GuardedClientOptions {
  readonly policy: OutboundPolicy
  readonly resolver?: Resolver
  /** Default 4,096. */
  readonly maxPools?: number
  /** Default 60,000. */
  readonly poolIdleMs?: number
  /** Certificates trusted besides the machine's, PEM. */
  readonly ca?: readonly string[]
}

const addressesTriedMax = 3
const checkedUrlsMax = 4_096
const durationStepMs = 50
const refusedHeaders = new Set(
  'host content-length connection keep-alive proxy-connection proxy-authorization transfer-encoding te trailer upgrade expect cookie'.split(
    ' ',
  ),
)

class NoPoolError extends Error {
  readonly code = 'WDS_NO_POOL'
}

type Ending = Omit<OutboundResult, 'durationMs' | 'isRepeated'>

const ending = (outcome: OutboundResult['outcome'], errorCode: AttemptErrorCode | null): Ending => ({
  outcome,
  status: null,
  errorCode,
  excerpt: null,
  retryAfter: null,
})

/** Consequence of an exchange without a status line. */
function endingOfFailure(end: Extract<ExchangeEnd, { kind: 'failed' }>): Ending {
  if (errorCodeOf(end.error) === 'WDS_DEADLINE') return ending('failed', 'timeout')
  if (errorCodeOf(end.error) === 'WDS_SHUTDOWN' || isOurError(end.error))
    return ending(end.isSent ? 'unknown' : 'released', null)
  return ending('failed', classifyError(end.error))
}

const single = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? (value[0] ?? null) : (value ?? null)

function endingOfAnswer(end: Extract<ExchangeEnd, { kind: 'answered' }>, request: OutboundRequest): Ending {
  const isSuccess = end.status >= 200 && end.status < 300
  return {
    outcome: 'answered',
    status: end.status,
    errorCode: isSuccess ? null : 'http_status',
    excerpt: makeExcerpt(end.body, single(end.headers['content-encoding']), request.excerptBytes, request.bodyBytesMax),
    retryAfter: single(end.headers['retry-after'])?.slice(0, 100) ?? null,
  }
}

/** IPv4 first: where a name has both, that is the way more receivers listen on. */
const inOrder = (addresses: readonly string[]): string[] =>
  [...addresses].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':'))).slice(0, addressesTriedMax)

interface Sender {
  readonly policy: OutboundPolicy
  resolve(name: string): Promise<Resolution>
  readonly pools: ConnectionPools
  check(url: string): Result<CheckedUrl, RefusalReason>
}

/** Steps 2 and 3 of connect(url): the addresses that may be connected to, or how the attempt ends. */
async function addressesOf(sender: Sender, checked: CheckedUrl, attempt: Attempt): Promise<string[] | Ending> {
  const isAllowed = (address: string): boolean => isAllowedAnswer(address, checked.kind, sender.policy)
  if (checked.literal !== null)
    return isAllowed(checked.literal) ? [checked.literal] : ending('failed', 'destination_not_allowed')
  const resolution = await Promise.race([sender.resolve(checked.url.hostname), attempt.whenStopped])
  if (resolution === undefined) {
    return attempt.stopped?.code === 'WDS_SHUTDOWN' ? ending('released', null) : ending('failed', 'timeout')
  }
  if (!resolution.ok) {
    if (resolution.fault === 'ours') return ending('released', null)
    return ending('failed', resolution.fault === 'not_found' ? 'dns_not_found' : 'dns_failed')
  }
  const isRefused = resolution.addresses.length === 0 || !resolution.addresses.every(isAllowed)
  return isRefused ? ending('failed', 'destination_not_allowed') : inOrder(resolution.addresses)
}

async function exchangeOn(entry: PoolEntry, request: ExchangeRequest, attempt: Attempt): Promise<ExchangeEnd> {
  const exchange = startExchange(entry, request)
  attempt.exchange = exchange
  if (attempt.stopped !== null) exchange.abort(attempt.stopped)
  return await exchange.end
}

const notSent = (error: Error): ExchangeEnd => ({
  kind: 'failed',
  error,
  isSent: false,
  isAnswerBegun: false,
  isReused: false,
})

const isResetOfKept = (end: ExchangeEnd): boolean =>
  end.kind === 'failed' &&
  end.isSent &&
  end.isReused &&
  !end.isAnswerBegun &&
  classifyError(end.error) === 'connection_reset'

/** Steps 4 to 7 on one address; a kept connection that was reset before any answer byte is replaced by a fresh one, once. */
async function sendTo(sender: Sender, target: PoolTarget, request: ExchangeRequest, attempt: Attempt) {
  const entry = sender.pools.take(target)
  if (entry === null) return { end: notSent(new NoPoolError('every pool is in use')), isRepeated: false }
  try {
    const end = await exchangeOn(entry, request, attempt)
    if (!isResetOfKept(end) || attempt.stopped !== null) return { end, isRepeated: false }
  } finally {
    sender.pools.release(entry)
  }
  const fresh = sender.pools.takeFresh(target)
  try {
    const end = await exchangeOn(fresh, request, attempt)
    // The first sending reached the wire: an end of ours is never 'released' any more.
    return { end: end.kind === 'failed' ? { ...end, isSent: true } : end, isRepeated: true }
  } finally {
    sender.pools.discard(fresh)
  }
}

function toExchangeRequest(request: OutboundRequest, url: URL): ExchangeRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !refusedHeaders.has(name.toLowerCase())),
  )
  return {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers,
    body: request.body,
    bodyBytesMax: request.bodyBytesMax,
  }
}

async function run(
  sender: Sender,
  request: OutboundRequest,
  attempt: Attempt,
): Promise<Ending & { isRepeated: boolean }> {
  const checked = sender.check(request.url)
  if (!checked.ok) return { ...ending('failed', 'destination_not_allowed'), isRepeated: false }
  const { url, kind } = checked.value
  const addresses = await addressesOf(sender, checked.value, attempt)
  if (!Array.isArray(addresses)) return { ...addresses, isRepeated: false }
  const isAllowed = (address: string): boolean => isAllowedAnswer(address, kind, sender.policy)
  const exchangeRequest = toExchangeRequest(request, url)
  let sent: { end: ExchangeEnd; isRepeated: boolean } = { end: notSent(new Error('no address')), isRepeated: false }
  for (const address of addresses) {
    sent = await sendTo(sender, { workspaceId: request.workspaceId, url, address, isAllowed }, exchangeRequest, attempt)
    const mayGoOn =
      sent.end.kind === 'failed' && !sent.end.isSent && isConnectFault(sent.end.error) && attempt.stopped === null
    if (!mayGoOn) break
  }
  const result = sent.end.kind === 'answered' ? endingOfAnswer(sent.end, request) : endingOfFailure(sent.end)
  return { ...result, isRepeated: sent.isRepeated }
}

/** The check is a pure function of text and policy: its results are kept for the URLs in use. */
function cachedCheck(policy: OutboundPolicy): Sender['check'] {
  const known = new Map<string, Result<CheckedUrl, RefusalReason>>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const checked = checkParsedUrl(text, policy)
    if (known.size >= checkedUrlsMax) known.clear()
    known.set(text, checked)
    return checked
  }
}

async function checkAtSave(sender: Sender, text: string): Promise<Result<string, RefusalReason>> {
  const checked = checkParsedUrl(text, sender.policy)
  if (!checked.ok) return checked
  const { url, kind, literal } = checked.value
  const refusal: RefusalReason = kind === 'loopback' ? 'scheme' : 'address'
  if (literal !== null || kind === 'listed') return { ok: true, value: url.href }
  const resolution = await sender.resolve(url.hostname)
  if (!resolution.ok) return kind === 'loopback' ? { ok: false, error: refusal } : { ok: true, value: url.href }
  const isAllowed = resolution.addresses.every((address) => isAllowedAnswer(address, kind, sender.policy))
  return isAllowed ? { ok: true, value: url.href } : { ok: false, error: refusal }
}

/** Makes the client; throws when the policy itself is faulty. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  assertPolicy(options.policy)
  const pools = createConnectionPools({
    poolsMax: options.maxPools ?? 4_096,
    idleMs: options.poolIdleMs ?? 60_000,
    connectTimeoutMs: 10_000,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  const resolver = options.resolver ?? createResolver()
  const sender: Sender = {
    policy: options.policy,
    pools,
    check: cachedCheck(options.policy),
    // Names of this machine never leave it, whichever resolver is given.
    resolve: async (name) =>
      isUnderLocalhost(name) ? { ok: true, addresses: localhostAddresses } : await resolver.resolve(name),
  }
  const attemptsOf = createSignalRegistry()

  const send = async (request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult> => {
    const attempt = startAttempt()
    const attempts = signal === undefined ? null : attemptsOf(signal)
    attempts?.add(attempt)
    const timer = setTimeout(() => attempt.stop('WDS_DEADLINE'), request.deadlineMs)
    const inTime = (result: Ending & { isRepeated: boolean }): OutboundResult => {
      const steps = Math.ceil((performance.now() - attempt.startedMs) / durationStepMs)
      return { ...result, durationMs: steps * durationStepMs }
    }
    try {
      if (signal?.aborted) return inTime({ ...ending('released', null), isRepeated: false })
      return inTime(await run(sender, request, attempt))
    } catch {
      // A fault of this module: treated as ours, and as sent when an exchange had begun, so that nothing is claimed that is not known.
      return inTime({ ...ending(attempt.exchange === null ? 'released' : 'unknown', null), isRepeated: false })
    } finally {
      clearTimeout(timer)
      attempts?.delete(attempt)
    }
  }
  return { send, checkAtSave: (url) => checkAtSave(sender, url), close: () => pools.close() }
}
