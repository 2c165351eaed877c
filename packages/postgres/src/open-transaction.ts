// One transaction on one connection: when it begins, what goes out together, and how it ends. It never sends a statement where it
// might run outside the transaction, and never commits what failed before it reached the server.
import { resumed } from '@wds/telemetry/event-loop-delay'
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { CommittedFault, isConnectionFault, ServiceError, sqlStateOf } from './faults.ts'
import { answerTimeoutMs, type Queryable } from './pool.ts'
import { StatementTurn } from './statement-turn.ts'

/** One open transaction. */
export interface Transaction extends Queryable {
  /** The workspace that row-level security sees, or null: then tenant tables show no rows to the HTTP role. */
  readonly workspaceId: string | null
  /** Runs `fn` once the transaction is committed; never when it is rolled back. `fn` must not throw. */
  afterCommit(fn: () => void): void
  /** Runs `fn` once the transaction has rejected: it is rolled back, or its commit is in doubt, or what is behind it failed. `fn` must not throw. */
  afterRollback(fn: () => void): void
  /**
   * Runs `ask`, which asks before it waits, and sends what it asked with the commit, unless something else is asked meanwhile.
   * When it fails, in the database or before, nothing is committed and the transaction rejects with its error; so whatever is wrong
   * with what it asks must fail there, since nobody sees its answers before the commit.
   */
  withCommit(ask: () => Promise<unknown>): void
  /** Of a transaction that others are part of; absent for one's own. */
  readonly sharing?: Sharing
}

/** How a part of a shared transaction gets out of the way of the others. */
export interface Sharing {
  /** Takes what `key` names for this part; the second one that asks for it goes on in a transaction of its own. */
  take(key: string): void
  /** Goes on in a transaction of its own: for a row that is not there, or that somebody holds. */
  leave(): never
}

/** Options of {@link withTransaction}. */
export interface TransactionOptions {
  workspaceId: string | null
  /** Milliseconds per statement; the pool's limit unless told. */
  statementTimeoutMs?: number
  isolation?: 'read committed' | 'repeatable read'
  readOnly?: boolean
}

/**
 * Waits for statements that were sent together, in one round trip; the first one that failed, in their order, throws. What
 * follows it in the transaction has failed as well then, so nothing of it is stored.
 */
export async function allInOrder<T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const ends = await Promise.allSettled(statements)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as never
}

/** What row-level security sees from here on. Empty for none: no workspace has that id, and it overrides what the session might hold. */
export const inWorkspace = (workspaceId: string | null) => setLocal('app.workspace_id', workspaceId ?? '')

function setLocal(name: string, value: string): pg.QueryConfig {
  return { name: 'set-local', text: 'select set_config($1, $2, true)', values: [name, value] }
}

/**
 * Begins with its first statement, in one round trip with it: what follows a begin that failed is not run. Statements of one
 * turn of the event loop go out together; when one fails, those behind it fail with the same error.
 */
export class OpenTransaction implements Transaction {
  readonly workspaceId: string | null
  readonly committed: (() => void)[] = []
  readonly rolledBack: (() => void)[] = []
  /** What goes with the commit. */
  readonly #last: Promise<unknown>[] = []
  readonly #client: pg.PoolClient
  readonly #options: TransactionOptions
  /** Gathers the statements of this turn. */
  #turn: StatementTurn | null = null
  #asked = 0
  #begin: 'not asked' | 'asked' | 'sent' | 'answered' = 'not asked'
  #hasEnded = false
  /** Why the transaction did not begin. */
  #fault: { error: unknown } | null = null
  /** Why it must not be committed, though the server knows of nothing. */
  #refusal: { error: unknown } | null = null
  /** Something that was to go with the commit asked nothing at once: what it asks later would come behind the commit. */
  #asksLate = false
  #commitTurn: StatementTurn | null = null

  constructor(client: pg.PoolClient, options: TransactionOptions) {
    this.#client = client
    this.#options = options
    this.workspaceId = options.workspaceId
  }

  // Its users may take the methods apart from it.
  readonly query = <R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> => {
    if (this.#fault !== null) return Promise.reject(this.#fault.error)
    // It would run outside the transaction, in whatever the connection serves next.
    if (this.#hasEnded) return Promise.reject(new Error('the transaction has ended'))
    const statement = typeof query === 'string' ? { text: query } : query
    this.#asked += 1
    const answer = this.#ask(values === undefined ? statement : { ...statement, values }).then(
      (result) => {
        resumed()
        return result
      },
      (error: unknown) => {
        resumed()
        // Its own stack ends at the socket; this one leads to whoever waits.
        if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
        throw error
      },
    )
    // Who does not wait hears of it from the commit.
    answer.catch(() => undefined)
    return answer as Promise<pg.QueryResult<R>>
  }

  readonly afterCommit = (run: () => void): void => {
    this.committed.push(run)
  }

  readonly afterRollback = (run: () => void): void => {
    this.rolledBack.push(run)
  }

  readonly withCommit = (ask: () => Promise<unknown>): void => {
    const askedBefore = this.#asked
    const answer = ask()
    this.#last.push(answer)
    answer.catch((error: unknown) => {
      this.#refusal ??= { error }
    })
    if (this.#asked === askedBefore) this.#asksLate = true
  }

  /** Together with the statements that nobody waited for. */
  async commit(): Promise<Error | undefined> {
    this.#hasEnded = true
    if (this.#begin === 'not asked' && this.#last.length === 0) return undefined
    if (this.#fault !== null) throw this.#fault.error
    const committed = this.#ask({ name: 'commit', text: 'commit' })
    const turn = this.#turn
    this.#commitTurn = turn
    let command: string
    try {
      command = (await committed).command
    } catch (cause) {
      if (turn?.wasSent !== true) throw cause
      if (!(cause instanceof pg.DatabaseError) || cause.severity !== 'ERROR' || isConnectionFault(cause)) {
        return new ServiceError('commit_unknown', 'The connection broke during the commit.', { cause })
      }
      // Refused by the server (a deferred constraint, a serialisation failure), or not run behind a statement that failed.
      await allInOrder(this.#last)
      throw cause
    }
    if (command !== 'COMMIT') {
      const message = 'A failed statement had ended the transaction; it was rolled back.'
      return new ServiceError('transaction_aborted', message)
    }
    await allInOrder(this.#last).catch((cause: unknown) => {
      throw new CommittedFault('The transaction is committed, but what went with the commit failed behind it.', {
        cause,
      })
    })
    return undefined
  }

  /** Returns the fault for which the client must be destroyed, or undefined when it is clean again. */
  async rollback(error: unknown): Promise<Error | undefined> {
    this.#hasEnded = true
    if (isConnectionFault(error)) return error as Error
    // What is not sent yet is not run.
    this.#turn?.fail(error)
    this.#turn = null
    if (this.#begin === 'not asked' || this.#begin === 'asked') return undefined
    try {
      await this.#ask({ name: 'rollback', text: 'rollback' })
      return undefined
    } catch (fault) {
      return fault as Error
    }
  }

  /** The error that tells why: behind a statement that went with the commit the server only says that the transaction is aborted. */
  reasonOf(error: unknown): unknown {
    return sqlStateOf(error) === '25P02' && this.#refusal !== null ? this.#refusal.error : error
  }

  #whyNotToCommit(): { error: unknown } | null {
    if (this.#refusal !== null) return this.#refusal
    return this.#asksLate ? { error: new Error('what goes with the commit has to ask before it waits') } : null
  }

  #ask(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#turn ??= this.#newTurn()
    return this.#turn.add(statement)
  }

  #newTurn(): StatementTurn {
    const { statementTimeoutMs } = this.#options
    // The pool waits for an answer no longer than its own limit asks for.
    const timeoutMs = statementTimeoutMs === undefined ? undefined : answerTimeoutMs(statementTimeoutMs)
    const turn = new StatementTurn({
      query_timeout: timeoutMs,
      onUnsendable: (error) => {
        this.#refusal ??= { error }
      },
    })
    if (this.#begin === 'not asked') this.#askToBegin(turn)
    // Nothing is sent behind a begin that is not answered yet: it might run outside a transaction.
    if (this.#begin === 'asked' || this.#begin === 'answered') this.#sendSoon()
    return turn
  }

  #askToBegin(turn: StatementTurn): void {
    const { isolation = 'read committed', readOnly = false, statementTimeoutMs, workspaceId } = this.#options
    const begin = `begin isolation level ${isolation} ${readOnly ? 'read only' : 'read write'}`
    const begun = [turn.add({ name: begin, text: begin }), turn.add(inWorkspace(workspaceId))]
    if (statementTimeoutMs !== undefined)
      begun.push(turn.add(setLocal('statement_timeout', String(Math.trunc(statementTimeoutMs)))))
    this.#begin = 'asked'
    Promise.all(begun).then(
      () => this.#begun(null),
      (error: unknown) => this.#begun({ error }),
    )
  }

  /** In one step: whoever asks meanwhile either waits for the begin and hears of its end here, or asks behind it. */
  #begun(fault: { error: unknown } | null): void {
    this.#fault = fault
    // Else it failed unsent, with its turn.
    if (this.#begin !== 'sent') return
    this.#begin = 'answered'
    if (fault !== null) {
      this.#turn?.fail(fault.error)
      this.#turn = null
    } else this.#sendSoon()
  }

  #sendSoon(): void {
    process.nextTick(() => {
      const turn = this.#turn
      this.#turn = null
      if (turn === null) return
      const refusal = turn === this.#commitTurn ? this.#whyNotToCommit() : null
      if (refusal !== null) return turn.fail(refusal.error)
      if (this.#begin === 'asked') this.#begin = 'sent'
      void waitingFor(() => turn.sendOn(this.#client))
    })
  }
}
