// The operator's command `reencrypt-secrets`: encrypts every signing secret by the current key while the service runs, in small batches
// (decision 47). A value that no key opens ends it: nothing is skipped.
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Pool } from '@wds/postgres/pool'
import { forgetOldKeys, type OldKeys } from '@wds/service-host/key-canary'
import { secretColumn } from './store.ts'
import { listSecrets, replaceCiphertexts } from './store-ciphertexts.ts'

const defaultBatch = 200

/** What was done, and what may be done about the old keys. */
export interface Reencrypted {
  read: number
  changed: number
  oldKeys: OldKeys
}

/** `report` is told after each batch. It may be repeated, and ended at any time. */
export async function reencryptSecrets(
  pool: Pool,
  o: { envelope: EnvelopeEncryption; kid: string; batch?: number; report(line: string): void },
): Promise<Reencrypted> {
  const { batch = defaultBatch } = o
  let [read, changed, after] = [0, 0, '']
  for (;;) {
    const secrets = await listSecrets(pool, after, batch)
    const outdated = secrets.filter(({ ciphertext }) => o.envelope.isOutdated(ciphertext))
    const anew = outdated.map((secret) => {
      const place = { workspaceId: secret.workspaceId, rowId: secret.id, ...secretColumn }
      return { ...secret, anew: o.envelope.rewrap(secret.ciphertext, place) }
    })
    changed += await replaceCiphertexts(pool, anew)
    read += secrets.length
    o.report(`${read} secrets read, ${changed} encrypted by key ${o.kid}`)
    if (secrets.length < batch) break
    after = secrets.at(-1)?.id ?? after
  }
  return { read, changed, oldKeys: await forgetOldKeys(pool, o.kid) }
}

/** What the operator does next. */
export function sentenceOf({ read, changed, oldKeys: { forgotten, from } }: Reencrypted): string {
  const done = `${read} secrets read, ${changed} encrypted anew`
  if (from !== null)
    return `${done}; run this again after ${from.toISOString()}, until then answers may need an old key`
  return forgotten.length === 0
    ? `${done}; no old key is known`
    : `${done}; nothing names the keys ${forgotten.join(', ')} any more: take them out of WDS_ENCRYPTION_OLD_KEY_FILES`
}
