// Rows of people and of their passwords.
import type { Transaction } from '@wds/postgres/transaction'

export type UserStatus = 'active' | 'disabled' | 'erased'

export interface Account {
  user_id: string
  name: string
  email: string
  status: UserStatus
  /** Null: signs in elsewhere. */
  hash: string | null
}

const accountColumns = 'u.user_id, u.name, u.email, u.status, p.hash'

/** By the unique index on email_key. */
export async function findAccountByEmail(tx: Transaction, emailKey: string): Promise<Account | null> {
  const { rows } = await tx.query<Account & { [column: string]: unknown }>({
    name: 'account-by-email',
    text: `select ${accountColumns} from users u left join passwords p using (user_id) where u.email_key = $1`,
    values: [emailKey],
  })
  return rows[0] ?? null
}

/** By the primary key. `lock` holds the person's row until the transaction ends. */
export async function findAccount(
  tx: Transaction,
  userId: string,
  o: { lock?: boolean } = {},
): Promise<Account | null> {
  const lock = o.lock === true ? ' for no key update of u' : ''
  const { rows } = await tx.query<Account & { [column: string]: unknown }>({
    name: `account${lock}`,
    text: `select ${accountColumns} from users u left join passwords p using (user_id) where u.user_id = $1${lock}`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** False where somebody has the address already. */
export async function insertUser(
  tx: Transaction,
  o: { userId: string; name: string; email: string; emailKey: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'user-new',
    text: `insert into users (user_id, name, email, email_key, status) values ($1, $2, $3, $4, 'active')
           on conflict (email_key) do nothing`,
    values: [o.userId, o.name, o.email, o.emailKey],
  })
  return rowCount === 1
}

/**
 * Each set of parameters that a stored hash has, once, as `m=65536,t=3,p=1`: one, and more after the cost was raised, until everybody has
 * signed in. By passwords_parameters, a step of it for each.
 */
export async function parametersInUse(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.query<{ parameters: string }>({
    name: 'password-parameters',
    text: `with recursive used (parameters) as (
             (select split_part(hash, '$', 4) as p from passwords order by p limit 1)
             union all
             select (select split_part(hash, '$', 4) as p from passwords where split_part(hash, '$', 4) > parameters order by p limit 1)
               from used where parameters is not null)
           select parameters from used where parameters is not null`,
  })
  return rows.map(({ parameters }) => parameters)
}

export async function savePassword(tx: Transaction, userId: string, hash: string): Promise<void> {
  await tx.query({
    name: 'password-save',
    text: `insert into passwords (user_id, hash) values ($1, $2)
           on conflict (user_id) do update set hash = excluded.hash, changed = app_now()`,
    values: [userId, hash],
  })
}

/** The same password, computed anew; not where it was changed meanwhile. */
export async function replaceHash(tx: Transaction, userId: string, o: { from: string; to: string }): Promise<void> {
  await tx.query({
    name: 'password-rehash',
    text: 'update passwords set hash = $3 where user_id = $1 and hash = $2',
    values: [userId, o.from, o.to],
  })
}

export async function setUserStatus(tx: Transaction, userId: string, status: 'active' | 'disabled'): Promise<void> {
  await tx.query('update users set status = $2 where user_id = $1', [userId, status])
}

/** Leaves the id, which streams and the audit log name. */
export async function eraseUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from passwords where user_id = $1', [userId])
  await tx.query('delete from identities where user_id = $1', [userId])
  await tx.query(
    `update users set name = 'Erased person', email = null, email_key = null, status = 'erased' where user_id = $1`,
    [userId],
  )
}
