// Decides which database a service of the production profile refuses (security.md 7): by its role's rights and the server's settings.
import type { Queryable } from '@wds/postgres/pool'

/** What the judge looks at. */
export interface ServerState {
  fsync: string
  synchronous_commit: string
  /** Superuser, or one that row-level security does not bind. */
  unbound: boolean
  /** The role, or one it is a member of, owns a relation of the schema. */
  owns: boolean
  /** Set when somebody moves the clock of the service's own decisions. */
  clock_offset: string | null
}

/** Reads it over a connection of the role that `setting` names. */
export async function readServerState(db: Queryable): Promise<ServerState> {
  const { rows } = await db.query<ServerState & { [column: string]: unknown }>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as unbound,
       exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace
                and c.relkind in ('r', 'p', 'S', 'v', 'm') and pg_has_role(c.relowner, 'member')) as owns,
       nullif(current_setting('app.clock_offset_ms', true), '') as clock_offset`,
  )
  return rows[0] as ServerState
}

/** Faults that name the setting. `remote_write` and the like still wait for this server's disk or a standby's. */
export function serverFaults(setting: string, state: ServerState): string[] {
  const faults = [
    [state.unbound, 'names a role that row-level security does not bind'],
    [state.owns, 'names a role that owns tables'],
    [state.fsync !== 'on', 'leads to a server with fsync off'],
    [state.synchronous_commit === 'off', 'leads to a server with synchronous_commit off'],
    [state.clock_offset !== null, 'leads to a server whose clock is moved (app.clock_offset_ms)'],
  ] as const
  return faults.filter(([applies]) => applies).map(([, text]) => `${setting} ${text}`)
}
