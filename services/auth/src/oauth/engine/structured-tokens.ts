// Access tokens at revocation and introspection. The engine refuses JWTs there, after it has authenticated the client (W7).
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { By } from '../../audit/audit.ts'
import { grants } from '../grants/aggregate.ts'
import type { PublicJwk } from '../signing-keys/store.ts'
import { isTokenLive } from './live-tokens.ts'
import { denyToken } from './store-denials.ts'

export interface AccessToken {
  iss: string
  aud: string
  sub: string
  client_id: string
  scope: string
  iat: number
  exp: number
  jti: string
  workspace_id: string
  grant_id: string
  member_rev: number
}

export interface StructuredTokens {
  /** The claims of a live token of this client, else null: whatever is wrong with it is not told. */
  find(token: string, clientId: string): Promise<AccessToken | null>
  /** Denies it alone; its grant lives on. */
  revoke(token: AccessToken, by: By): Promise<void>
}

export function createStructuredTokens(o: {
  pool: Pool
  issuer: string
  audience: string
  published(): PublicJwk[]
}): StructuredTokens {
  const { pool, issuer, audience } = o
  return {
    async find(token, clientId) {
      const claims = await verify(token)
      if (claims === null || claims.client_id !== clientId) return null
      const asked = { ...claims, user_id: claims.sub, scopes: claims.scope.split(' ') }
      return (await isTokenLive(pool, asked)) ? claims : null
    },
    async revoke({ workspace_id: workspaceId, grant_id: grantId, jti, exp }, by) {
      await withTransaction(pool, { workspaceId }, async (tx) => {
        const loaded = await load(tx, grants, grantId, { lock: true })
        // Ended meanwhile: the token ended with its grant. Denied meanwhile: told already.
        if (loaded?.state.status !== 'live' || !(await denyToken(tx, { workspaceId, jti, exp }))) return
        const expires = new Date(exp * 1_000).toISOString()
        const command = { type: 'revoke_access_token', jti, expires } as const
        await executeOrFail(tx, grants, { context: { ...by, workspaceId }, loaded, command })
      })
    },
  }

  async function verify(token: string): Promise<AccessToken | null> {
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: o.published() }), {
        issuer,
        audience,
        typ: 'at+jwt',
        algorithms: ['ES256'],
        requiredClaims: ['sub', 'client_id', 'exp', 'iat', 'jti', 'workspace_id', 'grant_id', 'member_rev'],
      })
      return payload as unknown as AccessToken
    } catch {
      return null
    }
  }
}
