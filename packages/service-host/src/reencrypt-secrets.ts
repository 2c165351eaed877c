// The operator's command `reencrypt-secrets`: encrypts all that a service stores encrypted by the current key while the service runs, in
// small batches (decision 47). A value that no key opens ends it: nothing is passed over.
import type { EnvelopePlace } from '@wds/envelope-encryption/envelope-encryption'
import { workspacesOf } from '@wds/event-store/republish'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { defineSettings } from '@wds/settings/settings'
import { type Encryption, readEncryption } from './encryption.ts'
import { forgetOldKeys, type OldKeys, requireKeyInUse } from './key-canary.ts'
import { databaseUrl, secretSettings } from './service-settings.ts'

/** A column of encrypted values, which are bound to it and to their row (security.md 3); `id` names the row. */
export interface EncryptedColumn extends Pick<EnvelopePlace, 'table' | 'column'> {
  id: string
  /** `workspace`: rows of workspaces that have events, with a `workspace_id`. `service`: few rows, of no workspace. */
  of: 'workspace' | 'service'
}

/** What was done, and what may be done about the old keys. */
export interface Reencrypted {
  read: number
  changed: number
  oldKeys: OldKeys
}

export interface ReencryptOptions extends Encryption {
  /** The role that serves requests: it alone may write secrets, of one workspace at a time. */
  pool: Pool
  /** The worker's, which sees what workspaces there are and forgets keys. */
  worker: Pool
  columns: readonly EncryptedColumn[]
  batch?: number
  /** Told after each batch. */
  progress(count: { read: number; changed: number }): void
}

const defaultBatch = 200

/** It may be repeated, and ended at any time. A key that the service does not encrypt with yet is refused. */
export async function reencryptSecrets(o: ReencryptOptions): Promise<Reencrypted> {
  await requireKeyInUse(o.worker, o.kid)
  const count = { read: 0, changed: 0 }
  const workspaces = o.columns.some((column) => column.of === 'workspace') ? await workspacesOf(o.worker) : []
  for (const column of o.columns) {
    for (const workspaceId of column.of === 'workspace' ? workspaces : [null]) {
      let after: string | null = ''
      while (after !== null) after = await reencryptBatch(o, { column, workspaceId, after, count })
    }
  }
  return { ...count, oldKeys: await forgetOldKeys(o.worker, o.kid) }
}

interface Batch {
  column: EncryptedColumn
  workspaceId: string | null
  after: string
  count: { read: number; changed: number }
}

/** The last id of the batch; null where it was the last one. */
async function reencryptBatch(o: ReencryptOptions, { column, workspaceId, after, count }: Batch) {
  const { pool, envelope, batch = defaultBatch } = o
  const { stored, changed } = await withTransaction(pool, { workspaceId }, async (tx) => {
    const rows = await listStored(tx, column, { after, limit: batch })
    const outdated = rows.filter(({ text }) => envelope.isOutdated(text))
    const anew = outdated.map((row) => {
      const place = { workspaceId: workspaceId ?? '', rowId: row.id, table: column.table, column: column.column }
      return { ...row, anew: envelope.rewrap(row.text, place) }
    })
    return { stored: rows, changed: await replaceStored(tx, column, anew) }
  })
  count.read += stored.length
  count.changed += changed
  o.progress(count)
  return stored.length < batch ? null : (stored.at(-1)?.id ?? null)
}

interface StoredText {
  id: string
  text: string
}

/** Row-level security leaves those of the workspace; an index that begins with it, and with the id, serves. */
async function listStored(
  tx: Transaction,
  { table, column, id, of }: EncryptedColumn,
  o: { after: string; limit: number },
): Promise<StoredText[]> {
  const inWorkspace = of === 'workspace' ? 'workspace_id = $3' : '$3::text is null'
  const { rows } = await tx.query<StoredText>(
    `select ${id} as id, ${column} as text from ${table}
      where ${inWorkspace} and ${id} > $1 and ${column} is not null order by ${id} limit $2`,
    [o.after, o.limit, tx.workspaceId],
  )
  return rows
}

/** One that was removed or replaced meanwhile is left alone; how many were replaced. */
async function replaceStored(
  tx: Transaction,
  { table, column, id, of }: EncryptedColumn,
  rows: (StoredText & { anew: string })[],
): Promise<number> {
  if (rows.length === 0) return 0
  const inWorkspace = of === 'workspace' ? 's.workspace_id = $4' : '$4::text is null'
  const { rowCount } = await tx.query(
    `update ${table} s set ${column} = n.anew from unnest($1::text[], $2::text[], $3::text[]) n(id, old, anew)
      where ${inWorkspace} and s.${id} = n.id and s.${column} = n.old`,
    [rows.map((row) => row.id), rows.map((row) => row.text), rows.map((row) => row.anew), tx.workspaceId],
  )
  return rowCount ?? 0
}

/** What the operator does next. */
export function sentenceOf({ read, changed, oldKeys: { forgotten, from } }: Reencrypted): string {
  const done = `${read} secrets read, ${changed} encrypted anew`
  if (from !== null)
    return `${done}; run this again after ${from.toISOString()}, until then answers may need an old key`
  return forgotten.length === 0
    ? `${done}; no old key is known`
    : `${done}; nothing names the keys ${forgotten.join(', ')} any more: take them out of WDS_ENCRYPTION_OLD_KEY_FILES`
}

const commandSettings = {
  DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role that serves requests.' },
  WDS_WORKER_DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role of relay and consumers.' },
  ...secretSettings,
} as const

/** How often the command says how far it is, ms. */
const sayEveryMs = 5_000

/** The command of a service that stores these. Says how far it is beside its result; 0. */
export function reencryptCommand(service: string, columns: readonly EncryptedColumn[]) {
  return async (env: Readonly<Record<string, string | undefined>>): Promise<number> => {
    const values = defineSettings(commandSettings).parse(env)
    const encryption = readEncryption(values)
    const open = (connectionString: string) =>
      createPool({ connectionString, applicationName: `${service}-command`, max: 1 })
    const [pool, worker] = [open(values.DATABASE_URL), open(values.WDS_WORKER_DATABASE_URL)]
    let saidMs = performance.now()
    const progress = ({ read, changed }: { read: number; changed: number }): void => {
      if (performance.now() - saidMs < sayEveryMs) return
      saidMs = performance.now()
      console.error(`${service}: ${read} secrets read, ${changed} encrypted by key ${encryption.kid}`)
    }
    try {
      const done = await reencryptSecrets({ ...encryption, pool, worker, columns, progress })
      console.log(`${service}: ${sentenceOf(done)}`)
      return 0
    } finally {
      await Promise.all([pool.end(), worker.end()])
    }
  }
}
