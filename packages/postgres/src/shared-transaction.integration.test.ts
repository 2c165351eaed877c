// Transactions that several callers share, against a real Postgres: what each of them sees, and what becomes of the others when one
// of them fails, waits or breaks a rule.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { createPool, type Pool } from './pool.ts'
import { withSharedTransaction } from './shared-transaction.ts'
import { type Transaction, withTransaction } from './transaction.ts'
import { openNotes, openWay } from './transaction-fixture.ts'

let notes: Awaited<ReturnType<typeof openNotes>>
let pool: Pool
let admin: pg.Client

beforeAll(async () => {
  notes = await openNotes()
  ;({ pool } = notes)
  admin = new pg.Client({ connectionString: notes.database.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin?.end()
  await notes?.close()
})

const inA = { workspaceId: 'wsp_a' }
const inB = { workspaceId: 'wsp_b' }

const insertSql = 'insert into notes (workspace_id, id, n) values ($1, $2, $3)'
const insert = (tx: Transaction, id: string, n: unknown = 0) =>
  tx.query({ name: 'insert-note', text: insertSql, values: [tx.workspaceId, id, n] })
const put = (tx: Transaction, id: string, n: unknown = 0) => tx.withCommit(() => insert(tx, id, n))

/** The transactions that wrote these notes, in the order of the names; the same for parts of one. */
async function transactionsOf(like: string): Promise<string[]> {
  const { rows } = await admin.query('select xmin::text as writer from api.notes where id like $1 order by id', [like])
  return rows.map(({ writer }) => writer)
}

const seen = async (tx: Transaction) =>
  (await tx.query<{ id: string }>('select id from notes order by id')).rows.map(({ id }) => id)

async function stored(like: string): Promise<string[]> {
  const read = (workspaceId: string) =>
    withTransaction(pool, { workspaceId }, async (tx) => {
      const { rows } = await tx.query<{ id: string; n: number }>('select id, n from notes where id like $1', [like])
      return rows.map(({ id, n }) => `${workspaceId.slice(-1)} ${id} ${n}`)
    })
  return (await Promise.all(['wsp_a', 'wsp_b'].map(read))).flat().sort()
}

describe('parts that arrive together', () => {
  test('are one transaction, and each sees and writes only what is of its workspace, turn after turn', async () => {
    await withTransaction(pool, inA, (tx) => insert(tx, 'before a'))
    await withTransaction(pool, inB, (tx) => insert(tx, 'before b'))
    const part = (workspaceId: string | null, name: string, turns: number) =>
      withSharedTransaction(pool, { workspaceId }, async (tx) => {
        const seenBefore: unknown[] = []
        for (let turn = 0; turn < turns; turn += 1) {
          const { rows } = await tx.query<{ at: string }>("select current_setting('app.workspace_id') as at")
          seenBefore.push(rows[0]?.at, ...(await seen(tx)).filter((id) => id.startsWith('before')))
        }
        if (workspaceId !== null) for (const nth of [1, 2]) put(tx, `together ${name} ${nth}`)
        return seenBefore
      })
    const ends = await Promise.all([
      part('wsp_b', '1', 2),
      part('wsp_a', '2', 3),
      part(null, '3', 2),
      part('wsp_b', '4', 1),
      part('wsp_a', '5', 1),
    ])
    const turn = { a: ['wsp_a', 'before a'], b: ['wsp_b', 'before b'], none: [''] }
    expect(ends).toEqual([
      [...turn.b, ...turn.b],
      [...turn.a, ...turn.a, ...turn.a],
      [...turn.none, ...turn.none],
      turn.b,
      turn.a,
    ])
    const notesOf = (letter: string, name: string) => [
      `${letter} together ${name} 1 0`,
      `${letter} together ${name} 2 0`,
    ]
    expect(await stored('together %')).toEqual(
      [notesOf('a', '2'), notesOf('a', '5'), notesOf('b', '1'), notesOf('b', '4')].flat(),
    )
    expect(new Set(await transactionsOf('together %')).size).toBe(1)
  })

  test('more of them than one transaction takes are all carried out', async () => {
    const parts = Array.from({ length: 100 }, (_, n) =>
      withSharedTransaction(pool, n % 2 === 0 ? inA : inB, async (tx) => put(tx, `many ${n}`)),
    )
    await Promise.all(parts)
    expect(await stored('many %')).toHaveLength(100)
    expect(new Set(await transactionsOf('many %')).size).toBe(4)
  })

  test('callbacks run after the end, in order, each the one of its end', async () => {
    const calls: string[] = []
    const part = (name: string, fails: boolean) =>
      withSharedTransaction(pool, inA, async (tx) => {
        tx.afterCommit(() => calls.push(`${name} read`))
        tx.afterRollback(() => calls.push(`${name} rolled back`))
        tx.withCommit(() => {
          tx.afterCommit(() => calls.push(`${name} written`))
          return insert(tx, `callbacks ${name}`)
        })
        await seen(tx)
        expect(calls).toEqual([])
        if (fails) throw new Error('refused')
      })
    const ends = await Promise.allSettled([part('1', false), part('2', true), part('3', false)])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(calls).toEqual(['1 read', '1 written', '2 rolled back', '3 read', '3 written'])
    expect(await stored('callbacks %')).toEqual(['a callbacks 1 0', 'a callbacks 3 0'])
  })

  test('run as their callers, wherever the transaction was begun; one that is alone is begun as its caller', async () => {
    const caller = new AsyncLocalStorage<string>()
    const part = (name: string) =>
      caller.run(name, () =>
        withSharedTransaction(pool, inA, async (tx) => {
          const before = caller.getStore()
          await seen(tx)
          return [before, caller.getStore()]
        }),
      )
    expect(await part('alone')).toEqual(['alone', 'alone'])
    const names = Array.from({ length: 70 }, (_, n) => `part ${n}`)
    expect(await Promise.all(names.map(part))).toEqual(names.map((name) => [name, name]))
  })

  test('one that asks after its end is refused, while the others go on and behind them', async () => {
    const kept: Transaction[] = []
    await Promise.all([
      withSharedTransaction(pool, inA, async (tx) => {
        kept.push(tx)
      }),
      withSharedTransaction(pool, inB, async (tx) => {
        await seen(tx)
        expect(kept).toHaveLength(1)
        for (const ended of kept) await expect(insert(ended, 'late')).rejects.toThrow(/ended/)
      }),
    ])
    for (const ended of kept) await expect(insert(ended, 'late')).rejects.toThrow(/ended/)
    expect(await stored('late')).toEqual([])
  })
})

describe('a part that fails', () => {
  const outcome = (end: PromiseSettledResult<unknown>) =>
    end.status === 'fulfilled' ? 'well' : ((end.reason as { code?: string }).code ?? String(end.reason))

  test.each([
    ['by itself', (tx: Transaction) => Promise.reject(new Error(`no, ${tx.workspaceId}`)), 'Error: no, wsp_a'],
    ['in the database while it reads', (tx: Transaction) => tx.query('select 1 / 0'), '22012'],
    ['in the database with the commit', async (tx: Transaction) => put(tx, 'fails 1', 'no number'), '22P02'],
    [
      'in another workspace',
      async (tx: Transaction) => {
        tx.withCommit(() => tx.query(insertSql, ['wsp_b', 'fails 1', 1]))
      },
      '42501',
    ],
    [
      'before its statement is sent',
      async (tx: Transaction) => {
        const circular: Record<string, unknown> = {}
        circular.itself = circular
        put(tx, 'fails 1', circular)
      },
      expect.stringMatching(/circular/),
    ],
  ])('%s is told why, and the others are stored', async (name, fail, told) => {
    const runs = [0, 0, 0]
    const part = (n: number, id: string, work: (tx: Transaction) => Promise<unknown>) =>
      withSharedTransaction(pool, n === 2 ? inB : inA, async (tx) => {
        runs[n] = (runs[n] ?? 0) + 1
        await seen(tx)
        put(tx, id)
        await work(tx)
      })
    const nothing = async () => undefined
    const ends = await Promise.allSettled([
      part(0, `fails ${name} 0`, nothing),
      part(1, `fails ${name} 1`, fail),
      part(2, `fails ${name} 2`, nothing),
    ])
    expect(ends.map(outcome)).toEqual(['well', told, 'well'])
    expect(await stored(`fails ${name} %`)).toEqual([`a fails ${name} 0 0`, `b fails ${name} 2 0`])
    // Alone again where nobody knows whose fault it was.
    expect(runs).toEqual(name === 'by itself' ? [1, 1, 1] : [2, 2, 2])
  })
})

describe('behind the commit', () => {
  /** Whether each part, the second of which gets `spoil`, ran once. */
  async function ends(name: string, spoil: (tx: Transaction) => void) {
    const runs = [0, 0]
    const part = (n: number) =>
      withSharedTransaction(pool, inA, async (tx) => {
        runs[n] = (runs[n] ?? 0) + 1
        put(tx, `behind ${name} ${n}`)
        if (n === 1) spoil(tx)
        tx.afterCommit(() => calls.push(n))
      })
    const calls: number[] = []
    const settled = await Promise.allSettled([part(0), part(1)])
    expect(runs).toEqual([1, 1])
    expect(await stored(`behind ${name} %`)).toHaveLength(2)
    return { told: settled.map((end) => (end.status === 'rejected' ? String(end.reason) : 'well')), calls }
  }

  test('a callback that throws is the fault of its own part, and nothing runs again', async () => {
    const { told, calls } = await ends('callback', (tx) => {
      tx.afterCommit(() => {
        throw new Error('no callback')
      })
    })
    expect(told).toEqual(['well', 'Error: no callback'])
    expect(calls).toEqual([0])
  })

  test('what asks too late fails for all, and nothing runs again', async () => {
    const { told, calls } = await ends('late', (tx) => {
      tx.withCommit(async () => {
        await seen(tx)
        await sleep(5)
        await seen(tx)
      })
    })
    expect(told).toEqual([expect.stringMatching(/is committed, but/), expect.stringMatching(/is committed, but/)])
    expect(calls).toEqual([])
  })
})

describe('a part that may not go on in company goes on alone', () => {
  /** Whether `work` was written in one transaction with its neighbour; each of them once. */
  async function isShared(name: string, work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    await Promise.all([
      withSharedTransaction(pool, inB, async (tx) => put(tx, `company ${name} other`)),
      withSharedTransaction(pool, inA, async (tx) => {
        await work(tx)
        put(tx, `company ${name} own`)
      }),
    ])
    expect(await stored(`company ${name} %`)).toEqual([`a company ${name} own 0`, `b company ${name} other 0`])
    return new Set(await transactionsOf(`company ${name} %`)).size === 1
  }

  test.each<[string, boolean, (tx: Transaction) => Promise<unknown>]>([
    ['reads', true, (tx) => seen(tx)],
    ['locks what nobody holds', true, (tx) => tx.query('SELECT 1 from notes for no key update skip locked')],
    ['locks and waits', false, (tx) => tx.query('select 1 from notes FOR UPDATE')],
    ['locks a part and waits', false, (tx) => tx.query('select 1 from notes\n  for no key\n  update of notes')],
    ['writes before the commit', false, (tx) => insert(tx, 'alone')],
    ['writes in a with', false, (tx) => tx.query('with w as (update notes set n = 1 returning 1) select * from w')],
    ['goes to another workspace', false, (tx) => tx.query("select set_config('app.workspace_id', 'wsp_a', true)")],
    ['takes an advisory lock', false, (tx) => tx.query('select pg_advisory_xact_lock(1)')],
    ['calls what might write', false, (tx) => tx.query("select pg_notify('told', '')")],
    [
      'hides what it is told',
      false,
      async (tx) => {
        await insert(tx, 'hidden').catch((cause) => {
          throw new Error('wrapped', { cause })
        })
      },
    ],
    ['does not wait for what it asks', false, async (tx) => void insert(tx, 'not waited for')],
    ['does not hear what it is told', false, (tx) => insert(tx, 'unheard').catch(() => undefined)],
    ['finds what it wants locked', false, async (tx) => tx.sharing?.leave()],
  ])('%s: shared %s', async (name, shared, work) => {
    expect(await isShared(name, work)).toBe(shared)
  })

  test('the second that takes the same', async () => {
    const part = (name: string, key: string) =>
      withSharedTransaction(pool, inA, async (tx) => {
        tx.sharing?.take(key)
        put(tx, `taken ${name}`)
      })
    await Promise.all([part('1', 'one'), part('2', 'one'), part('3', 'another')])
    const [first, second, third] = await transactionsOf('taken %')
    expect(first).toBe(third)
    expect(second).not.toBe(first)
  })

  test('for as long as it has to wait, and nobody waits with it', async () => {
    await withTransaction(pool, inA, (tx) => insert(tx, 'held'))
    const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = withTransaction(pool, inA, async (tx) => {
      await tx.query("update notes set n = 7 where id = 'held'")
      held.resolve()
      await letGo.promise
    })
    await held.promise
    const company = [1, 2, 3].map(() => withSharedTransaction(pool, inB, (tx) => seen(tx)))
    let hasEnded = false
    const waiting = withSharedTransaction(pool, inA, async (tx) => {
      const skip = tx.sharing ? 'skip locked' : ''
      const { rows } = await tx.query(`select n from notes where id = 'held' for no key update ${skip}`)
      if (rows.length === 0) tx.sharing?.leave()
      return rows
    }).finally(() => {
      hasEnded = true
    })
    await Promise.all(company)
    for (let n = 0; n < 5; n += 1) await withSharedTransaction(pool, inA, (tx) => seen(tx))
    expect(hasEnded).toBe(false)
    letGo.resolve()
    await holder
    expect(await waiting).toEqual([{ n: 7 }])
  })
})

describe('a connection that breaks', () => {
  async function breakAt(what: (message: Buffer) => boolean, side: 'before' | 'behind', id: string) {
    const way = await openWay(notes.database)
    const broken = createPool({ connectionString: way.url, applicationName: 'test', max: 2 })
    try {
      way.cutAt(what, side)
      const ends = await Promise.allSettled(
        [inA, inB].map((at) =>
          withSharedTransaction(broken, at, async (tx) => {
            await seen(tx)
            put(tx, id)
          }),
        ),
      )
      return ends.map((end) => (end.status === 'rejected' ? (end.reason as { code?: unknown }).code : 'well'))
    } finally {
      way.close()
      await broken.end()
    }
  }

  test('while they read: nothing is stored, and all are told so', async () => {
    const told = await breakAt((message) => message.includes('from notes'), 'behind', 'broken')
    expect(told).toEqual(['database_unavailable', 'database_unavailable'])
    expect(await stored('broken')).toEqual([])
  })

  test('behind the commit: all are told that they have to look, and nobody is run again', async () => {
    const told = await breakAt((message) => message.includes('insert into notes'), 'behind', 'in doubt')
    expect(told).toEqual(['commit_unknown', 'commit_unknown'])
    for (let tries = 0; (await stored('in doubt')).length !== 2; tries += 1) {
      expect(tries).toBeLessThan(100)
      await sleep(20)
    }
  })

  test('for good: nobody waits longer than for a connection, however many wait', async () => {
    const way = await openWay(notes.database)
    const silent = createPool({ connectionString: way.url, applicationName: 'test', max: 4 })
    try {
      way.silence(true)
      const startedMs = performance.now()
      const ends = await Promise.allSettled(
        Array.from({ length: 500 }, () => withSharedTransaction(silent, inA, (tx) => seen(tx))),
      )
      const told = ends.map((end) => (end.status === 'rejected' ? end.reason.code : 'well'))
      expect(new Set(told)).toEqual(new Set(['database_unavailable']))
      expect(performance.now() - startedMs).toBeLessThan(9_000)
    } finally {
      way.close()
      await silent.end()
    }
  }, 20_000)
})
