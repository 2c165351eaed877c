// Keeps which API keys exist: from auth's events into the service's own table, and from there into the memory of each process
// (auth.md 5). It never asks another service, and it does not judge by keys that it could not look at for a minute.

import { isScope } from '@wds/contracts/scopes'
import type { LogRecord } from '@wds/event-log/port'
import type { Pool } from '@wds/postgres/pool'
import { ServiceError, type Transaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import { parseRange } from './address-range.ts'
import { readKeyEvents } from './auth-events.ts'
import { type Authenticator, createAuthenticator, type LiveKey } from './authenticator.ts'
import {
  addDigest,
  changeKey,
  insertKeys,
  type KeyRow,
  readChanges,
  revokeKeys,
  revokeKeysOf,
  takeTurn,
} from './key-store.ts'

// biome-ignore lint/performance/noBarrelFile: whoever keeps the projection takes what belongs to it from one place.
export { pruneKeys } from './key-store.ts'

/** The folder with the migrations of the tables access_keys and access_ends. */
export const migrationsDirectory: URL = new URL('./migrations/', import.meta.url)

/**
 * Applies a batch of `auth.events` in the consumer's transaction (`dedupe: 'natural'`). Kinds are applied one after the other:
 * later kinds win over earlier ones whatever their order, and each may come again. Throws `PoisonRecord` for a malformed event.
 */
export async function consumeAuthEvents(tx: Transaction, records: LogRecord[]): Promise<void> {
  const events = readKeyEvents(records)
  if (Object.values(events).every((list) => list.length === 0)) return
  await takeTurn(tx)
  if (events.created.length > 0) await insertKeys(tx, events.created)
  for (const rotated of events.rotated) await addDigest(tx, rotated)
  for (const changed of events.changed) await changeKey(tx, changed)
  if (events.revoked.length > 0) await revokeKeys(tx, events.revoked)
  if (events.deletedWorkspaces.length > 0) await revokeKeysOf(tx, events.deletedWorkspaces)
}

/** Options of `createKeyDirectory`. */
export interface KeyDirectoryOptions {
  /** Of the HTTP role: it may only read the table. */
  pool: Pool
  /** Milliseconds between looks at the table; 250 unless told, of the 2 s that a revocation may take (auth.md 5, rule 3). */
  pollMs?: number
  /** Milliseconds after which keys that could not be looked at are no longer judged by; 60,000 unless told (security.md XO14). */
  staleMs?: number
  logger: Logger
}

/** Judges by the keys in memory, which follow the table. */
export interface KeyDirectory extends Authenticator {
  /** Begins to follow; resolves at once. A database that does not answer is tried again. */
  start(): Promise<void>
  /** Ends; resolves when no query is under way. */
  stop(): Promise<void>
  /** Resolves when the whole table is in memory for the first time; rejects when stopped before. */
  whenLoaded(): Promise<void>
}

const rowsPerRead = 5_000
/** A row of a revoked key is gone a day later: whoever did not look for so long reads the whole table again. */
const forgottenMs = 30 * 86_400_000

/** Builds the directory. Before it is loaded, and when it is stale, `authenticate` throws `ServiceError` `keys_unavailable` (→ 503). */
export function createKeyDirectory(o: KeyDirectoryOptions): KeyDirectory {
  const pollMs = o.pollMs ?? 250
  const memory = createMemory(o.pool, o.staleMs ?? 60_000)
  const loaded = Promise.withResolvers<void>()
  loaded.promise.catch(() => undefined)
  const stopped = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function follow(): Promise<void> {
    let failures = 0
    while (!stopped.signal.aborted) {
      try {
        await memory.readChanges(stopped.signal)
        if (failures > 0) o.logger.info({ failures }, 'keys can be read again')
        failures = 0
        if (!stopped.signal.aborted) loaded.resolve()
      } catch (error) {
        failures += 1
        if (failures === 1) o.logger.warn({ err: error }, 'keys cannot be read, trying again')
      }
      await pause(Math.min(pollMs * 2 ** Math.min(failures, 5), Math.max(pollMs, 2_000)), stopped.signal)
    }
    loaded.reject(new Error('the key directory was stopped before it was loaded'))
  }

  return {
    authenticate: memory.authenticator.authenticate,
    async start() {
      running = follow()
    },
    async stop() {
      stopped.abort()
      await running
      loaded.reject(new Error('the key directory was stopped before it was loaded'))
    },
    whenLoaded: () => loaded.promise,
  }
}

/** The keys in memory, how far the table was read, and the clock anchored at the database's. */
function createMemory(pool: Pool, staleMs: number) {
  const keys = new Map<string, LiveKey>()
  let seq = '0'
  let anchor: { databaseMs: number; monotonicMs: number } | null = null

  const nowMs = () => {
    const sinceMs = anchor === null ? Number.POSITIVE_INFINITY : performance.now() - anchor.monotonicMs
    if (anchor === null || sinceMs > staleMs) throw new ServiceError('keys_unavailable', 'The keys could not be read.')
    return anchor.databaseMs + sinceMs
  }
  return {
    authenticator: createAuthenticator({
      findKey: (digest) => {
        nowMs()
        return keys.get(digest)
      },
      nowMs,
    }),
    async readChanges(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const monotonicMs = performance.now()
        const { rows, nowMs: databaseMs } = await readChanges(pool, seq, rowsPerRead)
        if (anchor !== null && databaseMs - anchor.databaseMs > forgottenMs) {
          keys.clear()
          seq = '0'
          anchor = null
          continue
        }
        for (const row of rows) take(keys, row)
        seq = rows.at(-1)?.seq ?? seq
        if (rows.length < rowsPerRead) {
          // Taken before the query: the clock is early by its duration at most, so that no key lives too long.
          anchor = { databaseMs, monotonicMs }
          return
        }
      }
    },
  }
}

function take(keys: Map<string, LiveKey>, row: KeyRow): void {
  if (row.revoked) {
    keys.delete(row.digest)
    return
  }
  keys.set(row.digest, {
    client: {
      workspaceId: row.workspace_id,
      kind: 'api_key',
      id: row.key_id,
      scopes: new Set(row.scopes.filter(isScope)),
    },
    ranges: row.cidrs.length === 0 ? null : row.cidrs.map(parseRange).filter((range) => range !== null),
    endsMs: row.ends_ms ?? Number.POSITIVE_INFINITY,
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
