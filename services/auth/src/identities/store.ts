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
export async function insertIdentity(tx: Transaction, userId: string, { issuer, subject }: Identity): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'identity-new',
    text: 'insert into identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing',
    values: [issuer, subject, userId],
  })
  return rowCount === 1
}

/** Issuers at which the person has an identity. By the index on user_id. */
export async function issuersOf(tx: Transaction, userId: string): Promise<Set<string>> {
  const { rows } = await tx.query<{ issuer: string }>({
    name: 'identities-of-person',
    text: 'select issuer from identities where user_id = $1',
    values: [userId],
  })
  return new Set(rows.map(({ issuer }) => issuer))
}
