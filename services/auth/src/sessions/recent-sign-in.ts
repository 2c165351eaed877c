// What asks for a sign-in of the last 10 minutes (decision 95). One rule: what lets somebody in after this session has ended, what ends a way of
// the person to come in, and the end of a workspace. A cookie that was found does none of it. What only takes away asks for nothing: in an
// incident it must not wait.
import type { Route } from '@wds/http-service/route'
import type { paths } from '../openapi.generated.ts'

/**
 * `always`: each write of the route, judged before anything else of it. `more`: the handler judges, since it depends on what is asked for.
 * `takes_away`: it ends something that is not a way of the person to come in. `lets_nobody_in`: nobody comes in by it who could not before.
 */
type Verdict = 'always' | 'more' | 'takes_away' | 'lets_nobody_in'

type WriteMethod = 'post' | 'patch' | 'delete'
/** Every write of the settings API: one without a verdict does not compile. */
export type SettingsWrite = {
  [Path in keyof paths & `/v1/${string}`]: {
    [Method in keyof paths[Path] & WriteMethod]: [NonNullable<paths[Path][Method]>] extends [never]
      ? never
      : `${Uppercase<Method>} ${Path}`
  }[keyof paths[Path] & WriteMethod]
}[keyof paths & `/v1/${string}`]

export const verdicts: Record<SettingsWrite, Verdict> = {
  // Ways to sign in, and where one is signed in.
  'POST /v1/members/{id}/password-link': 'always',
  'DELETE /v1/account/identities/{id}': 'always',
  'POST /v1/account/sessions/end-others': 'always',
  // Another one than this.
  'DELETE /v1/account/sessions/{id}': 'more',
  'POST /v1/session/end': 'takes_away',
  // With this one: whoever found the cookie loses it.
  'POST /v1/session/end-all': 'takes_away',
  'POST /v1/session/switch': 'lets_nobody_in',
  // Five minutes, and it ends with the session.
  'POST /v1/session/token': 'lets_nobody_in',

  // Members.
  'POST /v1/members/invitations': 'always',
  'DELETE /v1/members/invitations/{id}': 'takes_away',
  // A stronger role.
  'PATCH /v1/members/{id}': 'more',
  'DELETE /v1/members/{id}': 'takes_away',

  // Credentials that are shown.
  'POST /v1/api-keys': 'always',
  'POST /v1/api-keys/{id}/rotate': 'always',
  // Another scope, or from elsewhere.
  'PATCH /v1/api-keys/{id}': 'more',
  'DELETE /v1/api-keys/{id}': 'takes_away',
  'POST /v1/oauth-apps': 'always',
  'POST /v1/oauth-apps/{id}/secrets': 'always',
  'DELETE /v1/oauth-apps/{id}/secrets/{secret_id}': 'takes_away',
  // Another redirect URL: codes of people who allow the app would go there.
  'PATCH /v1/oauth-apps/{id}': 'more',
  'POST /v1/oauth-apps/{id}/logo': 'lets_nobody_in',
  // Until a person allows it, which asks by itself (`oauth/consent/`).
  'POST /v1/oauth-apps/{id}/publish': 'lets_nobody_in',
  'DELETE /v1/oauth-apps/{id}': 'takes_away',
  'DELETE /v1/connected-apps/{id}': 'takes_away',
  'POST /v1/connected-apps/end-all': 'takes_away',

  'PATCH /v1/workspace': 'lets_nobody_in',
  'DELETE /v1/workspace': 'always',
}

/** The routes, of which those that always ask say so. */
export function withRecentSignIn(routes: Route[]): Route[] {
  const asks = new Set<string>(
    Object.entries(verdicts).flatMap(([name, verdict]) => (verdict === 'always' ? [name] : [])),
  )
  return routes.map((route) => ({ ...route, recentSignIn: asks.has(`${route.method} ${route.path}`) }))
}
