// Finds a wrong key-encryption key before a secret is asked for: each key that ever was current has one value stored with it
// (security.md 7). It never stores a value while another one does not open.
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Queryable } from '@wds/postgres/pool'
import { SettingsError } from '@wds/settings/settings'

const placeOf = (kid: string) => ({ workspaceId: '', table: 'key_canaries', rowId: kid, column: 'envelope' })

/**
 * Stores the canary of the current key when there is none; one that a younger one has followed is as new, since its key is in use again.
 * Throws `SettingsError` when a stored one does not open.
 */
export async function checkKeyCanary(db: Queryable, o: { envelope: EnvelopeEncryption; kid: string }): Promise<void> {
  const { rows } = await db.query<{ kid: string; envelope: string }>(
    'select kid, envelope from key_canaries order by created desc',
  )
  for (const { kid, envelope } of rows) {
    if (opened(envelope, { ...o, kid }) === kid) continue
    throw new SettingsError(['WDS_ENCRYPTION_KEY_FILE does not hold the key that stored secrets are encrypted with'])
  }
  if (rows[0]?.kid === o.kid) return
  // Two processes may store it at the same time: either value will do.
  await db.query(
    `insert into key_canaries (kid, envelope) values ($1, $2) on conflict (kid) do update set created = app_now()`,
    [o.kid, o.envelope.encrypt(o.kid, placeOf(o.kid))],
  )
}

function opened(text: string, o: { envelope: EnvelopeEncryption; kid: string }): string | null {
  try {
    return o.envelope.decrypt(text, placeOf(o.kid))
  } catch {
    // An unknown kid, another key under the same name, a value that was changed: none of them opens.
    return null
  }
}

/** Throws `SettingsError` unless a process has started with this key as the current one. */
export async function requireKeyInUse(db: Queryable, kid: string): Promise<void> {
  const { rowCount } = await db.query('select from key_canaries where kid = $1', [kid])
  if (rowCount === 1) return
  throw new SettingsError([
    'WDS_ENCRYPTION_KEY_FILE: no process of this service has started with it yet, so none could open what it encrypts',
  ])
}

/** What became of the old keys: those that were forgotten, or the instant from which they can be. Both empty: no old one is known. */
export interface OldKeys {
  forgotten: string[]
  from: Date | null
}

/**
 * Forgets the keys besides the current one, which may leave the settings then. Not before 25 hours without a first start of either: answers
 * that were stored for an Idempotency-Key are kept for 24. `db`: the worker role's. The caller has encrypted all else anew.
 */
export async function forgetOldKeys(db: Queryable, kid: string): Promise<OldKeys> {
  const { rows: forgotten } = await db.query<{ kid: string }>(
    `delete from key_canaries k using key_canaries c
      where c.kid = $1 and k.kid <> $1 and greatest(k.created, c.created) <= app_now() - ${keptFor} returning k.kid`,
    [kid],
  )
  const { rows } = await db.query<{ from: Date | null }>(
    `select max(greatest(k.created, c.created)) + ${keptFor} as from
       from key_canaries k join key_canaries c on c.kid = $1 where k.kid <> $1`,
    [kid],
  )
  return { forgotten: forgotten.map((row) => row.kid), from: rows[0]?.from ?? null }
}

const keptFor = "interval '25 hours'"
