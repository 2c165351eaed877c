// Keeps the connections of the guarded client: one undici Pool per (workspace, origin, pinned address), so that nothing is ever shared between
// workspaces or hosts. It connects only to the pinned address and checks the peer before the first byte (security.md 1, connect steps 4 to 6).

import { buildConnector, Pool } from 'undici'
import { isSameAddress } from './address-bytes.ts'

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
}

class NotPinnedError extends Error {
  readonly code = 'WDS_NOT_PINNED'
}

type Connector = ReturnType<typeof buildConnector>

/** Connects to the pinned address whatever name is asked for; the name stays SNI and the name the certificate must have. */
function pinnedConnector(target: PoolTarget, options: ConnectionPoolsOptions, onConnected: () => void): Connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    autoSelectFamily: false,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
  })
  return (request, callback) => {
    connect({ ...request, hostname: target.address }, (...[error, socket]) => {
      if (error !== null || socket === null) return callback(error ?? new Error('no socket'), null)
      const peer = socket.remoteAddress
      if (peer === undefined || !isSameAddress(peer, target.address) || !target.isAllowed(target.address)) {
        socket.destroy()
        return callback(new NotPinnedError('the peer is not the pinned address'), null)
      }
      onConnected()
      callback(null, socket)
    })
  }
}

function makeEntry(target: PoolTarget, options: ConnectionPoolsOptions): PoolEntry {
  const connected = { count: 0 }
  const connect = pinnedConnector(target, options, () => {
    connected.count += 1
  })
  const pool = new Pool(target.origin, {
    connect,
    allowH2: false,
    connections: 64, // the greatest max_in_flight of a subscription
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
export function createConnectionPools(options: ConnectionPoolsOptions): ConnectionPools {
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

  const sweep = (): void => {
    const oldestMs = performance.now() - options.idleMs
    for (const [key, entry] of entries) {
      if (entry.active > 0 || entry.lastUsedMs > oldestMs) continue
      entries.delete(key)
      end(entry)
    }
  }
  const sweeper = setInterval(sweep, Math.min(10_000, options.idleMs))
  sweeper.unref()

  /** Entries stand in order of use: the first idle one is the least recently used. */
  const makeRoom = (): boolean => {
    if (entries.size < options.poolsMax) return true
    for (const [key, entry] of entries) {
      if (entry.active > 0) continue
      entries.delete(key)
      end(entry)
      return true
    }
    return false
  }

  return {
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
      for (const entry of entries.values()) end(entry)
      entries.clear()
      await Promise.all(closing)
    },
  }
}
