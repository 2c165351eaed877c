// Runs work of several callers in one transaction, since a transaction costs more than what is done in it. Nobody in it waits for a
// lock, nobody sees what another wrote, and whoever cannot go on under these rules runs again in a transaction of its own.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { CommittedFault, isOfServer, ServiceError } from './faults.ts'
import { inWorkspace, type Sharing, type Transaction } from './open-transaction.ts'
import { connectTimeoutMs, type Pool } from './pool.ts'
import { readsOnly } from './reads-only.ts'
import { withTransaction } from './transaction.ts'

type Work<T> = (tx: Transaction) => Promise<T>

interface Asked {
  workspaceId: string | null
  work: Work<unknown>
  /** Runs something as the caller's: what is traced within belongs to its request. */
  asCaller: <T>(fn: () => T) => T
  atMs: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The part runs again, alone. It never leaves this module. */
class Leaves extends Error {
  override name = 'Leaves'
}

// While one waits for the database the other is prepared.
const transactionsMax = 2
// What one fault has to run again, and the longest that one waits for the others.
const partsMax = 32

/**
 * As `withTransaction`, but in one transaction with the work of others, of other workspaces as well. `fn` waits for nothing but the
 * database. It reads by `select` and writes with the commit (`Transaction.withCommit`); `tx.sharing` tells it how to lock. Whatever
 * else it asks, it is run again in a transaction of its own; so are all when a statement fails. `fn` may run more than once.
 */
export async function withSharedTransaction<T>(
  pool: Pool,
  options: { workspaceId: string | null },
  fn: Work<T>,
): Promise<T> {
  let queue = queues.get(pool)
  if (queue === undefined) {
    queue = new Queue(pool)
    queues.set(pool, queue)
  }
  try {
    return await queue.run(options.workspaceId, fn)
  } catch (error) {
    if (error instanceof Leaves) return withTransaction(pool, options, fn)
    throw error
  }
}

// Of no request: this runs when the module is loaded.
const asNobody: Asked['asCaller'] = AsyncLocalStorage.snapshot()

const queues = new WeakMap<Pool, Queue>()

/** What waits for a shared transaction of a pool: the first ones begin at the end of the turn, the next when one has ended. */
class Queue {
  readonly #pool: Pool
  #waiting: Asked[] = []
  #running = 0
  #isGathering = false

  constructor(pool: Pool) {
    this.#pool = pool
  }

  run<T>(workspaceId: string | null, work: Work<T>): Promise<T> {
    const asCaller = AsyncLocalStorage.snapshot()
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        workspaceId,
        // Whoever begins the transaction.
        work: (tx) => asCaller(() => work(tx)),
        asCaller,
        atMs: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      })
      if (this.#isGathering || this.#running >= transactionsMax) return
      this.#isGathering = true
      // Behind everything that arrived in this turn.
      setImmediate(() => {
        this.#isGathering = false
        this.#start()
      })
    })
  }

  #start(): void {
    while (this.#running < transactionsMax && this.#waiting.length > 0) {
      this.#running += 1
      const asked = this.#waiting.splice(0, partsMax)
      const [first, ...others] = asked as [Asked, ...Asked[]]
      const within = others.length === 0 ? first.asCaller : asNobody
      void within(() => runTogether(this.#pool, asked)).finally(() => {
        this.#running -= 1
        this.#refuseLate()
        this.#start()
      })
    }
  }

  /** A database that does not answer does not gather a queue. */
  #refuseLate(): void {
    const sinceMs = performance.now() - connectTimeoutMs
    const inTime = this.#waiting.findIndex(({ atMs }) => atMs > sinceMs)
    for (const { reject } of this.#waiting.splice(0, inTime < 0 ? this.#waiting.length : inTime)) {
      reject(new ServiceError('database_unavailable', 'The database gave no transaction in time.'))
    }
  }
}

/** Settles every part; never rejects. */
async function runTogether(pool: Pool, asked: Asked[]): Promise<void> {
  let parts: Part[] = []
  let ends: PromiseSettledResult<unknown>[] = []
  let fault: { error: unknown } | null = null
  try {
    await withTransaction(pool, { workspaceId: asked[0]?.workspaceId ?? null }, async (tx) => {
      const shared = new SharedTransaction(tx)
      parts = asked.map(({ workspaceId }) => new Part(shared, workspaceId))
      const ofThisTry = parts
      tx.afterRollback(() => {
        for (const part of ofThisTry) part.runCallbacks('rolled back', () => undefined)
      })
      ends = await Promise.allSettled(parts.map((part, index) => part.run((asked[index] as Asked).work)))
      if (shared.fault !== null) throw shared.fault.error
      // The others failed by themselves: nothing is written for them.
      for (const [index, part] of parts.entries()) if (ends[index]?.status === 'fulfilled') part.write()
    })
  } catch (error) {
    // Behind a statement that failed nobody knows whose it was.
    fault = { error: isOfAll(error) ? error : new Leaves() }
  }
  for (const [index, { resolve, reject }] of asked.entries()) {
    const end = ends[index]
    if (fault === null && end?.status === 'fulfilled') {
      parts[index]?.runCallbacks('committed', reject)
      resolve(end.value)
    } else if (fault === null) {
      parts[index]?.runCallbacks('rolled back', reject)
      reject((end as PromiseRejectedResult).reason)
    } else reject(fault.error)
  }
}

/** Told to every part: what may be committed must not run again, and what is of the server meets each of them alone as well. */
function isOfAll(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code !== 'transaction_aborted'
  return error instanceof CommittedFault || isOfServer(error)
}

/** One transaction that goes from workspace to workspace. */
class SharedTransaction {
  readonly tx: Transaction
  readonly taken = new Set<string>()
  /** Of the first statement that failed: nothing of the transaction can be stored. */
  fault: { error: unknown } | null = null
  #workspaceId: string | null

  constructor(tx: Transaction) {
    this.tx = tx
    this.#workspaceId = tx.workspaceId
  }

  /** Asks in that workspace. Statements reach the server in the order in which they were asked, each behind its workspace. */
  query<R extends pg.QueryResultRow>(
    workspaceId: string | null,
    statement: pg.QueryConfig,
  ): Promise<pg.QueryResult<R>> {
    // Also where the server knows of no fault: the change of the workspace may not have been sent.
    if (this.fault !== null) return unheard(Promise.reject(this.fault.error))
    if (workspaceId !== this.#workspaceId) {
      this.#workspaceId = workspaceId
      void this.#send(inWorkspace(workspaceId))
    }
    return this.#send(statement)
  }

  #send<R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    const answer = this.tx.query<R>(statement)
    answer.catch((error: unknown) => {
      this.fault ??= { error }
    })
    return answer
  }
}

/** What one caller sees of a shared transaction. */
class Part implements Transaction {
  readonly workspaceId: string | null
  readonly sharing: Sharing
  readonly #shared: SharedTransaction
  readonly #asks: (() => Promise<unknown>)[] = []
  readonly #committed: (() => void)[] = []
  readonly #rolledBack: (() => void)[] = []
  #state: 'reads' | 'ended' | 'writes' = 'reads'
  #leaves = false

  constructor(shared: SharedTransaction, workspaceId: string | null) {
    this.#shared = shared
    this.workspaceId = workspaceId
    const leave = (): never => {
      this.#leaves = true
      throw new Leaves()
    }
    const take = (key: string): void => {
      if (shared.taken.has(key)) leave()
      shared.taken.add(key)
    }
    this.sharing = { take, leave }
  }

  readonly query = <R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> => {
    const statement = typeof query === 'string' ? { text: query } : query
    if (this.#state === 'ended') return unheard(Promise.reject(new Error('this part of the transaction has ended')))
    if (this.#state === 'reads' && !readsOnly(statement.text)) {
      this.#leaves = true
      return unheard(Promise.reject(new Leaves()))
    }
    return this.#shared.query<R>(this.workspaceId, values === undefined ? statement : { ...statement, values })
  }

  readonly afterCommit = (run: () => void): void => {
    this.#committed.push(run)
  }

  readonly afterRollback = (run: () => void): void => {
    this.#rolledBack.push(run)
  }

  readonly withCommit = (ask: () => Promise<unknown>): void => {
    this.#asks.push(ask)
  }

  async run<T>(work: Work<T>): Promise<T> {
    try {
      const value = await work(this)
      // It may have caught what told it so.
      if (this.#leaves) throw new Leaves()
      return value
    } catch (error) {
      throw this.#leaves ? new Leaves() : error
    } finally {
      this.#state = 'ended'
    }
  }

  /** Sends what goes with the commit. */
  write(): void {
    this.#state = 'writes'
    for (const ask of this.#asks) this.#shared.tx.withCommit(ask)
  }

  /** Behind the end. One that throws against its contract is its own caller's fault and nobody else's. */
  runCallbacks(end: 'committed' | 'rolled back', onFault: (error: unknown) => void): void {
    try {
      for (const run of end === 'committed' ? this.#committed : this.#rolledBack) run()
    } catch (error) {
      onFault(error)
    }
  }
}

/** Who does not wait for it hears of it from the end of the transaction. */
function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
