// Reads how much work of the queue there is and how long it has waited, for metrics. It changes nothing and locks nothing.
import type { Queryable } from '@wds/postgres/pool'
import type { WorkKind } from './store.ts'

export interface WaitingWork {
  waiting: number
  running: number
  deferred: number
  /** Of the oldest one that waits; 0 when none does. */
  oldestWaitingSeconds: number
}

/** The queue holds what is not over yet: it is read whole. Work that waits for its integration's turn counts as waiting. */
export async function readWaitingWork(db: Queryable, kinds: readonly WorkKind[]): Promise<WaitingWork> {
  const { rows } = await db.query<{ waiting: number; running: number; deferred: number; age: number | null }>(
    `with work as (
       select due, case when lease_until > app_now() then 'running' when due <= app_now() then 'waiting' else 'deferred' end as state
       from due_work where kind = any($1::text[]))
     select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'running')::int as running,
            count(*) filter (where state = 'deferred')::int as deferred,
            extract(epoch from app_now() - min(due) filter (where state = 'waiting'))::float8 as age
     from work`,
    [kinds],
  )
  const { waiting = 0, running = 0, deferred = 0, age = null } = rows[0] ?? {}
  return { waiting, running, deferred, oldestWaitingSeconds: age ?? 0 }
}
