// What the routes and pages of the auth service are built with.
import type { Cursors } from '@wds/http-service/cursor'
import type { Pool } from '@wds/postgres/pool'
import type { Provider } from './identities/providers.ts'
import type { Grants } from './members/ports.ts'
import type { PasswordHasher } from './people/password-hash.ts'
import type { SignToken } from './sessions/ports.ts'
import type { Cookies } from './web/cookies.ts'
import type { Forms } from './web/forms.ts'

export interface Dependencies {
  /** Of the HTTP role. */
  pool: Pool
  cookies: Cookies
  forms: Forms
  cursors: Cursors
  hasher: PasswordHasher
  /** WDS_AUTH_URL, or WDS_BASE_URL where it is not set: where people sign in. */
  authUrl: string
  signToken: SignToken
  /** What follows a change of a role. */
  grants: Grants
  providers: readonly Provider[]
  /** Name of the app whose authorisation goes on at this path of ours; null: none. */
  appNameOf(returnTo: string): Promise<string | null>
  /** Tells the operator why a sign-in upstream failed, which the page does not say. */
  reportUpstreamFailure(failure: { provider: string; reason: string; request_id: string }): void
}
