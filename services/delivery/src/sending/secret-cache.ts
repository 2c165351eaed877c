// Keeps opened signing secrets by version, so that a secret is decrypted once and not at every attempt (stack.md 7.12).
// A rotated secret has another version, so nothing here can be out of date; the claim says which versions are live.

import type { ClaimedAttempt, SecretOpener, StoredSecret } from './ports.ts'

/** Default limit of subscriptions; the one used longest ago goes first. */
const subscriptionsMax = 10_000

/** The live secrets of an attempt, newest first; throws when one cannot be opened. */
export type OpenSecrets = (
  attempt: Pick<ClaimedAttempt, 'workspaceId' | 'subscriptionId' | 'secrets'>,
) => readonly string[]

/** The live secrets of a subscription, and what they are once opened. */
interface Opened {
  readonly workspaceId: string
  readonly secrets: readonly StoredSecret[]
  readonly plain: readonly string[]
}

/** Makes the cache. */
export function createSecretCache(opener: SecretOpener, max = subscriptionsMax): OpenSecrets {
  const opened = new Map<string, Opened>()
  return ({ workspaceId, subscriptionId, secrets }) => {
    const found = opened.get(subscriptionId)
    const known = found?.workspaceId === workspaceId ? found : undefined
    const plain = secrets.map((secret) => {
      const nth = known?.secrets.findIndex((one) => isSame(secret, one)) ?? -1
      return known?.plain[nth] ?? opener.open({ workspaceId, subscriptionId, secret })
    })
    opened.delete(subscriptionId)
    opened.set(subscriptionId, { workspaceId, secrets, plain })
    const oldest = opened.size > max ? opened.keys().next().value : undefined
    if (oldest !== undefined) opened.delete(oldest)
    return plain
  }
}

function isSame(secret: StoredSecret, known: StoredSecret): boolean {
  return known.id === secret.id && known.version === secret.version
}
