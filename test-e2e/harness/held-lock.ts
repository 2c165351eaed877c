// Holds a lock in a database, so that what needs it stands still amid its work until it is released.
import pg from 'pg'
import { eventually } from './standalone.ts'

export interface HeldLock {
  /** Resolves once so many sessions wait for it. */
  reached: Promise<void>
  release(): Promise<void>
}

/** Resolves once the lock is held. `url`: of a superuser; `lock`: the statement that takes it; `what` waits: for the error when nobody does. */
export async function holdLock(url: string, o: { lock: string; waiting: number; what: string }): Promise<HeldLock> {
  const admin = new pg.Client({ connectionString: url })
  // A test that failed ends its server under it.
  admin.on('error', () => undefined)
  await admin.connect()
  await admin.query('begin')
  await admin.query(o.lock)
  const blocked = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
  const isReached = async () => ((await admin.query(blocked)).rowCount ?? 0) >= o.waiting
  const reached = eventually(o.what, isReached).then(() => undefined)
  // Whoever never asks has failed before.
  reached.catch(() => undefined)
  return { reached, release: () => admin.end() }
}
