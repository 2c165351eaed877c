// Reads feeds of addresses that users give us: the same rule as the guarded client (security.md 1), one GET at a time, its body as a stream
// with bounds of time and bytes. It never follows a redirect and keeps nothing of what it reads.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { Result } from '@wds/contracts/result'
import type { Dispatcher } from 'undici'
import { assertPolicy, isAllowedAnswer, type OutboundPolicy, type RefusalReason } from './address-rule.ts'
import { classifyError, isConnectFault, isOurError } from './attempt-errors.ts'
import { type ConnectionPools, createConnectionPools, type PoolEntry, type PoolTarget } from './connection-pools.ts'
import { isOutOfDescriptors } from './descriptors.ts'
import { isRefusedHeader } from './guarded-client.ts'
import { isUnderLocalhost, localhostAddresses } from './localhost-name.ts'
import { createResolver, type Resolution, type Resolver } from './resolver.ts'
import { cachedCheck, checkAtSave, inOrder, type Target } from './target.ts'

/** One GET. Times count from the call. */
export interface FeedRequest {
  readonly workspaceId: string
  readonly url: string
  /** Names that HTTP itself needs are left out; `accept-encoding` is `gzip`, which the reader undoes within bounds. */
  readonly headers: Record<string, string>
  /** Until the status line: DNS, connect, TLS and waiting. */
  readonly firstByteMs: number
  /** Until the last byte. */
  readonly deadlineMs: number
}

/** Why there is no answer, or no more of it. `ours`: a fault of this side that passes, or an end by the signal. */
export class FeedFault extends Error {
  readonly code: AttemptErrorCode | 'ours'

  constructor(code: FeedFault['code'], cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

/** An answer whose status line arrived. Who does not read the body to its end calls `close`. */
export interface FeedAnswer {
  readonly status: number
  /** Its lines of this name, lower case, joined as RFC 9110 5.3 has it; null without one. */
  header(name: string): string | null
  /** The bytes as sent, read once. Throws FeedFault. */
  readonly body: AsyncIterable<Buffer>
  close(): void
}

/** The client. */
export interface FeedClient {
  /** Throws FeedFault. */
  get(request: FeedRequest, signal: AbortSignal): Promise<FeedAnswer>
  /** The serialised URL to store, or why it is refused; a name that does not resolve is accepted (check step 7). */
  checkAtSave(url: string): Promise<Result<string, RefusalReason>>
  close(): Promise<void>
}

/** Settings of the client. */
export interface FeedClientOptions {
  readonly policy: OutboundPolicy
  readonly resolver?: Resolver
  /** Bytes of one answer as sent, its headers included. */
  readonly answerBytesMax: number
  /** Default 10,000. */
  readonly connectTimeoutMs?: number
  /** Certificates trusted besides the machine's, PEM. */
  readonly ca?: readonly string[]
}

interface Parts {
  readonly policy: OutboundPolicy
  readonly pools: ConnectionPools
  readonly resolve: Resolver['resolve']
  check(url: string): Target | null
}

/** Makes the client; throws when the policy itself is faulty. */
export function createFeedClient(o: FeedClientOptions): FeedClient {
  assertPolicy(o.policy)
  const { policy, answerBytesMax, connectTimeoutMs = 10_000 } = o
  const ca = o.ca === undefined ? {} : { ca: o.ca }
  const pools = createConnectionPools({ poolsMax: 1_024, idleMs: 10_000, connectTimeoutMs, answerBytesMax, ...ca })
  const resolver = o.resolver ?? createResolver()
  const parts: Parts = {
    policy,
    pools,
    check: cachedCheck(policy),
    // Names of this machine never leave it, whichever resolver is given.
    resolve: (name) => (isUnderLocalhost(name) ? { ok: true, addresses: localhostAddresses } : resolver.resolve(name)),
  }
  return {
    get: (request, signal) => get(parts, request, signal),
    checkAtSave: (url) => checkAtSave(parts, url),
    close: () => pools.close(),
  }
}

async function get(parts: Parts, request: FeedRequest, signal: AbortSignal): Promise<FeedAnswer> {
  const underWay = new UnderWay(request, signal)
  try {
    const target = parts.check(request.url)
    if (target === null) throw new FeedFault('destination_not_allowed')
    const isAllowed = (address: string): boolean => isAllowedAnswer(address, target.kind, parts.policy)
    const addresses = await underWay.orStopped(addressesOf(parts, { target, isAllowed, underWay }))
    return await getFrom(parts, { request, target, addresses, isAllowed, underWay })
  } catch (error) {
    underWay.end()
    throw underWay.faultOf(error)
  }
}

async function addressesOf(
  parts: Parts,
  { target, isAllowed, underWay }: Pick<Asked, 'target' | 'isAllowed' | 'underWay'>,
): Promise<string[]> {
  const resolution = (): Resolution | Promise<Resolution> =>
    target.literal === null ? parts.resolve(target.hostname) : { ok: true, addresses: [target.literal] }
  let found = await resolution()
  while (!found.ok && found.fault === 'no_descriptor' && (await makeRoom(parts, underWay))) found = await resolution()
  if (!found.ok) {
    const codes = { not_found: 'dns_not_found', failed: 'dns_failed', ours: 'ours', no_descriptor: 'ours' } as const
    throw new FeedFault(codes[found.fault])
  }
  if (found.addresses.length === 0 || !found.addresses.every(isAllowed)) throw new FeedFault('destination_not_allowed')
  return inOrder(found.addresses)
}

/** Kept connections hold the descriptors that this request wants. False: there is nothing more to end, or the request was ended. */
const makeRoom = async ({ pools }: Parts, underWay: UnderWay): Promise<boolean> =>
  !underWay.isStopped && (await pools.endIdle()) && !underWay.isStopped

interface Asked {
  request: FeedRequest
  target: Target
  addresses: string[]
  isAllowed(address: string): boolean
  underWay: UnderWay
}

/** The answer of the first address that takes a connection. */
async function getFrom(parts: Parts, o: Asked): Promise<FeedAnswer> {
  const { workspaceId } = o.request
  let fault: unknown = new FeedFault('connection_failed')
  for (const address of o.addresses) {
    const { origin } = o.target
    try {
      return await getOn(parts, o, { workspaceId, origin, address, isAllowed: o.isAllowed })
    } catch (error) {
      fault = error
      if (!isConnectFault(error)) break
    }
  }
  throw fault
}

async function getOn(parts: Parts, o: Asked, target: PoolTarget): Promise<FeedAnswer> {
  const { pools } = parts
  const entry = pools.take(target)
  if (entry === null) throw new FeedFault('ours')
  try {
    const answer = await askTwice(parts, entry, o)
    return toAnswer(answer, o.underWay, () => pools.release(entry))
  } catch (error) {
    pools.release(entry)
    throw error
  }
}

/** A kept connection may have been closed meanwhile: what asks for the same again harms nobody. */
async function askTwice(parts: Parts, entry: PoolEntry, o: Asked): Promise<Dispatcher.ResponseData> {
  const before = entry.connected
  try {
    return await askWithRoom(parts, entry, o)
  } catch (error) {
    const wasKept = entry.connected === before
    if (!wasKept || o.underWay.isStopped || classifyError(error) !== 'connection_reset') throw error
    return askWithRoom(parts, entry, o)
  }
}

async function askWithRoom(parts: Parts, entry: PoolEntry, o: Asked): Promise<Dispatcher.ResponseData> {
  for (;;) {
    try {
      return await ask(entry, o)
    } catch (error) {
      if (!isOutOfDescriptors(error) || !(await makeRoom(parts, o.underWay))) throw error
    }
  }
}

function ask({ pool }: PoolEntry, { request, target, underWay }: Asked): Promise<Dispatcher.ResponseData> {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !isRefusedHeader(name)))
  const own = { 'accept-encoding': 'gzip' }
  return pool.request({ method: 'GET', path: target.path, headers: { ...headers, ...own }, signal: underWay.signal })
}

function toAnswer(answer: Dispatcher.ResponseData, underWay: UnderWay, release: () => void): FeedAnswer {
  const { statusCode: status, headers, body } = answer
  underWay.begun()
  // What is aborted with nobody reading must not end the process.
  body.on('error', () => undefined)
  let isOver = false
  const over = () => {
    if (isOver) return
    isOver = true
    underWay.end()
    release()
  }
  const close = () => {
    body.destroy()
    over()
  }
  return {
    status,
    header: (name) => {
      const lines = headers[name]
      return lines === undefined ? null : [lines].flat().join(', ')
    },
    body: {
      async *[Symbol.asyncIterator]() {
        try {
          for await (const chunk of body) yield chunk as Buffer
        } catch (error) {
          throw underWay.faultOf(error)
        } finally {
          close()
        }
      },
    },
    close,
  }
}

/** A request and what may end it: its two deadlines and the caller's signal. */
class UnderWay {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #stop: () => void
  readonly #deadline: NodeJS.Timeout
  #firstByte: NodeJS.Timeout | null
  #fault: FeedFault | null = null

  constructor(o: { firstByteMs: number; deadlineMs: number }, outer: AbortSignal) {
    this.#outer = outer
    this.#stop = () => this.#end(new FeedFault('ours', outer.reason))
    this.#deadline = setTimeout(() => this.#end(new FeedFault('timeout')), o.deadlineMs)
    this.#firstByte = setTimeout(() => this.#end(new FeedFault('timeout')), o.firstByteMs)
    outer.addEventListener('abort', this.#stop)
    if (outer.aborted) this.#stop()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isStopped(): boolean {
    return this.#fault !== null
  }

  /** The status line is there. */
  begun(): void {
    if (this.#firstByte !== null) clearTimeout(this.#firstByte)
    this.#firstByte = null
  }

  end(): void {
    this.begun()
    clearTimeout(this.#deadline)
    this.#outer.removeEventListener('abort', this.#stop)
  }

  /** Whatever is waited for is not waited for beyond the end. */
  orStopped<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined)
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.#fault)
      if (this.signal.aborted) stop()
      this.signal.addEventListener('abort', stop, { once: true })
      work.then(resolve, reject)
    })
  }

  faultOf(error: unknown): FeedFault {
    if (this.#fault !== null) return this.#fault
    if (error instanceof FeedFault) return error
    return new FeedFault(isOurError(error) ? 'ours' : classifyError(error), error)
  }

  #end(fault: FeedFault): void {
    this.#fault ??= fault
    this.#controller.abort(this.#fault)
  }
}
