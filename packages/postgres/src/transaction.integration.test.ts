// Transactions against a real Postgres, seen through the HTTP role as row-level security sees it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import pg from 'pg'
import { createPool, type Pool } from './pool.ts'
import { openNotes, openWay } from './transaction.fixture.ts'
import { allInOrder, isTransient, ServiceError, setWorkspace, withTransaction } from './transaction.ts'

let notes: Awaited<ReturnType<typeof openNotes>>
let database: TestDatabase
let pool: Pool
const inNone = { workspaceId: null }

beforeAll(async () => {
  notes = await openNotes()
  ;({ database, pool } = notes)
  for (const workspaceId of ['wsp_a', 'wsp_b', 'wsp_c']) {
    await withTransaction(pool, { workspaceId }, (tx) =>
      tx.query('insert into notes (workspace_id, id) values ($1, $2)', [workspaceId, `note_of_${workspaceId}`]),
    )
  }
})
afterAll(() => notes?.close())

describe('a transaction', () => {
  test('commits what it wrote, then runs its callbacks in order', async () => {
    const seen: string[] = []
    await withTransaction(pool, inNone, async (tx) => {
      tx.afterCommit(() => seen.push('first'))
      tx.afterCommit(() => seen.push('second'))
      await tx.query("insert into counters values ('committed', 1)")
      expect(seen).toEqual([])
    })
    expect(seen).toEqual(['first', 'second'])
    expect((await pool.query("select 1 from counters where id = 'committed'")).rowCount).toBe(1)
  })

  test('rolls back on a throw, passes the same error on and runs no callback', async () => {
    const fault = new Error('no')
    const ran: string[] = []
    const attempt = withTransaction(pool, inNone, async (tx) => {
      tx.afterCommit(() => ran.push('committed'))
      await tx.query("insert into counters values ('rolled back', 1)")
      throw fault
    })
    await expect(attempt).rejects.toBe(fault)
    expect(ran).toEqual([])
    expect((await pool.query("select 1 from counters where id = 'rolled back'")).rowCount).toBe(0)
  })

  test('statements sent together answer in their order', async () => {
    const answers = await withTransaction(pool, inNone, (tx) =>
      allInOrder([
        tx.query("insert into counters values ('together', 1) returning n"),
        tx.query("update counters set n = n + 1 where id = 'together' returning n"),
        tx.query("select n from counters where id = 'together'"),
      ]),
    )
    expect(answers.map(({ rows }) => rows[0])).toEqual([{ n: 1 }, { n: 2 }, { n: 2 }])
  })

  test('of statements sent together the first that fails is told, whatever follows it, and nothing is stored', async () => {
    const attempt = withTransaction(pool, inNone, (tx) =>
      allInOrder([
        tx.query("insert into counters values ('half', 1)"),
        tx.query('select 1 / 0'),
        tx.query("insert into counters values ('other half', 1)"),
      ]),
    )
    await expect(attempt).rejects.toMatchObject({ code: '22012' })
    expect((await pool.query("select 1 from counters where id like '%half'")).rowCount).toBe(0)
  })

  test('is refused when a failed statement was swallowed: nothing pretends to be committed', async () => {
    const attempt = withTransaction(pool, inNone, async (tx) => {
      await tx.query('select 1 / 0').catch(() => undefined)
    })
    await expect(attempt).rejects.toMatchObject({ name: 'ServiceError', code: 'transaction_aborted' })
  })

  test('keeps its isolation, its mode and its limit', async () => {
    const row = await withTransaction(
      pool,
      { workspaceId: null, isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 1234 },
      async (tx) =>
        (
          await tx.query(
            `select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as read_only,
               current_setting('statement_timeout') as timeout`,
          )
        ).rows[0],
    )
    expect(row).toEqual({ isolation: 'repeatable read', read_only: 'on', timeout: '1234ms' })
    expect((await pool.query('show statement_timeout')).rows[0]?.statement_timeout).toBe('5s')
  })

  test('that did not begin writes nothing and tells why, whenever it is asked', async () => {
    const seen: unknown[] = []
    const refused = withTransaction(pool, { ...inNone, statementTimeoutMs: Number.NaN }, async (tx) => {
      const write = () => tx.query("insert into counters values ('unbegun', 1)").catch((error) => seen.push(error))
      const first = write()
      // Asked while the begin is on its way: it is not sent behind it.
      await new Promise(setImmediate)
      await Promise.all([first, write()])
      await write()
      throw new Error('not this')
    })
    await expect(refused).rejects.toThrow('not this')
    expect(seen).toHaveLength(3)
    for (const error of seen) expect(String(error)).toMatch(/statement_timeout/)
    expect((await pool.query("select from counters where id = 'unbegun'")).rowCount).toBe(0)
  })

  test('takes a workspace id verbatim, whatever it holds', async () => {
    const workspaceId = "wsp_'; drop table notes; --\\"
    const shown = await withTransaction(pool, { workspaceId }, async (tx) => {
      return (await tx.query("select current_setting('app.workspace_id') as id")).rows[0]?.id
    })
    expect(shown).toBe(workspaceId)
  })

  test('goes on in the workspace of a row once it is told to', async () => {
    await withTransaction(pool, inNone, async (tx) => {
      expect((await tx.query('select id from notes')).rowCount).toBe(0)
      await setWorkspace(tx, 'wsp_b')
      expect(tx.workspaceId).toBe('wsp_b')
      expect((await tx.query('select id from notes')).rows).toEqual([{ id: 'note_of_wsp_b' }])
    })
  })

  test('is tried again after a deadlock until both sides have committed', async () => {
    await pool.query("insert into counters values ('left', 0), ('right', 0)")
    let runs = 0
    let waiting = 0
    let open = () => undefined as undefined
    const bothHoldOne = new Promise<void>((resolve) => {
      open = () => void resolve()
    })
    const cross = (first: string, second: string) =>
      withTransaction(pool, inNone, async (tx) => {
        runs += 1
        await tx.query('update counters set n = n + 1 where id = $1', [first])
        waiting += 1
        if (waiting === 2) open()
        await bothHoldOne
        await tx.query('update counters set n = n + 1 where id = $1', [second])
      })
    await Promise.all([cross('left', 'right'), cross('right', 'left')])
    expect(runs).toBeGreaterThan(2)
    const { rows } = await pool.query("select n from counters where id in ('left', 'right')")
    expect(rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  test('gives up after three further tries', async () => {
    let runs = 0
    const attempt = withTransaction(pool, inNone, async (tx) => {
      runs += 1
      await tx.query("do $$ begin raise exception using errcode = '40001'; end $$")
    })
    await expect(attempt).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(4)
  })

  test('regression: a server that is full, broken or read only is transient; a connection to one that only reads is given up', () =>
    notes.onOneConnection(async (single) => {
      const pid = async () => (await single.query('select pg_backend_pid() as pid')).rows[0]?.pid
      const raise = async (code: string) => {
        const before = await pid()
        const raising = `do $$ begin raise exception using errcode = '${code}'; end $$`
        const error = await withTransaction(single, inNone, (tx) => tx.query(raising)).catch((thrown) => thrown)
        return [code, isTransient(error), (await pid()) === before]
      }
      for (const code of ['53100', '53200', '58030']) expect(await raise(code)).toEqual([code, true, true])
      for (const code of ['25006', '0A000']) expect(await raise(code)).toEqual([code, true, false])
      for (const code of ['22P05', '23505', '42P01', '54000', 'XX000'])
        expect(await raise(code)).toEqual([code, false, true])
    }))

  test('regression: a name server that does not answer for a moment is transient, as at the start of a pod', () => {
    const fault = (code: string) => isTransient(Object.assign(new Error(`getaddrinfo ${code} db`), { code }))
    expect(['EAI_AGAIN', 'ENOTFOUND', 'ERR_INVALID_ARG_TYPE'].map(fault)).toEqual([true, true, false])
  })

  test('whose connection is cut reports it as transient, and the pool serves the next one', async () => {
    const attempt = withTransaction(pool, inNone, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
      const admin = new pg.Client({ connectionString: database.adminUrl })
      await admin.connect()
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await admin.end()
      await tx.query('select 1')
    })
    const error = await attempt.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: 'database_unavailable' })
    expect(isTransient(error)).toBe(true)
    expect(await withTransaction(pool, inNone, async () => 'served')).toBe('served')
  })

  test('regression: a pool that has no connection in time is a fault that passes: nothing was done', async () => {
    const narrow = new pg.Pool({ connectionString: database.urls.services.api.http, max: 1 })
    const taken = await narrow.connect()
    narrow.options.connectionTimeoutMillis = 50
    try {
      const error = await narrow.query('select 1').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(isTransient(error)).toBe(true)
    } finally {
      taken.release()
      await narrow.end()
    }
  })

  test('regression: a database that falls silent is given up, and a statement that may take longer is waited for', async () => {
    const way = await openWay(database)
    const through = createPool({
      connectionString: way.url,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 1_000,
    })
    try {
      const slow = withTransaction(through, { ...inNone, statementTimeoutMs: 60_000 }, (tx) =>
        tx.query('select pg_sleep(3.5)'),
      )
      expect((await slow).rowCount).toBe(1)
      way.silence(true)
      for (const work of [
        () => withTransaction(through, inNone, (tx) => tx.query('select 1')),
        () => through.query('select 1'),
      ]) {
        const error = await work().catch((thrown: unknown) => thrown)
        expect(isTransient(error)).toBe(true)
      }
      way.silence(false)
      expect((await through.query('select 1')).rowCount).toBe(1)
    } finally {
      way.close()
      await through.end()
    }
  })

  test('without a database to reach is a ServiceError', async () => {
    const nowhere = createPool({ connectionString: 'postgres://x:y@127.0.0.1:1/z', applicationName: 'test' })
    await expect(withTransaction(nowhere, inNone, async () => 1)).rejects.toMatchObject({
      code: 'database_unavailable',
    })
    await nowhere.end()
  })
})

describe('the workspace', () => {
  test('XT06: a query without a workspace sees no rows, also on a connection that had one', async () => {
    const single = createPool({
      connectionString: database.urls.services.api.http,
      applicationName: 'test',
      max: 1,
    })
    const seen = await withTransaction(single, { workspaceId: 'wsp_a' }, (tx) => tx.query('select id from notes'))
    expect(seen.rowCount).toBe(1)
    expect((await single.query('select id from notes')).rowCount).toBe(0)
    expect((await withTransaction(single, inNone, (tx) => tx.query('select id from notes'))).rowCount).toBe(0)
    await single.end()
  })

  test('XT06: the setting never outlives its transaction over 1,000 interleaved requests', async () => {
    const workspaces = ['wsp_a', 'wsp_b', 'wsp_c', null]
    const request = async (index: number) => {
      const workspaceId = workspaces[index % workspaces.length] ?? null
      const expected = workspaceId ? [`note_of_${workspaceId}`] : []
      // Some fail, so that rollbacks are in the mix; some run outside a transaction.
      const failing = index % 7 === 0
      const shown = await withTransaction(pool, { workspaceId }, async (tx) => {
        const { rows } = await tx.query<{ id: string }>('select id from notes')
        if (failing) throw rows.map((row) => row.id)
        return rows.map((row) => row.id)
      }).catch((thrown: unknown) => thrown)
      expect(shown).toEqual(expected)
      if (index % 5 === 0) expect((await pool.query('select id from notes')).rowCount).toBe(0)
    }
    // Four callers for each connection: none waits long for one, on a busy machine either.
    let next = 0
    const caller = async () => {
      while (next < 1_000) {
        next += 1
        await request(next)
      }
    }
    await Promise.all(Array.from({ length: 32 }, caller))
  })
})
