// Decides what becomes of an integration's credentials when it is made or changed (domain.md 3.2): sealed for the address they were given for,
// removed, or left as they are where they still fit.
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { type Fault, problemOfFaults } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { isFeedProvider } from '../providers/domain/providers.ts'
import type { FeedSettings } from '../sources/domain/feed-settings.ts'
import { originOf } from '../sources/domain/feed-url.ts'
import type { CredentialsMark, IntegrationFields } from './domain/integration-fields.ts'
import { credentialFaults, type GivenCredentials } from './judge-settings.ts'
import { areFor, sealCredentials } from './sealed-credentials.ts'
import { deleteCiphertext } from './store-credentials.ts'

interface Change {
  integrationId: string
  /** As they will be. */
  fields: IntegrationFields
  /** Undefined: nothing was said; null: they are to go. */
  given: GivenCredentials | null | undefined
  nowMs: number
}

/** What the stream is told: undefined where nothing changes. Throws a Problem where those that would be there do not fit. */
export async function changedCredentials(
  tx: Transaction,
  envelope: EnvelopeEncryption,
  o: Change,
): Promise<CredentialsMark | null | undefined> {
  const { integrationId, fields, given, nowMs } = o
  if (!isFeedProvider(fields.provider)) {
    if (given) throw refused('This provider takes no credentials.')
    return undefined
  }
  const { url, auth: kind = 'none' } = fields.settings as FeedSettings
  const place = { integrationId, kind, origin: originOf(url) }
  if (given) {
    const faults = credentialFaults(fields.provider, given, kind)
    if (faults.length > 0) throw problemOfFaults(faults)
    const { expires, ...credentials } = given
    const expiresMs = expires === undefined ? null : Date.parse(expires)
    return sealCredentials(tx, envelope, { ...place, credentials, expiresMs, nowMs })
  }
  if (kind !== 'none') {
    if (given === null) throw refused(`auth ${kind} needs them.`)
    if (await areFor(tx, envelope, place)) return undefined
    throw refused(`auth ${kind} needs credentials for ${place.origin}: give them with this change.`)
  }
  await deleteCiphertext(tx, integrationId)
  return null
}

function refused(detail: string) {
  const fault: Fault = { pointer: '/credentials', code: 'validation_failed', detail }
  return problemOfFaults([fault])
}
