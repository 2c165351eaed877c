// Rows of identities: accounts at upstream providers, found by issuer and subject, never by a mail address.
import type { Transaction } from '@wds/postgres/transaction'

export interface Identity {
  issuer: string
  subject: string
}

/** As its provider vouched for it now. */
export interface VouchedIdentity extends Identity {
  /** Shown to its person, nothing else; null where the provider told no mail address that it has verified. */
  email: string | null
}

/** Within what OpenID Connect Core 2 allows, and what the table can tell apart: it has no U+0000, and lone surrogates would become one character. */
export const isSubject = (text: string): boolean => /^\P{C}{1,255}$/u.test(text)

/** By the primary key. */
export async function findIdentity(tx: Transaction, { issuer, subject }: Identity): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>({
    name: 'identity',
    text: 'select user_id from identities where issuer = $1 and subject = $2',
    values: [issuer, subject],
  })
  return rows[0]?.user_id ?? null
}

/** False where it is somebody's already. */
export async function insertIdentity(
  tx: Transaction,
  o: { identityId: string; userId: string; identity: VouchedIdentity },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-new',
    text: `insert into identities (issuer, subject, user_id, identity_id, email) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    values: [o.identity.issuer, o.identity.subject, o.userId, o.identityId, o.identity.email],
  })
  return rowCount === 1
}

/** Notes that its person signs in with it. By the primary key. */
export async function touchIdentity(tx: Transaction, { issuer, subject, email }: VouchedIdentity): Promise<void> {
  await tx.query({
    name: 'identity-used',
    text: 'update identities set last_used = app_now(), email = $3 where issuer = $1 and subject = $2',
    values: [issuer, subject, email],
  })
}

export interface IdentityRow {
  identity_id: string
  issuer: string
  subject: string
  email: string | null
  created: Date
  last_used: Date | null
}

/** Of a person, newest first. By the index on user_id. */
export async function identitiesOf(tx: Transaction, userId: string): Promise<IdentityRow[]> {
  const { rows } = await tx.query<IdentityRow & { [column: string]: unknown }>({
    name: 'identities-of-person',
    text: 'select identity_id, issuer, subject, email, created, last_used from identities where user_id = $1 order by created desc, identity_id',
    values: [userId],
  })
  return rows
}

/** By identities_id. */
export async function deleteIdentity(tx: Transaction, identityId: string): Promise<void> {
  await tx.query({
    name: 'identity-end',
    text: 'delete from identities where identity_id = $1',
    values: [identityId],
  })
}

/** Removes all of a person; the issuer of each. By the index on user_id. */
export async function deleteIdentitiesOf(tx: Transaction, userId: string): Promise<string[]> {
  const { rows } = await tx.query<{ issuer: string }>({
    name: 'identities-end',
    text: 'delete from identities where user_id = $1 returning issuer',
    values: [userId],
  })
  return rows.map(({ issuer }) => issuer)
}
