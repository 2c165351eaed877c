// The last OAuth errors of an app with their true reasons, for its developers (auth.md 4.1, W27).
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { findApp } from './store.ts'

/** As many are kept of each app. */
export const errorsMax = 100

/** One error of an OAuth endpoint. */
export interface OAuthError {
  /** As the request named it, `cli_…`. */
  clientId: string
  /** `authorize`, `consent`, `token`, `revoke`, `introspect`. */
  endpoint: 'authorize' | 'consent' | 'token' | 'revoke' | 'introspect'
  requestId: string
  /** The code that was answered: `invalid_grant`. */
  error: string
  /** Why, in words for the app's developers. Never holds a secret, code, token or verifier. */
  reason: string
}

/** An error as it was kept. */
export interface KeptError extends Omit<OAuthError, 'clientId'> {
  createdMs: number
}

const reasonCharactersMax = 500

/** Keeps an error, and forgets the oldest one above 100. Of a client that nobody has nothing is kept. Primary key of oauth_errors. */
export async function recordOAuthError(pool: Pool, o: OAuthError): Promise<void> {
  const place = await findApp(pool, o.clientId)
  if (place === null) return
  const { workspaceId, appId } = place
  await withTransaction(pool, { workspaceId }, async (tx) => {
    await tx.query(
      `insert into oauth_errors (workspace_id, app_id, request_id, endpoint, error, reason)
       select $1, $2, $3, $4, $5, $6 where exists (select from oauth_apps where workspace_id = $1 and id = $2)`,
      [workspaceId, appId, o.requestId, o.endpoint, o.error, o.reason.slice(0, reasonCharactersMax)],
    )
    await tx.query(
      `delete from oauth_errors where workspace_id = $1 and app_id = $2 and id <=
        (select id from oauth_errors where workspace_id = $1 and app_id = $2 order by id desc offset $3 limit 1)`,
      [workspaceId, appId, errorsMax],
    )
  })
}

/** The newest first. */
export async function listOAuthErrors(tx: Transaction, workspaceId: string, appId: string): Promise<KeptError[]> {
  const { rows } = await tx.query<Omit<KeptError, 'createdMs'> & { created: Date; [column: string]: unknown }>(
    `select created, endpoint, request_id as "requestId", error, reason from oauth_errors
      where workspace_id = $1 and app_id = $2 order by id desc limit $3`,
    [workspaceId, appId, errorsMax],
  )
  return rows.map(({ created, endpoint, requestId, error, reason }) => ({
    createdMs: created.getTime(),
    endpoint,
    requestId,
    error,
    reason,
  }))
}
