// Attempts of the last 15 minutes that failed or are under way. One takes its places before the password is looked at, so that many at once
// are counted like many in a row. It gives them back once it is known not to have failed: one that ends unjudged, since its process was
// killed, counts as a failure, or whoever can end processes or connections would guess for nothing. Nothing is ever locked for good.
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction } from '@wds/postgres/transaction'

/** `subject`: SHA-256 of what it counts for, an account that need not exist among it; `most`: failures after which the next is refused. */
export interface Attempt {
  id: string
  counts: readonly { subject: Buffer; most: number }[]
}

/** For how long a failure counts. */
const windowSeconds = 900

/** Null when each of its counts had a place left; else the seconds until they do. By the primary key. */
export async function takeAttempt(tx: Transaction, { id, counts }: Attempt): Promise<number | null> {
  // In one order, so that two attempts do not wait for each other.
  const ordered = counts.toSorted((one, other) => Buffer.compare(one.subject, other.subject))
  const subjects = ordered.map(({ subject }) => subject)
  const locked = tx.query({
    name: 'attempt-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('sign-in ' || encode(subject, 'hex'), 0)) from unnest($1::bytea[]) subject`,
    values: [subjects],
  })
  // A statement of its own: it sees what those before it have committed.
  const taken = tx.query<{ wait: number | null }>({
    name: 'attempt-take',
    text: `with counts as (select * from unnest($2::bytea[], $3::int[]) counts (subject, most)),
           recent as (
             select a.subject, count(*) as attempts, min(a.at) as oldest from sign_in_attempts a
              where a.subject = any ($2::bytea[]) and a.at > app_now() - make_interval(secs => $4) group by a.subject),
           full_up as (select max(oldest) as oldest from recent join counts using (subject) where attempts >= most),
           taken as (
             insert into sign_in_attempts (subject, attempt_id)
             select subject, $1 from counts, full_up where oldest is null)
           select ceil(extract(epoch from oldest - app_now()) + $4)::int as wait from full_up`,
    values: [id, subjects, ordered.map(({ most }) => most), windowSeconds],
  })
  const [, { rows }] = await allInOrder([locked, taken] as const)
  const wait = rows[0]?.wait ?? null
  return wait === null ? null : Math.max(1, wait)
}

/** It did not fail. By the primary key. */
export async function giveBackAttempt(tx: Transaction, { id, counts }: Attempt): Promise<void> {
  await tx.query({
    name: 'attempt-give-back',
    text: 'delete from sign_in_attempts where subject = any ($1::bytea[]) and attempt_id = $2',
    values: [counts.map(({ subject }) => subject), id],
  })
}

/** Removes what no longer counts. By sign_in_attempts_at. */
export async function pruneAttempts(pool: Pool): Promise<void> {
  await pool.query(`delete from sign_in_attempts where at < app_now() - make_interval(secs => ${windowSeconds})`)
}
