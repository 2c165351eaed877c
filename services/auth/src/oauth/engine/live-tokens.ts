// Whether an access token, whose signature and times are good, was revoked: by what the tables say now, ahead of the log (auth.md 5.7).
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { findClient } from '../../oauth-apps/store.ts'
import { isLiveMember } from '../../sessions/store.ts'
import { revOfGrant } from '../grants/store.ts'
import { isTokenDenied } from './store-denials.ts'

/** What a token says; of a console token `grant_id` is its session. */
export interface TokenClaims {
  jti: string
  client_id: string
  grant_id: string
  workspace_id: string
  user_id: string
  member_rev: number
  scopes: string[]
}

/** As the deny-lists judge by events: every one of them has its row here, changed in the same transaction. */
export async function isTokenLive(pool: Pool, claims: TokenClaims): Promise<boolean> {
  const { workspace_id: workspaceId, client_id: clientId } = claims
  if (clientId === 'console') {
    return withTransaction(pool, { workspaceId, readOnly: true }, (tx) =>
      isLiveMember(tx, { ...claims, sessionId: claims.grant_id }),
    )
  }
  // It goes with the member, the person, the app and the workspace, and has the version of the membership.
  const rev = await revOfGrant(pool, claims.grant_id)
  // Of before a change of the role.
  if (rev === null || claims.member_rev < rev) return false
  const [client, isDenied] = await Promise.all([
    findClient(pool, clientId),
    withTransaction(pool, { workspaceId, readOnly: true }, (tx) => isTokenDenied(tx, workspaceId, claims.jti)),
  ])
  if (client === null || client.state === 'suspended' || isDenied) return false
  return claims.scopes.every((scope) => (client.scopes as string[]).includes(scope))
}
