// Rows of sessions. A session is found by the SHA-256 of its cookie; one that has ended by time is as if it were not there.
import type { Role } from '@wds/contracts/roles'
import { deleteInBatches } from '@wds/postgres/delete-in-batches'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** auth.md 1.1: after 12 h without a request, or 14 days after its start. */
const idleHoursMax = 12
export const sessionDaysMax = 14
const live = (alias: string) =>
  `${alias}.last_seen > app_now() - interval '${idleHoursMax} hours'
   and ${alias}.created > app_now() - interval '${sessionDaysMax} days'`

/** Of `s`: that it is the person who is here, and not somebody who found the cookie. */
const isRecent = `s.created > app_now() - interval '10 minutes'`

export interface SessionRow {
  session_id: string
  user_id: string
  name: string
  email: string
  workspace_id: string | null
  /** Started by a sign-in within the last 10 minutes. */
  is_recent: boolean
}

/** The live session, and `app.user_id` set to its person for the statements behind it. By the primary key. */
export async function findLiveSession(tx: Transaction, digest: Buffer): Promise<SessionRow | null> {
  const { rows } = await tx.query<SessionRow & { [column: string]: unknown }>({
    name: 'session-find',
    text: `select s.session_id, s.user_id, u.name, u.email, s.workspace_id,
                  ${isRecent} as is_recent, set_config('app.user_id', s.user_id, true)
             from sessions s join users u on u.user_id = s.user_id and u.status = 'active'
            where s.digest = $1 and ${live('s')}`,
    values: [digest],
  })
  return rows[0] ?? null
}

/** A live session of the person by its id; null: it has ended. By the unique index on the id. */
export async function findSessionById(
  tx: Transaction,
  o: { sessionId: string; userId: string },
): Promise<Pick<SessionRow, 'is_recent'> | null> {
  const { rows } = await tx.query<{ is_recent: boolean }>({
    name: 'session-by-id',
    text: `select ${isRecent} as is_recent from sessions s where s.session_id = $1 and s.user_id = $2 and ${live('s')}`,
    values: [o.sessionId, o.userId],
  })
  return rows[0] ?? null
}

/** The role of a live session's person in the workspace of `tx`; null: no member any more, or it has ended. By the unique index on the id. */
export async function roleOfSession(
  tx: Transaction,
  o: { sessionId: string; workspaceId: string; userId: string },
): Promise<Role | null> {
  const { rows } = await tx.query<{ role: Role }>({
    name: 'session-role',
    text: `select m.role from sessions s
             join users u on u.user_id = s.user_id and u.status = 'active'
             join memberships m on m.user_id = s.user_id and m.workspace_id = $2 and m.status = 'active'
            where s.session_id = $1 and s.user_id = $3 and ${live('s')}`,
    values: [o.sessionId, o.workspaceId, o.userId],
  })
  return rows[0]?.role ?? null
}

/** Is this session live, and its person a member of the workspace of `tx` since no later version than `member_rev`? By the unique index on the id. */
export async function isLiveMember(
  tx: Transaction,
  o: { sessionId: string; workspace_id: string; user_id: string; member_rev: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'session-live-member',
    text: `select from sessions s
             join users u on u.user_id = s.user_id and u.status = 'active'
             join memberships m on m.user_id = s.user_id and m.workspace_id = $2 and m.status = 'active' and m.version <= $4
             join workspaces w on w.workspace_id = m.workspace_id and w.status = 'active'
            where s.session_id = $1 and s.user_id = $3 and ${live('s')}`,
    values: [o.sessionId, o.workspace_id, o.user_id, o.member_rev],
  })
  return rowCount === 1
}

/** Once a minute at most: a request is to cost no write. */
export async function touchSession(tx: Transaction, digest: Buffer): Promise<void> {
  await tx.query({
    name: 'session-touch',
    text: `update sessions s set last_seen = app_now() where digest = $1 and last_seen < app_now() - interval '1 minute' and ${live('s')}`,
    values: [digest],
  })
}

export async function insertSession(
  tx: Transaction,
  o: { digest: Buffer; sessionId: string; userId: string; workspaceId: string | null } & SessionOrigin,
): Promise<void> {
  await tx.query({
    name: 'session-new',
    text: `insert into sessions (digest, session_id, user_id, workspace_id, address, user_agent) values ($1, $2, $3, $4, $5, $6)`,
    values: [o.digest, o.sessionId, o.userId, o.workspaceId, o.address, o.userAgent],
  })
}

/** From where a session was started. */
export interface SessionOrigin {
  address: string | null
  userAgent: string | null
}

export interface OwnSession {
  session_id: string
  created: Date
  /** To the minute. */
  last_seen: Date
  address: string | null
  user_agent: string | null
}

/** Those that are listed. */
const listedMax = 100

/** The live ones of a person, used last first. By sessions_user. */
export async function liveSessionsOf(tx: Transaction, userId: string): Promise<OwnSession[]> {
  const { rows } = await tx.query<OwnSession & { [column: string]: unknown }>({
    name: 'sessions-of-person',
    text: `select session_id, created, last_seen, address, user_agent from sessions s
            where user_id = $1 and ${live('s')} order by last_seen desc, session_id desc limit ${listedMax}`,
    values: [userId],
  })
  return rows
}

export interface EndedSession {
  session_id: string
  user_id: string
}

export interface EndedByCookie extends EndedSession {
  workspace_id: string | null
  /** False: time had ended it before. */
  was_live: boolean
}

/** Removes the one of the cookie; null where there is none. By the primary key. */
export async function deleteSession(tx: Transaction, digest: Buffer): Promise<EndedByCookie | null> {
  const { rows } = await tx.query<EndedByCookie & { [column: string]: unknown }>({
    name: 'session-end',
    text: `delete from sessions s where digest = $1 returning session_id, user_id, workspace_id, ${live('s')} as was_live`,
    values: [digest],
  })
  return rows[0] ?? null
}

/** Removes one of a person who is signed in by it. By sessions_user. */
export async function deleteSessionById(
  tx: Transaction,
  o: { userId: string; sessionId: string },
): Promise<EndedSession[]> {
  const { rows } = await tx.query<EndedSession & { [column: string]: unknown }>({
    name: 'session-end-by-id',
    text: 'delete from sessions where user_id = $1 and session_id = $2 returning session_id, user_id',
    values: [o.userId, o.sessionId],
  })
  return rows
}

/** Removes all of a person, but for one that is named. By sessions_user. */
export async function deleteSessionsOf(
  tx: Transaction,
  { userId, except = null }: { userId: string; except?: string | null },
): Promise<EndedSession[]> {
  const { rows } = await tx.query<EndedSession & { [column: string]: unknown }>({
    name: 'sessions-end',
    text: 'delete from sessions where user_id = $1 and session_id is distinct from $2 returning session_id, user_id',
    values: [userId, except],
  })
  return rows
}

export async function setCurrentWorkspace(tx: Transaction, sessionId: string, workspaceId: string): Promise<void> {
  await tx.query({
    name: 'session-switch',
    text: 'update sessions set workspace_id = $2 where session_id = $1',
    values: [sessionId, workspaceId],
  })
}

/** Removes sessions that have ended by time; nobody need be told, since tokens made by them live for minutes. */
export const pruneSessions = (pool: Pool): Promise<void> =>
  deleteInBatches(
    pool,
    `delete from sessions where digest in (select digest from sessions s where not (${live('s')}) order by last_seen limit $1)`,
  )
