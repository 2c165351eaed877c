// Stores the digests of the tokens that networks send conversions with. A token itself never reaches this file.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'

/** Where a token leads. */
export interface PostbackTarget {
  workspaceId: string
  integrationId: string
}

/** How long the token before the last rotation is valid (domain.md 3.2). */
const overlap = '24 hours'

/**
 * Another token for the integration: the present one ends after the overlap, one that ends already ends now. So at most two are valid.
 * The index postback_tokens_integration serves it.
 */
export async function replaceToken(tx: Transaction, integrationId: string, digest: Buffer): Promise<void> {
  const place = [workspaceOf(tx), integrationId]
  await tx.query(
    'delete from postback_tokens where workspace_id = $1 and integration_id = $2 and expires is not null',
    place,
  )
  await tx.query(
    `update postback_tokens set expires = app_now() + interval '${overlap}' where workspace_id = $1 and integration_id = $2`,
    place,
  )
  await tx.query('insert into postback_tokens (digest, workspace_id, integration_id) values ($3, $1, $2)', [
    ...place,
    digest,
  ])
}

/** From now on nothing is taken. The index postback_tokens_integration serves it. */
export async function deleteTokens(tx: Transaction, integrationId: string): Promise<void> {
  await tx.query('delete from postback_tokens where workspace_id = $1 and integration_id = $2', [
    workspaceOf(tx),
    integrationId,
  ])
}

/** Where the token leads, in a transaction without a workspace; null where there is none, or it has ended. The primary key serves it. */
export async function findTarget(tx: Transaction, digest: Buffer): Promise<PostbackTarget | null> {
  const { rows } = await tx.query<{ workspace_id: string; integration_id: string }>({
    name: 'find-postback-target',
    text: `select workspace_id, integration_id from postback_tokens
      where digest = $1 and (expires is null or expires > app_now())`,
    values: [digest],
  })
  return rows[0] ? { workspaceId: rows[0].workspace_id, integrationId: rows[0].integration_id } : null
}

/** Whether the token is valid now. The primary key serves it. */
export async function isValidToken(tx: Transaction, digest: Buffer): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'judge-postback-token',
    text: 'select 1 from postback_tokens where digest = $1 and (expires is null or expires > app_now())',
    values: [digest],
  })
  return rows.length > 0
}
