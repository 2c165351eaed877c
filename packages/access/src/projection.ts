// Keeps what auth's events say of API keys, tokens and signing keys in the service's own tables (auth.md 5). It never asks another service.

import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import type { Transaction } from '@wds/postgres/transaction'
import { takeTurn } from './access-store.ts'
import { readAuthEvents } from './auth-events.ts'
import { addDigest, changeKey, insertKeys, revokeKeys, revokeKeysOf, unknownKey } from './key-store.ts'
import { putDenial, putSigningKey, retireSigningKey } from './token-store.ts'

// biome-ignore lint/performance/noBarrelFile: whoever keeps the projection takes what belongs to it from one place.
export { pruneAccess } from './access-store.ts'
export { confirmEveryMs, confirmLogEnd, type EndUnseen, whyEndUnseen } from './log-end.ts'

/** The folder with the migrations of the package's tables. */
export const migrationsDirectory: URL = new URL('./migrations/', import.meta.url)

/**
 * Applies a batch of `auth.events` in the consumer's transaction (`dedupe: 'natural'`). Kinds are applied one after the other:
 * later kinds win over earlier ones whatever their order, and each may come again. Throws `PoisonRecord` for a malformed
 * event, and for a change of a key that was never announced: put aside, it can be replayed once the key is there.
 */
export async function consumeAuthEvents(tx: Transaction, records: LogRecord[]): Promise<void> {
  const events = readAuthEvents(records)
  if (Object.values(events).every((list) => list.length === 0)) return
  await takeTurn(tx)
  if (events.created.length > 0) await insertKeys(tx, events.created)
  const changes = [...events.rotated, ...events.changed]
  const unknown = changes.length === 0 ? undefined : await unknownKey(tx, changes)
  if (unknown !== undefined) throw new PoisonRecord(`${unknown} was never announced`)
  for (const rotated of events.rotated) await addDigest(tx, rotated)
  for (const changed of events.changed) await changeKey(tx, changed)
  if (events.revoked.length > 0) await revokeKeys(tx, events.revoked)
  if (events.deletedWorkspaces.length > 0) await revokeKeysOf(tx, events.deletedWorkspaces)
  for (const denial of events.denials) await putDenial(tx, denial)
  for (const jwk of events.publishedKeys) await putSigningKey(tx, jwk)
  for (const kid of events.retiredKeys) await retireSigningKey(tx, kid)
}
