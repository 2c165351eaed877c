// The count of requests that the processes of a service share (decision 26): one statement at a time, for all callers that need one meanwhile.
import { ownConnection, type Pool } from '@wds/postgres/pool'

/** Holds `0001-request-quotas.sql`. */
export const migrationsDirectory = new URL('./quota-migrations/', import.meta.url)

/** What the shared count says of a caller. */
export interface Counted {
  /** Of its window, what was asked for just now included. */
  used: number
  /** Milliseconds until the window ends, by the database's clock. */
  restMs: number
}

/** Where processes share their counts. */
export interface QuotaStore {
  /** Counts `wanted` requests of the caller. */
  count(caller: string, wanted: number): Promise<Counted>
}

interface Asked {
  caller: string
  wanted: number
  resolve(counted: Counted): void
  reject(error: unknown): void
}

/** In Postgres. On a connection of its own: whoever waits for one of the pool must not keep others from being counted. */
export function createQuotaStore(o: { pool: Pool; windowMs: number }): QuotaStore {
  const pool = ownConnection(o.pool, 'quotas')
  let waiting = new Map<string, Asked>()
  let running = false
  const run = async () => {
    running = true
    while (waiting.size > 0) {
      const asked = [...waiting.values()]
      waiting = new Map()
      try {
        const counted = await countAll(pool, asked, o.windowMs)
        for (const { caller, resolve, reject } of asked) {
          const found = counted.get(caller)
          if (found) resolve(found)
          else reject(new Error('a caller was not counted'))
        }
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    running = false
  }
  return {
    // Each caller asks for itself once at a time.
    count: (caller, wanted) =>
      new Promise((resolve, reject) => {
        waiting.set(caller, { caller, wanted, resolve, reject })
        if (!running) void run()
      }),
  }
}

/** By the primary key, in its order, so that two processes do not wait for each other. */
async function countAll(pool: Pool, asked: Asked[], windowMs: number): Promise<Map<string, Counted>> {
  const { rows } = await pool.query<{ caller: string; used: string; rest_ms: number }>({
    name: 'count-requests',
    text: `with clock as materialized (select extract(epoch from app_now()) * 1000 as ms),
                w as (select to_timestamp((ms - mod(ms, $3::numeric)) / 1000) as starts, ($3::numeric - mod(ms, $3::numeric))::float8 as rest_ms from clock)
           insert into request_quotas as q (caller, window_start, used)
           select n.caller, w.starts, n.wanted from unnest($1::text[], $2::bigint[]) n(caller, wanted) cross join w order by n.caller
           on conflict (caller) do update set window_start = excluded.window_start,
             used = case when q.window_start = excluded.window_start then q.used else 0 end + excluded.used
           returning caller, used, (select rest_ms from w) as rest_ms`,
    values: [asked.map(({ caller }) => caller), asked.map(({ wanted }) => wanted), windowMs],
  })
  return new Map(rows.map(({ caller, used, rest_ms }) => [caller, { used: Number(used), restMs: rest_ms }]))
}

/**
 * Removes callers whose window ended an hour ago, whatever its length was then; `pool` is the worker role's. By scans: the table holds
 * who called lately. Not all at once: a flood from ever new addresses leaves more than one statement may take.
 */
export async function purgeRequestQuotas(pool: Pool): Promise<void> {
  const ended = "window_start < app_now() - interval '1 hour'"
  // The outer condition: one may have called again since the scan.
  const text = `delete from request_quotas where ${ended} and ctid = any(array(
    select ctid from request_quotas where ${ended} limit ${purgeBatch}))`
  while (((await pool.query(text)).rowCount ?? 0) > 0);
}

const purgeBatch = 20_000
