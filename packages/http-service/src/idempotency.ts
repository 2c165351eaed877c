// Keeps the answer of a POST with an Idempotency-Key in the transaction of its effect (api-conventions.md 5). Only a 2xx is ever stored.

import { createHash, createHmac } from 'node:crypto'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { tryAdvisoryXactLock } from '@wds/postgres/advisory-lock'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { answerContent } from './answer-content.ts'
import { Problem } from './problem.ts'
import type { ApiAnswer } from './route.ts'

/** Holds `0001-idempotency-keys.sql`. */
export const migrationsDirectory = new URL('./migrations/', import.meta.url)

/** A key and what it is bound to (C31). */
export interface IdempotencyScope {
  workspaceId: string
  clientId: string
  method: string
  /** The path as requested, ids included. */
  path: string
  key: string
}

/** The key of the header, or null without one. Throws Problem `invalid_idempotency_key` (C32). `values`: each header line. */
export function readIdempotencyKey(values: string[]): string | null {
  const [value, second] = values
  if (value === undefined) return null
  const text = value.trim()
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1')
  const key = quoted ?? (text.startsWith('"') ? '' : text)
  if (second === undefined && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Problem('invalid_idempotency_key', {
    errors: [
      { parameter: 'Idempotency-Key', code: 'invalid_idempotency_key', detail: '1 to 255 printable ASCII characters.' },
    ],
  })
}

/** What is kept of a request, whose body may hold a secret: a digest that nobody can compute without the key, which is not kept. */
function digestOf(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Answers of processes before this version were stored beside the text itself. */
function isSameRequest(stored: string, text: string, key: string): boolean {
  return stored === digestOf(text, key) || stored === text
}

interface StoredRow {
  fingerprint: string
  status: number
  headers: Record<string, string>
  body: string | null
  secret: boolean
}

/** Runs `fn` under the key within `tx`, or gives the stored answer. Throws Problems `idempotency_in_progress` and `idempotency_key_reused`. */
export async function runIdempotently(
  tx: Transaction,
  o: { scope: IdempotencyScope; envelope: EnvelopeEncryption; fingerprint: () => Promise<string> },
  fn: (tx: Transaction) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const { scope } = o
  const hash = keyHash(scope)
  // First statement: an insert into the unique index would wait for the other's commit, and 409 would never come.
  if (!(await tryAdvisoryXactLock(tx, `idempotency:${scope.workspaceId}:${hash}`))) {
    throw new Problem('idempotency_in_progress', { headers: { 'retry-after': '1' } })
  }
  const stored = await findKey(tx, scope.workspaceId, hash)
  if (stored) {
    if (!isSameRequest(stored.fingerprint, await o.fingerprint(), scope.key))
      throw new Problem('idempotency_key_reused')
    return replay(stored, { scope, hash, envelope: o.envelope })
  }
  const answer = await fn(tx)
  if (answer.status < 200 || answer.status > 299) throw new RangeError('a handler answers 2xx or throws a Problem')
  const content = answerContent(answer)
  const text = content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content
  const secret = answer.holdsSecret === true
  const body = text !== null && secret ? o.envelope.encrypt(text, associated(scope, hash)) : text
  const row = {
    fingerprint: digestOf(await o.fingerprint(), scope.key),
    status: answer.status,
    headers: storedHeaders(answer),
    body,
    secret,
  }
  await storeKey(tx, { workspaceId: scope.workspaceId, hash, row })
  return answer
}

function keyHash(scope: IdempotencyScope): string {
  const parts = JSON.stringify([scope.clientId, scope.method, scope.path, scope.key])
  return createHash('sha256').update(parts).digest('hex')
}

function associated(scope: IdempotencyScope, hash: string) {
  return { workspaceId: scope.workspaceId, table: 'idempotency_keys', rowId: hash, column: 'body' }
}

function storedHeaders(answer: ApiAnswer): Record<string, string> {
  return withoutUndefined({
    ...answer.headers,
    location: answer.location,
    'x-version': answer.version === undefined ? undefined : String(answer.version),
    'x-cache': answer.cache,
  })
}

function replay(row: StoredRow, o: { scope: IdempotencyScope; hash: string; envelope: EnvelopeEncryption }): ApiAnswer {
  const { location, 'x-version': version, 'x-cache': cache, ...headers } = row.headers
  const text = row.body !== null && row.secret ? o.envelope.decrypt(row.body, associated(o.scope, o.hash)) : row.body
  return withoutUndefined({
    status: row.status,
    headers: { ...headers, 'idempotency-replayed': 'true' },
    holdsSecret: row.secret,
    bytes: text === null ? undefined : Buffer.from(text, 'utf8'),
    location,
    version: version === undefined ? undefined : Number(version),
    cache: cache === undefined ? undefined : (cache as NonNullable<ApiAnswer['cache']>),
  })
}

/** By the primary key. A key older than 24 h by the database's clock is not there (C34). */
async function findKey(tx: Transaction, workspaceId: string, hash: string): Promise<StoredRow | null> {
  const { rows } = await tx.query<StoredRow & { [column: string]: unknown }>(
    `select fingerprint, status, headers, body, secret from idempotency_keys
      where workspace_id = $1 and key_hash = $2 and created > app_now() - interval '24 hours'`,
    [workspaceId, hash],
  )
  return rows[0] ?? null
}

/** By the primary key; replaces a row that has ended but is not purged yet. */
async function storeKey(tx: Transaction, o: { workspaceId: string; hash: string; row: StoredRow }): Promise<void> {
  const { fingerprint, status, headers, body, secret } = o.row
  await tx.query(
    `insert into idempotency_keys (workspace_id, key_hash, fingerprint, status, headers, body, secret, created)
     values ($1, $2, $3, $4, $5, $6, $7, app_now())
     on conflict (workspace_id, key_hash) do update set fingerprint = excluded.fingerprint, status = excluded.status,
       headers = excluded.headers, body = excluded.body, secret = excluded.secret, created = excluded.created`,
    [o.workspaceId, o.hash, fingerprint, status, JSON.stringify(headers), body, secret],
  )
}

/** Removes keys that have ended, at most 1,000 a call, oldest first by the index on created; `pool` is the worker role's. Returns how many. */
export async function purgeIdempotencyKeys(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from idempotency_keys where (workspace_id, key_hash) in (
       select workspace_id, key_hash from idempotency_keys
        where created <= app_now() - interval '24 hours' order by created limit 1000)`,
  )
  return rowCount ?? 0
}
