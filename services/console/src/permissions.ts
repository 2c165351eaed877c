// What the person may do on a page besides looking. A button that the role cannot use is left out; the API refuses all the same (ui.md 1).
import { scopesOfRole } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import { useSession } from './session.tsx'

export function useAllowed(scope: Scope): boolean {
  return useScopes().includes(scope)
}

/** All that the person may. */
export function useScopes(): readonly Scope[] {
  return scopesOfRole(useSession().role)
}
