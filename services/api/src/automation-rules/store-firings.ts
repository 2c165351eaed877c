// Reads what a rule has done, and removes firings that are too old.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { failuresMax, type History } from './domain/firing.ts'

/** How long a firing is shown; its events stay. */
export const firingKeptMs = 90 * 86_400_000
const removedAtATime = 1_000

/** The unique index automation_firings_key serves it. */
export async function hasFired(tx: Transaction, o: { ruleId: string; key: string }): Promise<boolean> {
  const { rows } = await tx.query(
    'select from automation_firings where workspace_id = $1 and rule_id = $2 and evaluation_key = $3',
    [workspaceOf(tx), o.ruleId, o.key],
  )
  return rows.length > 0
}

/**
 * One that goes over more than one turn counts from its first one on. The indexes automation_firings_by_rule and
 * automation_firings_of_subject, and the primary key of automation_work serve it.
 */
export async function readHistory(
  tx: Transaction,
  o: { ruleId: string; subjectId: string; dayStartMs: number },
): Promise<History> {
  const { rows } = await tx.query<{ last_ms: number | null; fired: number; known: boolean }>(
    `with last as (
       select max(created) filter (where status <> 'suppressed') as fired, max(created) filter (where status = 'suppressed') as held
       from automation_firings where workspace_id = $1 and rule_id = $2 and subject_id = $3)
     select extract(epoch from fired)::float8 * 1000 as last_ms,
       held is not null and (fired is null or held >= fired) as known,
       (select count(*)::integer from automation_firings where workspace_id = $1 and rule_id = $2
          and created >= to_timestamp($4::float8 / 1000) and status <> 'suppressed')
       + (select count(*)::integer from automation_work where workspace_id = $1 and rule_id = $2 and progress is not null) as fired
     from last`,
    [workspaceOf(tx), o.ruleId, o.subjectId, o.dayStartMs],
  )
  const { last_ms: lastMs = null, fired: firedToday = 0, known: isSuppressionKnown = false } = rows[0] ?? {}
  return { lastMs, firedToday, isSuppressionKnown }
}

/** How many of the last firings failed, one after the other, since the rule was saved or enabled last. The index automation_firings_by_rule serves it. */
export async function failuresInARow(tx: Transaction, o: { ruleId: string; sinceMs: number }): Promise<number> {
  const { rows } = await tx.query<{ status: string }>(
    `select status from automation_firings where workspace_id = $1 and rule_id = $2 and status in ('succeeded', 'partially_failed', 'failed')
       and created >= to_timestamp($3::float8 / 1000) order by created desc, id desc limit $4`,
    [workspaceOf(tx), o.ruleId, o.sinceMs, failuresMax],
  )
  const first = rows.findIndex(({ status }) => status !== 'failed')
  return first < 0 ? rows.length : first
}

/** Removes firings that are too old, of all workspaces; `pool` is the worker role's. The index automation_firings_created serves it. */
export async function sweepFirings(pool: Pool): Promise<void> {
  for (let removed = removedAtATime; removed === removedAtATime; )
    removed = await withTransaction(pool, { workspaceId: null }, async (tx) => {
      const { rowCount } = await tx.query(
        `delete from automation_firings where (workspace_id, id) in (
           select workspace_id, id from automation_firings where created < app_now() - $1::float8 * interval '1 millisecond'
           order by created limit $2)`,
        [firingKeptMs, removedAtATime],
      )
      return rowCount ?? 0
    })
}
