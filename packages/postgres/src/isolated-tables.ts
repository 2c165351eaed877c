// Tells from the catalog which tables keep the rows of workspaces apart, for tests of isolation (security.md 4).
import type { Queryable } from './pool.ts'

/**
 * Names of the schema's tables: `isolated` have a workspace_id that is never null and row-level security that binds their owner, too;
 * `open` are all others. Needs no rights but to connect.
 */
export async function isolatedTables(db: Queryable, schema: string): Promise<{ isolated: string[]; open: string[] }> {
  const { rows } = await db.query<{ name: string; is_isolated: boolean }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity and exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and a.attnotnull) as is_isolated
     from pg_class c where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p') order by c.relname`,
    [schema],
  )
  const named = (isIsolated: boolean) => rows.filter((row) => row.is_isolated === isIsolated).map(({ name }) => name)
  return { isolated: named(true), open: named(false) }
}
