// Which rules wait for which events.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import type { RuleFields } from './domain/rule.ts'

/** From when on a rule waits for events of a type; null: it does not. Primary key. */
export async function setWatch(
  tx: Transaction,
  o: { ruleId: string; eventType: string | null; sinceMs: number | null },
): Promise<void> {
  const place = [workspaceOf(tx), o.ruleId]
  if (o.eventType === null || o.sinceMs === null) {
    await tx.query('delete from automation_watches where workspace_id = $1 and rule_id = $2', place)
    return
  }
  await tx.query(
    `insert into automation_watches (workspace_id, rule_id, event_type, since) values ($1, $2, $3, to_timestamp($4::float8 / 1000))
     on conflict (workspace_id, rule_id) do update set event_type = excluded.event_type, since = excluded.since`,
    [...place, o.eventType, o.sinceMs],
  )
}

/** A rule that waits for events of a type. */
export interface Watch {
  workspaceId: string
  ruleId: string
  eventType: string
  /** Epoch milliseconds. */
  sinceMs: number
}

/** Of all workspaces; `types`: pairs of workspace and type. The index automation_watches_by_type serves it. */
export async function readWatches(tx: Transaction, types: readonly (readonly [string, string])[]): Promise<Watch[]> {
  const { rows } = await tx.query<Omit<Watch, 'sinceMs'> & { sinceMs: string }>({
    name: 'automation-watches',
    text: `select workspace_id as "workspaceId", rule_id as "ruleId", event_type as "eventType",
        (extract(epoch from since) * 1000)::bigint::text as "sinceMs"
      from automation_watches join unnest($1::text[], $2::text[]) as heard(workspace_id, event_type)
        using (workspace_id, event_type) order by rule_id`,
    values: [types.map(([workspaceId]) => workspaceId), types.map(([, type]) => type)],
  })
  return rows.map((row) => ({ ...row, sinceMs: Number(row.sinceMs) }))
}

/** Those of them that are enabled, by id. The primary key serves it. */
export async function readEnabledRules(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, { version: number; fields: RuleFields }>> {
  const { rows } = await tx.query<{ id: string; version: number; fields: RuleFields }>(
    `select id, version, state->'fields' as fields from automation_rules
     where workspace_id = $1 and id = any($2) and status = 'enabled'`,
    [workspaceOf(tx), ids],
  )
  return new Map(rows.map(({ id, ...rule }) => [id, rule]))
}
