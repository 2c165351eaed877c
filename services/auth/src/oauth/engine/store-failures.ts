// Failed client authentications by the minute, counted by all processes (auth.md T31).
import { hash } from 'node:crypto'
import type { Pool } from '@wds/postgres/pool'

/** Failures of a minute after which the next attempt is refused. */
const most = { pair: 10, address: 60 }

/** Who tries: an address, and the client that it names. */
export interface Attempt {
  address: string
  clientId: string
}

const callersOf = ({ address, clientId }: Attempt) => ({
  pair: hash('sha256', JSON.stringify([address, clientId]), 'buffer'),
  address: hash('sha256', JSON.stringify([address]), 'buffer'),
})

/** Seconds to wait, or null: it may be tried. The primary key serves it. */
export async function refusedFor(pool: Pool, attempt: Attempt): Promise<number | null> {
  const { pair, address } = callersOf(attempt)
  const { rows } = await pool.query<{ wait: number }>({
    name: 'client-failures',
    text: `select ceil(extract(epoch from minute + interval '1 minute' - app_now()))::int as wait from client_failures
      where minute = date_trunc('minute', app_now()) and (caller = $1 and failures >= $2 or caller = $3 and failures >= $4) limit 1`,
    values: [pair, most.pair, address, most.address],
  })
  return rows[0] ? Math.max(1, rows[0].wait) : null
}

export async function countFailure(pool: Pool, attempt: Attempt): Promise<void> {
  const { pair, address } = callersOf(attempt)
  // In one order, so that two processes do not wait for each other.
  const callers = [pair, address].sort(Buffer.compare)
  await pool.query({
    name: 'count-client-failure',
    text: `insert into client_failures as f (caller, minute, failures)
      select caller, date_trunc('minute', app_now()), 1 from unnest($1::bytea[]) caller order by caller
      on conflict (caller, minute) do update set failures = f.failures + 1`,
    values: [callers],
  })
}

/** By a scan: the table holds a minute's failures, and after a flood ten minutes' of them. `pool`: of the worker role. */
export async function pruneFailures(pool: Pool): Promise<void> {
  await pool.query(`delete from client_failures where minute < app_now() - interval '2 minutes'`)
}
