// The only client for addresses that users give us: check, resolve, pin, connect, send, read, within one absolute deadline (security.md 1).
// It never throws, never follows a redirect, never uses a proxy and never shares a connection between workspaces.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { Result } from '@wds/contracts/result'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { resumed, runAs } from '@wds/telemetry/event-loop-delay'
import type { OutboundPolicy, RefusalReason } from './address-rule.ts'
import { assertPolicy, isAllowedAnswer } from './address-rule.ts'
import { Attempt, createSignalRegistry } from './attempt.ts'
import { classifyError, errorCodeOf, isConnectFault, isOurError } from './attempt-errors.ts'
import { type ConnectionPools, createConnectionPools, type PoolEntry, type PoolTarget } from './connection-pools.ts'
import { isOutOfDescriptors } from './descriptors.ts'
import { type ExchangeEnd, type ExchangeRequest, startExchange } from './exchange.ts'
import { isUnderLocalhost, localhostAddresses } from './localhost-name.ts'
import { createResolver, type Resolution, type Resolver } from './resolver.ts'
import { makeExcerpt } from './response-excerpt.ts'
import { cachedCheck, checkAtSave, inOrder, type Target } from './target.ts'

/** One attempt to send. `deadlineMs` counts from the call and covers DNS, connect, TLS, headers and body. */
export interface OutboundRequest {
  readonly workspaceId: string
  readonly url: string
  readonly method: 'POST'
  /** Names that HTTP itself needs (host, content-length, connection …) are left out, and `accept-encoding`, which is `identity`. */
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  readonly deadlineMs: number
  readonly bodyBytesMax: 65536
  readonly excerptBytes: 1024
}

/**
 * What became of an attempt. `answered`: a status line arrived (`errorCode` is `http_status` unless 2xx). `failed`: the receiver's fault or a refused
 * destination. `released`: a fault of ours before the first byte. `unresolved`: the same, since our own name servers are out of reach, which
 * says nothing of the receiver however long it lasts. `unknown`: ended by us after the first byte.
 */
export interface OutboundResult {
  readonly outcome: 'answered' | 'failed' | 'released' | 'unresolved' | 'unknown'
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

const durationStepMs = 50
const refusedHeaders = new Set(
  'host content-length connection keep-alive proxy-connection proxy-authorization transfer-encoding te trailer upgrade expect cookie accept-encoding'.split(
    ' ',
  ),
)

class NoPoolError extends Error {
  readonly code = 'WDS_NO_POOL'
}

type Ending = Omit<OutboundResult, 'durationMs'>

function ending(outcome: OutboundResult['outcome'], errorCode: AttemptErrorCode | null, isRepeated = false): Ending {
  return { outcome, status: null, errorCode, excerpt: null, retryAfter: null, isRepeated }
}

/** Consequence of an exchange without a status line. */
function endingOfFailure(end: Extract<ExchangeEnd, { kind: 'failed' }>, isRepeated: boolean): Ending {
  if (errorCodeOf(end.error) === 'WDS_DEADLINE') return ending('failed', 'timeout', isRepeated)
  if (errorCodeOf(end.error) === 'WDS_SHUTDOWN' || isOurError(end.error))
    return ending(end.isSent ? 'unknown' : 'released', null, isRepeated)
  return ending('failed', classifyError(end.error), isRepeated)
}

const single = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? (value[0] ?? null) : (value ?? null)

const joined = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(', ') : (value ?? null)

function endingOfAnswer(
  end: Extract<ExchangeEnd, { kind: 'answered' }>,
  request: OutboundRequest,
  isRepeated: boolean,
): Ending {
  const isSuccess = end.status >= 200 && end.status < 300
  return {
    outcome: 'answered',
    status: end.status,
    errorCode: isSuccess ? null : 'http_status',
    excerpt: makeExcerpt(end.body, joined(end.headers['content-encoding']), request.excerptBytes),
    retryAfter: single(end.headers['retry-after'])?.slice(0, 100) ?? null,
    isRepeated,
  }
}

interface Sender {
  readonly policy: OutboundPolicy
  resolve: Resolver['resolve']
  readonly pools: ConnectionPools
  check(url: string): Target | null
}

/** Step 2 of connect(url); undefined when the attempt was ended meanwhile. What is known is not waited for. */
function resolutionOf(sender: Sender, target: Target, attempt: Attempt) {
  if (target.literal !== null) return { ok: true as const, addresses: [target.literal] }
  const found = sender.resolve(target.hostname)
  return 'then' in found ? lookedUp(found, { sender, target, attempt }) : found
}

async function lookedUp(
  found: Promise<Resolution>,
  { sender, target, attempt }: { sender: Sender; target: Target; attempt: Attempt },
): Promise<Resolution | undefined> {
  let resolution = await attempt.orStopped(found)
  while (resolution?.ok === false && resolution.fault === 'no_descriptor' && (await makeRoom(sender, attempt)))
    resolution = await attempt.orStopped(sender.resolve(target.hostname))
  return resolution
}

/** Kept connections hold the descriptors that an attempt wants. False: there is nothing more to end, or the attempt was ended. */
const makeRoom = async ({ pools }: Sender, attempt: Attempt): Promise<boolean> =>
  attempt.stopped === null && (await attempt.orStopped(pools.endIdle())) === true

/** Step 3 of connect(url): the addresses that may be connected to, or how the attempt ends. */
function addressesOf(resolution: Resolution | undefined, attempt: Attempt, isAllowed: (address: string) => boolean) {
  if (resolution === undefined) {
    return attempt.stopped?.code === 'WDS_SHUTDOWN' ? ending('released', null) : ending('failed', 'timeout')
  }
  if (!resolution.ok) {
    if (resolution.fault === 'ours') return ending('unresolved', null)
    if (resolution.fault === 'no_descriptor') return ending('released', null)
    return ending('failed', resolution.fault === 'not_found' ? 'dns_not_found' : 'dns_failed')
  }
  const isRefused = resolution.addresses.length === 0 || !resolution.addresses.every(isAllowed)
  return isRefused ? ending('failed', 'destination_not_allowed') : inOrder(resolution.addresses)
}

async function exchangeOn(entry: PoolEntry, request: ExchangeRequest, attempt: Attempt): Promise<ExchangeEnd> {
  const exchange = startExchange(entry, request)
  attempt.exchange = exchange
  if (attempt.stopped !== null) exchange.abort(attempt.stopped)
  const end = await exchange.end
  resumed()
  return end
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

const isWithoutDescriptor = (end: ExchangeEnd): boolean =>
  end.kind === 'failed' && !end.isSent && isOutOfDescriptors(end.error)

/** Once more for as long as what was lacking is a descriptor, and kept connections can be ended for it. */
async function exchangeWithRoom(sender: Sender, entry: PoolEntry, request: ExchangeRequest, attempt: Attempt) {
  let end = await exchangeOn(entry, request, attempt)
  while (isWithoutDescriptor(end) && (await makeRoom(sender, attempt))) end = await exchangeOn(entry, request, attempt)
  return end
}

/** Steps 4 to 7 on one address; a kept connection that was reset before any answer byte is replaced by a fresh one, once. */
async function sendTo(sender: Sender, target: PoolTarget, request: ExchangeRequest, attempt: Attempt) {
  const entry = sender.pools.take(target)
  if (entry === null) return { end: notSent(new NoPoolError('every pool is in use')), isRepeated: false }
  try {
    const end = await exchangeWithRoom(sender, entry, request, attempt)
    if (!isResetOfKept(end) || attempt.stopped !== null) return { end, isRepeated: false }
  } finally {
    sender.pools.release(entry)
  }
  const fresh = sender.pools.takeFresh(target)
  try {
    const end = await exchangeWithRoom(sender, fresh, request, attempt)
    // The first sending reached the wire: an end of ours is never 'released' any more.
    return { end: end.kind === 'failed' ? { ...end, isSent: true } : end, isRepeated: true }
  } finally {
    sender.pools.discard(fresh)
  }
}

/** Left out of what callers give. */
export const isRefusedHeader = (name: string): boolean => refusedHeaders.has(name.toLowerCase())

/** Asks for an answer without content coding: none is undone (response-excerpt.ts). */
function headersOf({ headers }: OutboundRequest): Record<string, string> {
  const own = { 'accept-encoding': 'identity' }
  if (!Object.keys(headers).some(isRefusedHeader)) return { ...headers, ...own }
  return { ...Object.fromEntries(Object.entries(headers).filter(([name]) => !isRefusedHeader(name))), ...own }
}

async function run(sender: Sender, request: OutboundRequest, attempt: Attempt): Promise<Ending> {
  const target = sender.check(request.url)
  if (target === null) return ending('failed', 'destination_not_allowed')
  const { origin, path, kind } = target
  const resolution = resolutionOf(sender, target, attempt)
  const isAllowed = (address: string): boolean => isAllowedAnswer(address, kind, sender.policy)
  const addresses = addressesOf(resolution instanceof Promise ? await resolution : resolution, attempt, isAllowed)
  if (!Array.isArray(addresses)) return addresses
  const { workspaceId, method, body, bodyBytesMax } = request
  const exchangeRequest = { method, path, headers: headersOf(request), body, bodyBytesMax }
  let sent: { end: ExchangeEnd; isRepeated: boolean } | null = null
  for (const address of addresses) {
    sent = await sendTo(sender, { workspaceId, origin, address, isAllowed }, exchangeRequest, attempt)
    const { end } = sent
    const mayGoOn = end.kind === 'failed' && !end.isSent && isConnectFault(end.error) && attempt.stopped === null
    if (!mayGoOn) break
  }
  const { end, isRepeated } = sent ?? { end: notSent(new Error('no address')), isRepeated: false }
  return end.kind === 'answered' ? endingOfAnswer(end, request, isRepeated) : endingOfFailure(end, isRepeated)
}

/** Makes the client; throws when the policy itself is faulty. */
export function createGuardedClient(options: GuardedClientOptions): GuardedClient {
  assertPolicy(options.policy)
  const pools = createConnectionPools(
    withoutUndefined({
      poolsMax: options.maxPools ?? 4_096,
      idleMs: options.poolIdleMs ?? 60_000,
      connectTimeoutMs: 10_000,
      ca: options.ca,
    }),
  )
  const resolver = options.resolver ?? createResolver()
  const sender: Sender = {
    policy: options.policy,
    pools,
    check: cachedCheck(options.policy),
    // Names of this machine never leave it, whichever resolver is given.
    resolve: (name) => (isUnderLocalhost(name) ? { ok: true, addresses: localhostAddresses } : resolver.resolve(name)),
  }
  const attemptsOf = createSignalRegistry()

  const send = async (request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult> => {
    const attempt = new Attempt()
    const attempts = signal === undefined ? null : attemptsOf(signal)
    attempts?.add(attempt)
    const timer = setTimeout(() => attempt.stop('WDS_DEADLINE'), request.deadlineMs)
    const inTime = (result: Ending): OutboundResult => {
      const steps = Math.ceil((performance.now() - attempt.startedMs) / durationStepMs)
      return { ...result, durationMs: steps * durationStepMs }
    }
    try {
      if (signal?.aborted) return inTime(ending('released', null))
      const work = () => ({ job: 'attempt', workspace_id: request.workspaceId })
      return inTime(await runAs(work, () => run(sender, request, attempt)))
    } catch {
      // A fault of this module: treated as ours, and as sent when an exchange had begun, so that nothing is claimed that is not known.
      return inTime(ending(attempt.exchange === null ? 'released' : 'unknown', null))
    } finally {
      clearTimeout(timer)
      attempts?.delete(attempt)
    }
  }
  return { send, checkAtSave: (url) => checkAtSave(sender, url), close: () => pools.close() }
}
