// Credentials of an integration between the request that brings them and the request that they go with. They are sealed with the origin that
// they were given for, and opened for no other: who may edit an address must not thereby learn what is sent to it.
import { createHmac, randomBytes } from 'node:crypto'
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Transaction } from '@wds/postgres/transaction'
import type { AuthKind, FeedCredentials } from '../sources/domain/feed-settings.ts'
import type { CredentialsMark } from './domain/integration-fields.ts'
import { credentialsColumn, readCiphertext, writeCiphertext } from './store-credentials.ts'

/** What is encrypted. */
interface Sealed {
  kind: AuthKind
  origin: string
  credentials: FeedCredentials
  /** Base64. Kept when the credentials are changed, so that the same ones have the same fingerprint. */
  fingerprint_key: string
}

/** Encrypts and stores; what the stream is told of it. */
export async function sealCredentials(
  tx: Transaction,
  envelope: EnvelopeEncryption,
  o: Omit<Sealed, 'fingerprint_key'> & { integrationId: string; expiresMs: number | null; nowMs: number },
): Promise<CredentialsMark> {
  const before = await openSealed(tx, envelope, o.integrationId)
  const fingerprint_key = before?.fingerprint_key ?? randomBytes(32).toString('base64')
  const { kind, origin, credentials } = o
  const sealed: Sealed = { kind, origin, credentials, fingerprint_key }
  await writeCiphertext(tx, o.integrationId, envelope.encrypt(JSON.stringify(sealed), placeOf(tx, o.integrationId)))
  const text = JSON.stringify(Object.entries(credentials).sort())
  const digest = createHmac('sha256', Buffer.from(fingerprint_key, 'base64')).update(text).digest('hex')
  return { kind, fingerprint: `…${digest.slice(0, 4)}`, updated_ms: o.nowMs, expires_ms: o.expiresMs }
}

/** The credentials for requests to the origin; null where none are stored, or others. */
export async function openCredentials(
  tx: Transaction,
  envelope: EnvelopeEncryption,
  o: { integrationId: string; kind: AuthKind; origin: string },
): Promise<FeedCredentials | null> {
  const sealed = await openSealed(tx, envelope, o.integrationId)
  return sealed !== null && sealed.kind === o.kind && sealed.origin === o.origin ? sealed.credentials : null
}

/** Whether those that are stored are for requests of this kind to this origin. */
export async function areFor(
  tx: Transaction,
  envelope: EnvelopeEncryption,
  o: { integrationId: string; kind: AuthKind; origin: string },
): Promise<boolean> {
  return (await openCredentials(tx, envelope, o)) !== null
}

async function openSealed(tx: Transaction, envelope: EnvelopeEncryption, id: string): Promise<Sealed | null> {
  const ciphertext = await readCiphertext(tx, id)
  return ciphertext === null ? null : (JSON.parse(envelope.decrypt(ciphertext, placeOf(tx, id))) as Sealed)
}

function placeOf(tx: Transaction, integrationId: string) {
  return { workspaceId: workspaceOf(tx), rowId: integrationId, ...credentialsColumn }
}
