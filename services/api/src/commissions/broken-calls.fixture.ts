// Calls whose transaction is ended from outside before they are made again.
import assert from 'node:assert/strict'
import type { Answer, Fixture } from '../api-service.fixture.ts'

export function brokenCalls(fixture: Fixture) {
  /** Ends the transaction of a call while it waits to write to the table; what it had stored is gone. Then the same call once more. */
  return async (table: string | null, call: () => Promise<Answer>): Promise<Answer> => {
    if (table === null) return call()
    const client = await fixture.adminPool.connect()
    try {
      await client.query('begin')
      await client.query(`lock table api.${table} in share row exclusive mode`)
      const broken = call()
      const waiting = 'from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))'
      const deadline = Date.now() + 60_000
      while ((await client.query(`select pg_terminate_backend(pid) ${waiting}`)).rowCount === 0)
        if (Date.now() > deadline) throw new Error(`nobody writes to ${table}`)
      assert.equal((await broken).status, 503)
    } finally {
      await client.query('rollback')
      client.release()
    }
    return call()
  }
}
