// Rows of identities: accounts at upstream providers, found by issuer and subject, never by a mail address.
import type { Transaction } from '@wds/postgres/transaction'

export interface Identity {
  issuer: string
  subject: string
}

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
  o: { identityId: string; userId: string; identity: Identity },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-new',
    text: `insert into identities (issuer, subject, user_id, identity_id) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [o.identity.issuer, o.identity.subject, o.userId, o.identityId],
  })
  return rowCount === 1
}

/** Notes that the person signs in with it; false: it is not this person's any more. By the primary key. */
export async function touchIdentity(tx: Transaction, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-used',
    text: 'update identities set last_used = app_now() where issuer = $1 and subject = $2 and user_id = $3',
    values: [issuer, subject, userId],
  })
  return rowCount === 1
}

export interface IdentityRow {
  identity_id: string
  issuer: string
  created: Date
  last_used: Date | null
}

/** Of a person, newest first. By the index on user_id. */
export async function identitiesOf(tx: Transaction, userId: string): Promise<IdentityRow[]> {
  const { rows } = await tx.query<IdentityRow & { [column: string]: unknown }>({
    name: 'identities-of-person',
    text: 'select identity_id, issuer, created, last_used from identities where user_id = $1 order by created desc, identity_id',
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

/** Removes all of a person; how many there were. By the index on user_id. */
export async function deleteIdentitiesOf(tx: Transaction, userId: string): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'identities-end',
    text: 'delete from identities where user_id = $1',
    values: [userId],
  })
  return rowCount ?? 0
}
