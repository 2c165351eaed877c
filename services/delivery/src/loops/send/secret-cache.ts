// Keeps opened signing secrets by version, so that a secret is decrypted once and not at every attempt (stack.md 7, rule 12).
// A rotated secret has another version, so nothing here can be out of date; the claim says which versions are live.

import type { ClaimedAttempt, SecretOpener } from './send-ports.ts'

/** Default limit; the one used longest ago goes first. */
const secretsMax = 10_000

/** The live secrets of an attempt, newest first; throws when one cannot be opened. */
export type OpenSecrets = (attempt: ClaimedAttempt) => string[]

/** Makes the cache. */
export function createSecretCache(opener: SecretOpener, max = secretsMax): OpenSecrets {
  const opened = new Map<string, string>()
  return ({ workspaceId, subscriptionId, secrets }) =>
    secrets.map((secret) => {
      const key = `${workspaceId}/${subscriptionId}/${secret.id}/${secret.version}`
      const plain = opened.get(key) ?? opener.open({ workspaceId, subscriptionId, secret })
      opened.delete(key)
      opened.set(key, plain)
      const oldest = opened.size > max ? opened.keys().next().value : undefined
      if (oldest !== undefined) opened.delete(oldest)
      return plain
    })
}
