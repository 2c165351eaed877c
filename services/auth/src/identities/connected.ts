// The accounts at upstream providers that a person has connected, as the person sees them.
import type { Provider } from './providers.ts'
import type { IdentityRow } from './store.ts'

export interface ConnectedIdentity {
  id: string
  issuer: string
  /** Name of the provider; null: the deployment does not offer it any more, so nobody signs in with the identity. */
  provider: string | null
  /** For people. */
  title: string
  /** What the provider calls the account: its mail address, or the subject where it told none. */
  account: string
  created: Date
  lastUsed: Date | null
}

export function toConnected(rows: readonly IdentityRow[], providers: readonly Provider[]): ConnectedIdentity[] {
  return rows.map(({ identity_id: id, issuer, subject, email, created, last_used: lastUsed }) => {
    const provider = providers.find((one) => one.issuer === issuer)
    const title = provider?.title ?? new URL(issuer).host
    return { id, issuer, provider: provider?.name ?? null, title, account: email ?? subject, created, lastUsed }
  })
}

/** Whether the person could not sign in without this one: there is no password, and no other account at a provider that is offered. */
export function isOnlyWayIn(id: string, o: { hasPassword: boolean; connected: readonly ConnectedIdentity[] }): boolean {
  return !o.hasPassword && !o.connected.some((other) => other.id !== id && other.provider !== null)
}
