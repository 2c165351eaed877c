// Transactions that several callers share, against a real Postgres: what each of them sees, and what becomes of the others when one
// of them fails, waits or breaks a rule.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool, type Pool } from './pool.ts'
import { withSharedTransaction } from './shared-transaction.ts'
import { type Transaction, withTransaction } from './transaction.ts'
import { openNotes, openWay } from './transaction-fixture.ts'

let notes: Awaited<ReturnType<typeof openNotes>>
let pool: Pool

beforeAll(async () => {
  notes = await openNotes()
  ;({ pool } = notes)
})
afterAll(() => notes?.close())

const inA = { workspaceId: 'wsp_a' }
const inB = { workspaceId: 'wsp_b' }

const insertSql = 'insert into notes (workspace_id, id, n) values ($1, $2, $3)'
const insert = (tx: Transaction, id: string, n: unknown = 0) =>
  tx.query({ name: 'insert-note', text: insertSql, values: [tx.workspaceId, id, n] })
const put = (tx: Transaction, id: string, n: unknown = 0) => tx.withCommit(() => insert(tx, id, n))

/** Tells transactions apart; two parts of one give the same. */
async function transactionId(tx: Transaction): Promise<string> {
  const { rows } = await tx.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? ''
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
    const part = (workspaceId: string, name: string) =>
      withSharedTransaction(pool, { workspaceId }, async (tx) => {
        const id = await transactionId(tx)
        const { rows } = await tx.query<{ at: string }>("select current_setting('app.workspace_id') as at")
        put(tx, `together ${name}`, 1)
        const before = await seen(tx)
        put(tx, `together ${name} too`, 2)
        return { id, at: rows[0]?.at, before: before.filter((note) => note.startsWith('together')) }
      })
    await withTransaction(pool, inA, (tx) => insert(tx, 'together before a'))
    await withTransaction(pool, inB, (tx) => insert(tx, 'together before b'))
    const ends = await Promise.all([part('wsp_a', '1'), part('wsp_b', '2'), part('wsp_a', '3'), part('wsp_b', '4')])
    expect(new Set(ends.map(({ id }) => id)).size).toBe(1)
    expect(ends.map(({ at }) => at)).toEqual(['wsp_a', 'wsp_b', 'wsp_a', 'wsp_b'])
    expect(ends.map(({ before }) => before)).toEqual(
      ['a', 'b', 'a', 'b'].map((letter) => [`together before ${letter}`]),
    )
    expect(await stored('together _%')).toEqual([
      ...['a together 1 1', 'a together 1 too 2', 'a together 3 1', 'a together 3 too 2', 'a together before a 0'],
      ...['b together 2 1', 'b together 2 too 2', 'b together 4 1', 'b together 4 too 2', 'b together before b 0'],
    ])
  })

  test('more of them than one transaction takes are all carried out', async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        withSharedTransaction(pool, n % 2 === 0 ? inA : inB, async (tx) => {
          put(tx, `many ${n}`)
          return transactionId(tx)
        }),
      ),
    )
    expect(new Set(ids).size).toBeLessThan(10)
    expect(new Set(ids).size).toBeGreaterThan(2)
    expect(await stored('many %')).toHaveLength(100)
  })

  test('callbacks run after the commit, in order, of those alone that ended well', async () => {
    const calls: string[] = []
    const part = (name: string, fails: boolean) =>
      withSharedTransaction(pool, inA, async (tx) => {
        tx.afterCommit(() => calls.push(`${name} read`))
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
    expect(calls).toEqual(['1 read', '1 written', '3 read', '3 written'])
    expect(await stored('callbacks %')).toEqual(['a callbacks 1 0', 'a callbacks 3 0'])
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

describe('a part that may not go on in company goes on alone', () => {
  /** Whether `work` ran in a transaction with its neighbour; and the neighbour was stored, once. */
  async function isShared(name: string, work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
    let own = ''
    const [other] = await Promise.all([
      withSharedTransaction(pool, inB, async (tx) => {
        put(tx, `neighbour ${name}`)
        return transactionId(tx)
      }),
      withSharedTransaction(pool, inA, async (tx) => {
        await work(tx)
        own = await transactionId(tx)
      }),
    ])
    expect(await stored(`neighbour ${name}`)).toEqual([`b neighbour ${name} 0`])
    return own === other
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
    ['does not hear what it is told', false, (tx) => insert(tx, 'unheard').catch(() => undefined)],
    ['finds what it wants locked', false, async (tx) => tx.sharing?.leave()],
  ])('%s: shared %s', async (name, shared, work) => {
    expect(await isShared(name, work)).toBe(shared)
  })

  test('the second that takes the same', async () => {
    const part = (key: string) =>
      withSharedTransaction(pool, inA, async (tx) => {
        tx.sharing?.take(key)
        return transactionId(tx)
      })
    const [first, second, other] = await Promise.all([part('one'), part('one'), part('another')])
    expect(first).toBe(other)
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
    const waiting = withSharedTransaction(pool, inA, async (tx) => {
      const skip = tx.sharing ? 'skip locked' : ''
      const { rows } = await tx.query(`select n from notes where id = 'held' for no key update ${skip}`)
      if (rows.length === 0) tx.sharing?.leave()
      return rows
    })
    let hasEnded = false
    void waiting.then(() => {
      hasEnded = true
    })
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
    for (let tries = 0; (await stored('in doubt')).length !== 2; tries += 1) expect(tries).toBeLessThan(100)
  })
})
