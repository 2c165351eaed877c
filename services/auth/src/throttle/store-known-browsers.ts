// Rows of known browsers: which browser signed in to which account, within 90 days.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** After so long without a sign-in a browser is a stranger. */
export const knownBrowserDays = 90

/** Has the browser signed in to the account of this address? One statement in any case (XO10). By users_email_key_key and the primary key. */
export async function isKnownBrowser(
  tx: Transaction,
  o: { emailKey: string; browser: Buffer | null },
): Promise<boolean> {
  const { rows } = await tx.query<{ known: boolean }>({
    name: 'known-browser',
    text: `select exists (
             select from known_browsers b join users u using (user_id)
              where u.email_key = $1 and b.browser = $2 and b.last_used > app_now() - make_interval(days => $3)) as known`,
    values: [o.emailKey, o.browser, knownBrowserDays],
  })
  return rows[0]?.known ?? false
}

export async function insertKnownBrowser(tx: Transaction, userId: string, browser: Buffer): Promise<void> {
  await tx.query({
    name: 'known-browser-new',
    text: `insert into known_browsers (user_id, browser) values ($1, $2)
           on conflict (user_id, browser) do update set last_used = app_now()`,
    values: [userId, browser],
  })
}

/** All of a person. By the prefix of the primary key. */
export async function deleteKnownBrowsers(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from known_browsers where user_id = $1', [userId])
}

/** By known_browsers_last_used. */
export async function pruneKnownBrowsers(pool: Pool): Promise<void> {
  await pool.query(
    `delete from known_browsers where last_used < app_now() - make_interval(days => ${knownBrowserDays})`,
  )
}
