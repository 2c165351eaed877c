// Who a sub-affiliate is: name, e-mail address and how it is paid. Personal data stands here alone, outside streams and their rows, and is
// erased 90 days after the removal (domain.md 3.8). Payout details are ciphertext only.
import { createHmac, randomBytes } from 'node:crypto'
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Transaction } from '@wds/postgres/transaction'
import type { EncryptedColumn } from '@wds/service-host/reencrypt-secrets'

export type PayoutType = 'bank' | 'paypal' | 'skrill' | 'crypto' | 'manual'

export interface Profile {
  name: string
  email: string
  payoutMethod: { type: PayoutType; fingerprint: string } | null
}

/** Table and column that the envelope is bound to (security.md 3). */
const detailsColumn = { table: 'sub_affiliate_payout_methods', column: 'ciphertext' } as const

/** For `reencrypt-secrets`. Primary key. */
export const storedPayoutDetails: EncryptedColumn = { ...detailsColumn, id: 'sub_affiliate_id', of: 'workspace' }

/** Of those that are not erased, by id. The primary keys serve it. */
export async function readProfiles(tx: Transaction, ids: readonly string[]): Promise<Map<string, Profile>> {
  const { rows } = await tx.query<ProfileRow>(
    `${profilesSql} where p.workspace_id = $1 and p.sub_affiliate_id = any($2::text[])`,
    [workspaceOf(tx), ids],
  )
  return new Map(rows.map((row) => [row.id, toProfile(row)]))
}

/** Whoever selects names the workspace and the sub-affiliates of the alias `p`. */
export const profilesSql = `select p.sub_affiliate_id as id, p.name, p.email, m.type, m.fingerprint
  from sub_affiliate_profiles p left join sub_affiliate_payout_methods m using (workspace_id, sub_affiliate_id)`

export interface ProfileRow {
  id: string
  name: string
  email: string
  type: PayoutType | null
  fingerprint: string | null
  [column: string]: unknown
}

export function toProfile({ name, email, type, fingerprint }: ProfileRow): Profile {
  return { name, email, payoutMethod: type === null || fingerprint === null ? null : { type, fingerprint } }
}

/** In place of what was stored before. The primary key serves it. */
export async function storeProfile(tx: Transaction, id: string, o: { name: string; email: string }): Promise<void> {
  await tx.query(
    `insert into sub_affiliate_profiles (workspace_id, sub_affiliate_id, name, email) values ($1, $2, $3, $4)
     on conflict (workspace_id, sub_affiliate_id) do update set name = excluded.name, email = excluded.email`,
    [workspaceOf(tx), id, o.name, o.email],
  )
}

/** Encrypts how it is paid, in place of what was stored before. The primary key serves it. */
export async function storePayoutMethod(
  tx: Transaction,
  envelope: EnvelopeEncryption,
  o: { id: string; type: PayoutType; details: Record<string, string> },
): Promise<void> {
  const place = { workspaceId: workspaceOf(tx), rowId: o.id, ...detailsColumn }
  const { rows } = await tx.query<{ ciphertext: string }>(
    'select ciphertext from sub_affiliate_payout_methods where workspace_id = $1 and sub_affiliate_id = $2',
    [place.workspaceId, o.id],
  )
  // Kept, so that the same details have the same fingerprint.
  const before = rows[0] && (JSON.parse(envelope.decrypt(rows[0].ciphertext, place)) as { fingerprint_key: string })
  const fingerprint_key = before?.fingerprint_key ?? randomBytes(32).toString('base64')
  const text = JSON.stringify([o.type, Object.entries(o.details).sort()])
  const digest = createHmac('sha256', Buffer.from(fingerprint_key, 'base64')).update(text).digest('hex')
  const ciphertext = envelope.encrypt(JSON.stringify({ details: o.details, fingerprint_key }), place)
  await tx.query(
    `insert into sub_affiliate_payout_methods (workspace_id, sub_affiliate_id, type, fingerprint, ciphertext)
     values ($1, $2, $3, $4, $5) on conflict (workspace_id, sub_affiliate_id)
     do update set type = excluded.type, fingerprint = excluded.fingerprint, ciphertext = excluded.ciphertext`,
    [place.workspaceId, o.id, o.type, `…${digest.slice(0, 4)}`, ciphertext],
  )
}

/** The primary key serves it. */
export async function removePayoutMethod(tx: Transaction, id: string): Promise<void> {
  const place = [workspaceOf(tx), id]
  await tx.query('delete from sub_affiliate_payout_methods where workspace_id = $1 and sub_affiliate_id = $2', place)
}

/** All that names it. The primary keys serve it. */
export async function eraseProfile(tx: Transaction, id: string): Promise<void> {
  await removePayoutMethod(tx, id)
  const place = [workspaceOf(tx), id]
  await tx.query('delete from sub_affiliate_profiles where workspace_id = $1 and sub_affiliate_id = $2', place)
}
