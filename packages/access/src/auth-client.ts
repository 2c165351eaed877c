// Asks auth, on its internal listener, for what the log has not told yet, or cannot (auth.md 5.4, 5.7). Whatever goes wrong is a fault, never an
// answer.

import type { KeyRow } from './access-store.ts'
import type { AccessToken } from './access-token.ts'
import { type SigningJwk, signingJwk } from './auth-events.ts'
import { CertificateRefused, createInternalRequests, type InternalRequestOptions } from './internal-requests.ts'

export interface AuthClient {
  /** The live key of a digest (hex); null: it is not accepted. */
  findKey(digest: string): Promise<KeyRow | null>
  /** Is a token, whose signature and times are good, not revoked in whatever way? */
  isTokenLive(token: AccessToken): Promise<boolean>
  signingKeys(): Promise<SigningJwk[]>
  /** For how many milliseconds the oldest event has waited to be put on the log; 0 for none. Waits for a second at most. */
  unpublishedMs(): Promise<number>
}

/** An answer is a row or two away; who waits longer is told to come again. */
const deadlineMs = 2_000
/** Nobody waits for this one, but what is known gets old meanwhile. */
const unpublishedDeadlineMs = 1_000

/** `url`: of the internal listener; `token`: its service token; `ca`: whose certificate it may have. `onRefused`: its certificate was refused, and why. */
export function createAuthClient({
  onRefused = () => undefined,
  ...o
}: InternalRequestOptions & { onRefused?: (reason: CertificateRefused) => void }): AuthClient {
  const send = createInternalRequests(o)
  async function ask(path: string, body?: object, withinMs = deadlineMs): Promise<Record<string, unknown>> {
    try {
      return await send({ path, body, withinMs })
    } catch (error) {
      if (error instanceof CertificateRefused) onRefused(error)
      throw error
    }
  }
  return {
    async findKey(digest) {
      const { key } = (await ask('/internal/introspect', { digest })) as { key: IntrospectedKey | null }
      if (key === null) return null
      const { expires, ...rest } = key
      return { ...rest, digest, revoked: false, ends_ms: expires === null ? null : Date.parse(expires) }
    },
    async isTokenLive({ jti, memberRev, client }) {
      const { active } = await ask('/internal/introspect/token', {
        jti,
        member_rev: memberRev,
        client_id: client.id,
        grant_id: client.grantId,
        workspace_id: client.workspaceId,
        user_id: client.userId,
        scopes: [...client.scopes],
      })
      if (typeof active !== 'boolean') throw new Error('auth did not say whether a token is active')
      return active
    },
    async unpublishedMs() {
      const { oldest_ms } = await ask('/internal/unpublished', undefined, unpublishedDeadlineMs)
      if (typeof oldest_ms !== 'number') throw new Error('auth did not say what waits to be published')
      return oldest_ms
    },
    async signingKeys() {
      const { keys } = (await ask('/internal/jwks')) as { keys: unknown[] }
      return keys.map(signingJwk)
    },
  }
}

interface IntrospectedKey extends Pick<KeyRow, 'key_id' | 'workspace_id' | 'scopes' | 'cidrs'> {
  expires: string | null
}
