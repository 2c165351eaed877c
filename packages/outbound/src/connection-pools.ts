// Keeps the connections of the guarded client: one undici Pool per (workspace, origin, pinned address), so that nothing is ever shared between
// workspaces or hosts. It connects only to the pinned address and checks the peer before the first byte (security.md 1.3.4 to 1.3.6).

import { constants } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { buildConnector, Pool } from 'undici'
import { isSameAddress } from './address-bytes.ts'
import { onConnectionWithoutDescriptor } from './descriptors.ts'
import { AnswerMeter, MeteredSocket, TooManyBytes } from './metered-socket.ts'
import { createTlsBudget, type TlsBudget } from './tls-budget.ts'

/** What a pool is for. `isAllowed` judges the peer's address once more after connect. */
export interface PoolTarget {
  readonly workspaceId: string
  /** Of the URL: scheme, host and port. */
  readonly origin: string
  readonly address: string
  isAllowed(address: string): boolean
}

/** A pool in use; `connected` counts its connections so far, which tells a fresh one from a kept one. */
export interface PoolEntry {
  readonly pool: Pool
  connected: number
  active: number
  lastUsedMs: number
}

/** The map of pools. `take` marks a pool as in use until `release`; null when the map is full of pools in use. */
export interface ConnectionPools {
  take(target: PoolTarget): PoolEntry | null
  /** A pool of its own, outside the map, for one request on a fresh connection; `discard` ends it. */
  takeFresh(target: PoolTarget): PoolEntry
  release(entry: PoolEntry): void
  discard(entry: PoolEntry): void
  /**
   * Ends the half of the pools with kept connections and none in use that was used least recently; whoever asks meanwhile waits for the same.
   * True: descriptors are free that were not.
   */
  endIdle(): Promise<boolean>
  readonly size: number
  close(): Promise<void>
}

/** Settings; times in milliseconds. */
export interface ConnectionPoolsOptions {
  readonly poolsMax: number
  readonly idleMs: number
  readonly connectTimeoutMs: number
  /** Certificates trusted besides the machine's, PEM. */
  readonly ca?: readonly string[]
  /** Bytes that are taken in answer to one request, of whatever; default 128 KiB. */
  readonly answerBytesMax?: number
}

class NotPinnedError extends Error {
  readonly code = 'WDS_NOT_PINNED'
}

type Connector = ReturnType<typeof buildConnector>

type PinnedOptions = ConnectionPoolsOptions & { readonly budget: TlsBudget }

/** Without key exchange over a group that the receiver makes up: one of 10,000 bits takes a second of everybody's time. */
const ciphers = `${DEFAULT_CIPHERS}:!kDHE`

/** Connects to the pinned address whatever name is asked for; the name stays SNI and the name the certificate must have. */
function pinnedConnector(target: PoolTarget, options: PinnedOptions, onConnected: () => void): Connector {
  const connect = buildConnector(
    withoutUndefined({
      allowH2: false,
      timeout: options.connectTimeoutMs,
      autoSelectFamily: false,
      minVersion: 'TLSv1.2',
      ciphers,
      // A handshake that a receiver asks for again and again costs as much each time.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      rejectUnauthorized: true,
      ca: options.ca === undefined ? undefined : [...options.ca],
    }),
  )
  const { workspaceId, address } = target
  const budget = {
    waitMs: () => options.budget.waitMs(workspaceId),
    spend: (ms: number) => options.budget.spend(workspaceId, ms),
  }
  return (request, callback) => {
    const meter = new AnswerMeter(options.answerBytesMax)
    const raw = request.protocol === 'https:' ? rawSocket(request, address) : null
    const metered = raw === null ? null : new MeteredSocket(raw, { budget, meter })
    const over = metered === null ? {} : { httpSocket: metered as unknown as Socket }
    connect({ ...request, hostname: address, ...over }, (...[error, socket]) => {
      if (error !== null || socket === null) {
        metered?.destroy()
        return callback(error ?? new Error('no socket'), null)
      }
      const peer = (raw ?? socket).remoteAddress
      if (peer === undefined || !isSameAddress(peer, address) || !target.isAllowed(address)) {
        socket.destroy()
        return callback(new NotPinnedError('the peer is not the pinned address'), null)
      }
      if (metered === null) meterReads(socket, meter)
      metered?.opened()
      // Node leaves a connection open on which TLS failed later: its answer would be waited for until the deadline.
      socket.once('error', () => socket.destroy())
      restartWithRequests(socket, meter)
      onConnected()
      callback(null, socket)
    })
  }
}

function rawSocket({ port }: { port: string }, host: string): Socket {
  const raw = connectTcp({ host, port: port === '' ? 443 : Number(port), autoSelectFamily: false })
  return raw.setNoDelay(true).setKeepAlive(true, 60_000)
}

/** One request at a time is on a connection: what comes after it was written is its answer. */
function restartWithRequests(socket: Socket | TLSSocket, meter: AnswerMeter): void {
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  socket.write = (...given: unknown[]) => {
    meter.restart()
    return write(...given)
  }
}

/** Without TLS: the parser gets no more than the meter takes. */
function meterReads(socket: Socket, meter: AnswerMeter): void {
  const read = socket.read.bind(socket)
  let isOver = false
  socket.read = (size?: number) => {
    if (isOver) return null
    const chunk: Buffer | null = read(size)
    isOver = chunk !== null && !meter.takes(chunk.length)
    if (!isOver) return chunk
    // What came before it is read first, as in MeteredSocket.
    setImmediate(() => socket.destroy(new TooManyBytes('WDS_ANSWER_TOO_LARGE')))
    return null
  }
}

function makeEntry(target: PoolTarget, options: PinnedOptions): PoolEntry {
  const connected = { count: 0 }
  const connect = pinnedConnector(target, options, () => {
    connected.count += 1
  })
  const pool = new Pool(target.origin, {
    connect,
    allowH2: false,
    // Whoever sends bounds what is under way: what waited for a connection here would meet its deadline without having been sent.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16_384,
    headersTimeout: 0, // the attempt's own timer is the only one
    bodyTimeout: 0,
    useMilo: false,
  })
  return {
    pool,
    get connected() {
      return connected.count
    },
    active: 0,
    lastUsedMs: performance.now(),
  }
}

/** Makes the map; a sweep closes pools that were idle for `idleMs`. */
export function createConnectionPools(o: ConnectionPoolsOptions): ConnectionPools {
  const options = { ...o, budget: createTlsBudget() }
  const entries = new Map<string, PoolEntry>()
  const closing = new Set<Promise<void>>()

  const end = (entry: PoolEntry): void => {
    const closed: Promise<void> = entry.pool.destroy().then(
      () => {
        closing.delete(closed)
      },
      () => {
        closing.delete(closed)
      },
    )
    closing.add(closed)
  }

  const drop = (key: string, entry: PoolEntry): void => {
    entries.delete(key)
    end(entry)
  }

  const sweep = (): void => {
    const oldestMs = performance.now() - options.idleMs
    for (const [key, entry] of entries) {
      if (entry.active === 0 && entry.lastUsedMs <= oldestMs) drop(key, entry)
    }
  }
  const sweeper = setInterval(sweep, Math.min(10_000, options.idleMs))
  sweeper.unref()

  /** Entries stand in order of use: the first idle one is the least recently used. */
  const makeRoom = (): boolean => {
    if (entries.size < options.poolsMax) return true
    for (const [key, entry] of entries) {
      if (entry.active > 0) continue
      drop(key, entry)
      return true
    }
    return false
  }

  const endHalf = async (): Promise<boolean> => {
    // Of most endpoints the connection has ended long before their pool does.
    const idle = [...entries].filter(([, { active, pool }]) => active === 0 && pool.stats.connected > 0)
    for (const [key, entry] of idle.slice(0, Math.ceil(idle.length / 2))) drop(key, entry)
    const isAny = closing.size > 0
    await Promise.all(closing)
    return isAny
  }
  let underWay: Promise<boolean> | null = null
  const endIdle = (): Promise<boolean> => {
    underWay ??= endHalf().finally(() => {
      underWay = null
    })
    return underWay
  }
  // Whoever lacked one tries again after a while.
  const endLook = onConnectionWithoutDescriptor(() => void endIdle())

  return {
    endIdle,
    take(target) {
      const key = `${target.workspaceId}\n${target.origin}\n${target.address}`
      let entry = entries.get(key)
      if (entry === undefined) {
        if (!makeRoom()) return null
        entry = makeEntry(target, options)
      } else entries.delete(key)
      entries.set(key, entry)
      entry.active += 1
      return entry
    },
    takeFresh: (target) => makeEntry(target, options),
    release(entry) {
      entry.active -= 1
      entry.lastUsedMs = performance.now()
    },
    discard: end,
    get size() {
      return entries.size
    },
    async close() {
      clearInterval(sweeper)
      endLook()
      for (const entry of entries.values()) end(entry)
      entries.clear()
      await Promise.all(closing)
    },
  }
}
