// Judges what an owner sets of an app beyond its OpenAPI schema (auth.md 4.1), and tells each fault with its pointer.
import type { AppState } from '@wds/contracts/auth-events'
import { redirectUrlFault } from '@wds/contracts/redirect-url'
import { type Fault, type Problem, problemOfFaults } from '@wds/http-service/problem'
import { appNameFault } from './domain/app-name.ts'
import type { OAuthAppFields } from './domain/oauth-app.ts'
import { makeLogo } from './logo.ts'
import type { Logo } from './store-logo.ts'

/** The faults of the fields that are given. `at`: pointer of the object that has them. */
function faultsOf(fields: Partial<OAuthAppFields>, state: AppState, at: string): Fault[] {
  const nameFault = fields.name === undefined ? null : appNameFault(fields.name)
  const faults: Fault[] =
    nameFault === null ? [] : [{ pointer: `${at}/name`, code: 'invalid_value', detail: nameFault }]
  for (const [place, url] of (fields.redirect_urls ?? []).entries()) {
    const detail = redirectUrlFault(url, state)
    if (detail !== null) faults.push({ pointer: `${at}/redirect_urls/${place}`, code: 'url_not_allowed', detail })
  }
  return faults
}

/** Throws Problem 422 with a pointer for each fault. */
export function judgeFields(fields: Partial<OAuthAppFields>, state: AppState): void {
  const faults = faultsOf(fields, state, '')
  if (faults.length > 0) throw problemOfFaults(faults)
}

/** The logo of the part `logo`. Throws Problem 422. */
export async function judgeLogo(workspaceId: string, bytes: Uint8Array): Promise<Logo> {
  const made = await makeLogo(workspaceId, Buffer.from(bytes))
  if (!made.ok) throw problemOfFaults([logoFault(made.detail)])
  return made.logo
}

/** A new app: the fields of the part `app` and the part `logo`, with the faults of both in one Problem. */
export async function judgeNewApp(
  workspaceId: string,
  { app, logo: bytes }: { app: OAuthAppFields & { state?: AppState }; logo: Uint8Array },
): Promise<{ fields: OAuthAppFields; state: AppState; logo: Logo }> {
  const { state = 'live', ...fields } = app
  const faults = faultsOf(fields, state, '/app')
  const made = await makeLogo(workspaceId, Buffer.from(bytes))
  if (!made.ok) faults.push(logoFault(made.detail))
  if (faults.length > 0 || !made.ok) throw problemOfFaults(faults)
  return { fields, state, logo: made.logo }
}

const logoFault = (detail: string): Fault => ({ pointer: '/logo', code: 'invalid_value', detail })

/** 422 of redirect URLs that an app in development may have and one that is live may not. */
export function urlsNotLive(places: readonly number[]): Problem {
  const detail = 'Must use https on a public host before the app is live.'
  return problemOfFaults(
    places.map((place) => ({ pointer: `/redirect_urls/${place}`, code: 'url_not_allowed' as const, detail })),
  )
}
