// Makes a signing secret: its plain text, which is shown once, and what is stored of it.
import { randomBytes } from 'node:crypto'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { generateSecret } from '@wds/webhook-signature/secret'
import type { SecretMark } from './domain/subscription.ts'
import { secretColumn } from './store.ts'

/** A secret that is not stored yet. */
export interface MadeSecret {
  /** `whsec_…` */
  plain: string
  mark: SecretMark
  /** The row of a subscription. Its id is the subscription's and the secret's number, which the envelope holds: no ciphertext can be moved. */
  rowOf(subscriptionId: string): { subscriptionId: string; secretId: string; ciphertext: string } & SecretMark
}

/** `version`: from 1, one more with each rotation. */
export function makeSecret(envelope: EnvelopeEncryption, o: { workspaceId: string; version: number }): MadeSecret {
  const plain = generateSecret(randomBytes(24))
  const mark = { hint: plain.slice(-4), version: o.version }
  return {
    plain,
    mark,
    rowOf(subscriptionId) {
      const secretId = `${subscriptionId}.${o.version}`
      const ciphertext = envelope.encrypt(plain, { workspaceId: o.workspaceId, rowId: secretId, ...secretColumn })
      return { subscriptionId, secretId, ciphertext, ...mark }
    },
  }
}
