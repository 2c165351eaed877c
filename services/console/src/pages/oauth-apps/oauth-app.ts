// What the OAuth app pages share: the shape, and whether the plan opens writes.
import { planAllowsApps } from '@wds/contracts/roles'
import type { Schemas } from '../../api.ts'
import { useSession } from '../../session.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'

export type OAuthApp = Schemas['OAuthApp']

/** Why apps cannot be registered or changed here, for `disabledBecause`; null: they can. */
export function usePlanGate(): string | null {
  const { workspace } = useSession()
  return planAllowsApps(workspace.plan) ? null : words.planNeeded
}
