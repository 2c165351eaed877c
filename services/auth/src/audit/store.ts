// Rows of the audit log.
import type { AuditEntryMade } from '@wds/contracts/audit-events'
import { type Walk, walkRowsMax } from '@wds/http-service/cursor'
import { deleteInBatches } from '@wds/postgres/delete-in-batches'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** From where something was done. */
export interface AuditOrigin {
  /** `user:usr_…`, `system:operator`, `client:cli_…` */
  actor: string
  address: string | null
  userAgent: string | null
  requestId: string
}

export interface AuditEntry extends AuditOrigin {
  /** What was done: the type of the event that tells of it in snake case, `member_added`. */
  action: string
  /** Id of the thing. */
  object: string | null
  /** `refused`: it was tried. Default `done`. */
  outcome?: 'done' | 'refused'
}

type Row = Required<AuditEntry> & { id: string }

const valuesOf = ({ id, actor, action, object, outcome, address, userAgent, requestId }: Row) => [
  ...[id, actor, action, object, outcome],
  ...[address, userAgent, requestId],
]

/** In the workspace of the transaction. */
export async function insertAudit(tx: Transaction, row: Row): Promise<void> {
  await tx.query({
    name: 'audit',
    text: `insert into audit_log (workspace_id, id, actor, action, object, outcome, address, user_agent, request_id)
           values (current_setting('app.workspace_id'), $1, $2, $3, $4, $5, $6, $7, $8)`,
    values: valuesOf(row),
  })
}

/** An entry that another service tells of; told twice, it is one. It enters the entry's workspace, for the statement behind it. By the primary key. */
export async function keepToldEntry(tx: Transaction, entry: AuditEntryMade): Promise<void> {
  await tx.query({
    name: 'audit-workspace',
    text: `select set_config('app.workspace_id', $1, true)`,
    values: [entry.workspace_id],
  })
  await tx.query({
    name: 'audit-told',
    text: `insert into audit_log (workspace_id, id, created, actor, action, object, outcome, address, user_agent, request_id)
           values ($1, $2, $3, $4, $5, $6, 'done', $7, $8, $9) on conflict do nothing`,
    values: [
      ...[entry.workspace_id, entry.entry_id, entry.done, entry.actor, entry.action, entry.target],
      ...[entry.address, entry.user_agent, entry.request_id],
    ],
  })
}

/** In each workspace of the person that `app.user_id` names; by memberships_user. */
export async function insertAuditEverywhere(tx: Transaction, row: Row): Promise<void> {
  await tx.query({
    name: 'audit-everywhere',
    text: `insert into audit_log (workspace_id, id, actor, action, object, outcome, address, user_agent, request_id)
           select workspace_id, $1, $2, $3, $4, $5, $6, $7, $8 from memberships
            where user_id = current_setting('app.user_id', true) and status = 'active'`,
    values: valuesOf(row),
  })
}

/** Entries are kept for 365 days (auth.md 4.6). By audit_log_created. */
export const pruneAudit = (pool: Pool): Promise<void> =>
  deleteInBatches(
    pool,
    `delete from audit_log where (workspace_id, id) in (
       select workspace_id, id from audit_log where created < app_now() - interval '365 days' order by created limit $1)`,
  )

export interface AuditRow {
  id: string
  created: Date
  actor: string
  action: string
  object: string | null
  outcome: 'done' | 'refused'
  address: string | null
  user_agent: string | null
  request_id: string
}

/** What an entry must be; null: anything. */
export interface AuditFilter {
  actor: string | null
  action: string | null
  object: string | null
  /** Instants, the first one inclusive. */
  from: string | null
  before: string | null
}

/** Newest first, behind `after`. By audit_log_list, at most `walkRowsMax` rows of it. */
export async function readAudit(
  tx: Transaction,
  o: AuditFilter & { after: { createdMs: number; id: string } | null; limit: number },
): Promise<Walk<AuditRow, Pick<AuditRow, 'id' | 'created'>>> {
  const walked = `from audit_log
            where workspace_id = current_setting('app.workspace_id')
              and ($1::float8 is null or (created, id) < (to_timestamp($1::float8 / 1000)::timestamptz(3), $2))
              and ($3::timestamptz is null or created >= $3) and ($4::timestamptz is null or created < $4)
            order by created desc, id desc`
  const place = [o.after?.createdMs ?? null, o.after?.id ?? null, o.from, o.before]
  const { rows } = await tx.query<AuditRow & { [column: string]: unknown }>({
    name: 'audit-list',
    text: `select id, created, actor, action, object, outcome, address, user_agent, request_id
             from (select * ${walked} limit ${walkRowsMax}) walked
            where ($5::text is null or actor = $5) and ($6::text is null or action = $6) and ($7::text is null or object = $7)
            order by created desc, id desc limit $8`,
    values: [...place, o.actor, o.action, o.object, o.limit],
  })
  const isFiltered = [o.actor, o.action, o.object].some((wanted) => wanted !== null)
  if (!isFiltered || rows.length === o.limit) return { rows, walkedTo: null }
  const { rows: last } = await tx.query<Pick<AuditRow, 'id' | 'created'>>({
    name: 'audit-walked-to',
    text: `select id, created ${walked} offset ${walkRowsMax - 1} limit 1`,
    values: place,
  })
  return { rows, walkedTo: last[0] ?? null }
}
