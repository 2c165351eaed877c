// The HTTP side of the auth service: what main starts, and tests start by themselves.
import { routesOf } from '@wds/aggregate/concept'
import { Problem } from '@wds/http-service/problem'
import type { HttpPart } from '@wds/service-host/service'
import type { Dependencies } from './dependencies.ts'
import { invitationMounts } from './invitations/page.ts'
import { logoMounts } from './oauth-apps/serve-logo.ts'
import { assetMounts } from './pages/frame.ts'
import { passwordMounts } from './passwords/pages.ts'
import { createPasswordHasher, type HashParameters } from './people/password-hash.ts'
import { concepts, grantsOf } from './resources.ts'
import type { SignToken } from './sessions/ports.ts'
import { withRecentSignIn } from './sessions/recent-sign-in.ts'
import { createSessionJudge } from './sessions/session.ts'
import { accountMounts } from './sign-in/account.ts'
import { signInMounts } from './sign-in/pages.ts'
import { upstreamMounts } from './upstream/pages.ts'
import { atHost } from './web/at-host.ts'
import { createCookies } from './web/cookies.ts'
import { formsKey } from './web/derived-keys.ts'
import { createForms } from './web/forms.ts'

export interface HttpPartOptions extends Pick<Dependencies, 'pool' | 'cursors' | 'authUrl'> {
  /** 32 random bytes that all processes share. */
  secret: Buffer
  /** Upstream OpenID; none unless given. */
  providers?: Dependencies['providers']
  reportUpstreamFailure?: Dependencies['reportUpstreamFailure']
  /** Of the OAuth server; without one no app asks. */
  appNameOf?: Dependencies['appNameOf']
  /** Of the OAuth server; without one there are no tokens. */
  signToken?: SignToken
  /** For tests: hashes that cost less. */
  hashParameters?: HashParameters
}

const noTokens: SignToken = async () => {
  throw new Problem('unavailable', { headers: { 'retry-after': '60' } })
}

export function createHttpPart({ hashParameters, secret, ...given }: HttpPartOptions): Omit<HttpPart, 'internal'> {
  const { signToken = noTokens, appNameOf = async () => null, providers = [], authUrl } = given
  const { reportUpstreamFailure = () => {} } = given
  const o = { ...given, signToken, appNameOf, providers, reportUpstreamFailure, authUrl: authUrl.replace(/\/+$/, '') }
  const cookies = createCookies(o.authUrl)
  const hasher = createPasswordHasher(hashParameters === undefined ? {} : { parameters: hashParameters })
  const forms = createForms({ cookies, key: formsKey(secret) })
  const dependencies: Dependencies = { ...o, cookies, forms, hasher, grants: grantsOf }
  const pages = [signInMounts, accountMounts, upstreamMounts, invitationMounts, passwordMounts].flatMap((mounts) =>
    mounts(dependencies),
  )
  return {
    routes: withRecentSignIn(routesOf(concepts, dependencies)),
    sessions: createSessionJudge(dependencies),
    mounts: [...assetMounts, ...logoMounts(o.pool), ...pages.map((mount) => atHost(o.authUrl, mount))],
  }
}
