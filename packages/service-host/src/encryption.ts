// The keys of stored secrets as the settings name them: one that encrypts, and others that only decrypt (security.md 3).
import {
  createEnvelopeEncryption,
  type EnvelopeEncryption,
  keyIdOf,
} from '@wds/envelope-encryption/envelope-encryption'
import type { Values } from '@wds/settings/declaration'
import { readKey } from './secret-files.ts'
import type { secretSettings } from './service-settings.ts'

type KeySettings = Pick<Values<typeof secretSettings>, 'WDS_ENCRYPTION_KEY_FILE' | 'WDS_ENCRYPTION_OLD_KEY_FILES'>

/** Encryption by the current key; `kid` names it. */
export interface Encryption {
  envelope: EnvelopeEncryption
  kid: string
}

/** Reads the key files. Throws `SettingsError` for one that cannot be used. A key that is named twice counts once. */
export function readEncryption(values: KeySettings): Encryption {
  const current = readKey('WDS_ENCRYPTION_KEY_FILE', values.WDS_ENCRYPTION_KEY_FILE)
  const old = values.WDS_ENCRYPTION_OLD_KEY_FILES.map((file) => readKey('WDS_ENCRYPTION_OLD_KEY_FILES', file))
  const byKid = new Map([current, ...old].map((key) => [keyIdOf(key), key]))
  const envelope = createEnvelopeEncryption(Array.from(byKid, ([kid, key]) => ({ kid, key })))
  return { envelope, kid: keyIdOf(current) }
}
