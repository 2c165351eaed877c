// What goes out together, what goes with the commit, and what is never sent at all.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { wait } from '@wds/pacing/wait'
import { createPool, type Pool } from './pool.ts'
import { openNotes, openWay } from './transaction.fixture.ts'
import { allInOrder, type Transaction, withTransaction } from './transaction.ts'

let notes: Awaited<ReturnType<typeof openNotes>>
let database: TestDatabase
let pool: Pool
const inNone = { workspaceId: null }
/** No JSON can be made of it. */
const circular: Record<string, unknown> = {}
circular.self = circular

beforeAll(async () => {
  notes = await openNotes()
  ;({ database, pool } = notes)
})
afterAll(() => notes?.close())

describe('a transaction', () => {
  test('needs one round trip for each turn in which it asks, its begin and its end included', async () => {
    const way = await openWay(database)
    const through = createPool({ connectionString: way.url, applicationName: 'test', max: 1 })
    try {
      const ask = (end?: Promise<unknown>[]) =>
        withTransaction(through, inNone, async (tx) => {
          await Promise.all([tx.query('select 1'), tx.query('select 2')])
          const last = tx.query('select 3')
          if (end === undefined) await last
          else end.push(last)
        })
      await ask()
      const roundTrips = async (fn: () => Promise<unknown>) => {
        const before = way.messages()
        await fn()
        return way.messages() - before
      }
      expect(await roundTrips(() => ask())).toBe(3)
      expect(await roundTrips(() => ask([]))).toBe(2)
    } finally {
      way.close()
      await through.end()
    }
  })

  test('commits what nobody waited for', async () => {
    let late: Promise<unknown> | undefined
    await withTransaction(pool, inNone, async (tx) => {
      late = tx.query("insert into counters values ('unawaited', 1)")
    })
    await late
    expect((await pool.query("select n from counters where id = 'unawaited'")).rows).toEqual([{ n: 1 }])
  })

  test('what goes with the commit is committed with it; when it fails, all of it ends with its own error', async () => {
    const count = async () => (await pool.query("select from counters where id like 'with commit%'")).rowCount
    const add = (tx: Transaction, id: string, n: unknown) =>
      tx.query('insert into counters values ($1, $2::integer)', [`with commit ${id}`, n])
    await withTransaction(pool, inNone, async (tx) => tx.withCommit(() => add(tx, 'a', 1)))
    expect(await count()).toBe(1)

    let ran = false
    const told = new Error('told in its own words')
    const refused = withTransaction(pool, inNone, async (tx) => {
      tx.afterCommit(() => {
        ran = true
      })
      await add(tx, 'b', 1)
      tx.withCommit(() =>
        add(tx, 'c', 'no number').catch(() => {
          throw told
        }),
      )
    })
    await expect(refused).rejects.toBe(told)
    // What is asked behind it fails with it, in the same turn and in a later one, and tells the same.
    for (const pause of [false, true]) {
      const behind = withTransaction(pool, inNone, async (tx) => {
        tx.withCommit(() =>
          add(tx, 'd', 'no number').catch(() => {
            throw told
          }),
        )
        if (pause) await sleep(50)
        await add(tx, 'e', 1)
      })
      await expect(behind).rejects.toBe(told)
    }
    // What was not sent, since the rest had failed before, tells nothing.
    const unsent = withTransaction(pool, inNone, async (tx) => {
      await add(tx, 'f', 1)
      tx.withCommit(() =>
        add(tx, 'g', 1).catch(() => {
          throw told
        }),
      )
      throw new Error('its own')
    })
    await expect(unsent).rejects.toThrow('its own')
    expect([ran, await count()]).toEqual([false, 1])
  })

  test('what fails before it reaches the database is not committed beside, and neither is what asks too late', async () => {
    const insert = (tx: Transaction, id: string, n: unknown) =>
      tx.query('insert into counters values ($1, $2)', [id, n])
    const attempts: [RegExp, (tx: Transaction) => void][] = [
      [/circular/i, (tx) => tx.withCommit(() => insert(tx, 'unsendable', circular))],
      [/circular/i, (tx) => void insert(tx, 'unsendable', circular).catch(() => 'swallowed')],
      [/no such topic/, (tx) => tx.withCommit(() => Promise.reject(new Error('no such topic')))],
      [/ask before it waits/, (tx) => tx.withCommit(() => sleep(1).then(() => insert(tx, 'too late', 1)))],
      [
        /thrown at once/,
        (tx) =>
          tx.withCommit(() => {
            throw new Error('thrown at once')
          }),
      ],
    ]
    for (const [why, attempt] of attempts) {
      for (const waits of [true, false]) {
        const refused = withTransaction(pool, inNone, async (tx) => {
          const beside = insert(tx, `beside ${why}`, 1)
          if (waits) await beside
          attempt(tx)
        })
        await expect(refused).rejects.toThrow(why)
      }
    }
    const { rowCount } = await pool.query(
      "select from counters where id like 'beside%' or id in ('unsendable', 'too late')",
    )
    expect(rowCount).toBe(0)
  })

  test('behind its end nothing is asked: it would run in whatever the connection serves next', async () => {
    const kept: Transaction[] = []
    await withTransaction(pool, inNone, async (tx) => {
      kept.push(tx)
      await tx.query('select 1')
    })
    const rolledBack = withTransaction(pool, inNone, async (tx) => {
      kept.push(tx)
      await tx.query('select 1')
      throw new Error('not this')
    })
    await expect(rolledBack).rejects.toThrow('not this')
    for (const tx of kept)
      await expect(tx.query("insert into counters values ('late', 1)")).rejects.toThrow('has ended')
    expect((await pool.query("select from counters where id = 'late'")).rowCount).toBe(0)
  })

  test.each(['before', 'behind'] as const)(
    'whose commit is on its way when the connection breaks, %s it arrives, is in doubt',
    async (side) => {
      const way = await openWay(database)
      const through = createPool({ connectionString: way.url, applicationName: 'test', max: 1 })
      try {
        const ran: string[] = []
        const id = `in doubt ${side}`
        way.cutAt((message) => message.includes('commit'), side)
        const attempt = withTransaction(through, inNone, async (tx) => {
          tx.afterCommit(() => ran.push('committed'))
          tx.withCommit(() => tx.query('insert into counters values ($1, 1)', [id]))
        })
        await expect(attempt).rejects.toMatchObject({ name: 'ServiceError', code: 'commit_unknown' })
        expect(ran).toEqual([])
        const stored = async () => (await pool.query('select from counters where id = $1', [id])).rowCount
        if (side === 'before') expect(await stored()).toBe(0)
        for (let tries = 0; side === 'behind' && (await stored()) !== 1; tries += 1) {
          expect(tries).toBeLessThan(3_000)
          await wait(20)
        }
      } finally {
        way.close()
        await through.end()
      }
    },
  )

  test('a statement that failed leaves nothing prepared that a query of the pool stumbles over', () =>
    notes.onOneConnection(async (single) => {
      const named = (by: number) => ({ name: 'divided', text: 'select 6 / $1::integer as n', values: [by] })
      await expect(withTransaction(single, inNone, (tx) => tx.query(named(0)))).rejects.toMatchObject({ code: '22012' })
      expect((await single.query(named(2))).rows).toEqual([{ n: 3 }])
      expect((await withTransaction(single, inNone, (tx) => tx.query(named(3)))).rows).toEqual([{ n: 2 }])
    }))

  test('a name that was given to another statement, which failed, is that of the first one again', () =>
    notes.onOneConnection(async (single) => {
      const first = { name: 'taken', text: 'select 1 as n' }
      const ask = (text: string) => withTransaction(single, inNone, (tx) => tx.query({ ...first, text }))
      expect((await ask(first.text)).rows).toEqual([{ n: 1 }])
      await expect(ask("select 1 / (now() - now() = interval '0')::integer / 0 as n")).rejects.toMatchObject({
        code: '22012',
      })
      expect((await ask(first.text)).rows).toEqual([{ n: 1 }])
    }))

  test('that ends before anything was sent leaves its connection as it is', () =>
    notes.onOneConnection(async (single) => {
      const pid = async () => (await single.query('select pg_backend_pid() as pid')).rows[0]?.pid
      const before = await pid()
      const unsendable = withTransaction(single, inNone, (tx) => tx.query('select $1', [circular]))
      await expect(unsendable).rejects.toThrow(/circular/i)
      const thrown = withTransaction(single, inNone, async (tx) => {
        void tx.query("insert into counters values ('unsent', 1)")
        throw new Error('not this')
      })
      await expect(thrown).rejects.toThrow('not this')
      expect(await pid()).toBe(before)
      expect((await single.query("select from counters where id = 'unsent'")).rowCount).toBe(0)
    }))

  test('a value that cannot be sent fails its own statement, and the connection serves on', () =>
    notes.onOneConnection(async (single) => {
      const named = { name: 'echo', text: 'select $1::json as value' }
      for (const value of [circular, circular]) {
        const refused = withTransaction(single, inNone, (tx) => tx.query({ ...named, values: [value] }))
        await expect(refused).rejects.toThrow(/circular/i)
      }
      const good = () => withTransaction(single, inNone, (tx) => tx.query({ ...named, values: ['{"a": 1}'] }))
      for (const { rows } of [await good(), await good()]) expect(rows).toEqual([{ value: { a: 1 } }])
    }))

  test('a statement that failed when it was first prepared is prepared again, in the same turn and in later ones', () =>
    notes.onOneConnection(async (single) => {
      const divide = (by: number) => ({ name: 'divide', text: 'select 6 / $1::integer as n', values: [by] })
      for (const by of [0, 0]) {
        const refused = withTransaction(single, inNone, (tx) =>
          Promise.all([tx.query(divide(by)), tx.query(divide(2))]),
        )
        await expect(refused).rejects.toMatchObject({ code: '22012' })
      }
      const answers = await withTransaction(single, inNone, (tx) =>
        Promise.all([tx.query(divide(2)), tx.query(divide(3))]),
      )
      expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 3 }], [{ n: 2 }]])
      // Now the columns are known beforehand; no rows and no columns are told apart.
      const known = await withTransaction(single, inNone, (tx) => tx.query(divide(6)))
      expect([known.rows, known.fields.map(({ name }) => name)]).toEqual([[{ n: 1 }], ['n']])
    }))

  test('regression: that does not begin fails, whenever its work ends, and gives its connection back', () =>
    notes.onOneConnection(async (single) => {
      const unbegun = { workspaceId: null, isolation: 'no such level' as 'read committed' }
      const swallowing = (turns: number) => async (tx: Transaction) => {
        await tx.query('select 1').catch(() => undefined)
        for (let turn = 0; turn < turns; turn += 1) await undefined
        throw new Error('its own')
      }
      const works: ((tx: Transaction) => Promise<unknown>)[] = [
        (tx) => tx.query('select 1'),
        async (tx) => tx.query('select 1'),
        (tx) => allInOrder([tx.query('select 1'), tx.query('select 2')]),
        (tx) => tx.query('select 1').then(() => tx.query('select 2')),
        async (tx) => tx.withCommit(() => tx.query('select 1')),
        ...Array.from({ length: 6 }, (_, turns) => swallowing(turns)),
      ]
      for (const work of works) {
        await expect(withTransaction(single, unbegun, work)).rejects.toThrow(/syntax error|its own/)
      }
      expect((await withTransaction(single, inNone, (tx) => tx.query('select 1 as n'))).rows).toEqual([{ n: 1 }])
    }))
})
