// One transaction on one connection: begins with the first statement, pipelines the statements of one event-loop turn, commits or rolls
// back. It never sends a statement where it could run outside the transaction, and never commits when a statement failed before it was
// sent.
import { resumed } from '@wds/telemetry/event-loop-delay'
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { CommittedFault, isConnectionFault, ServiceError, sqlStateOf } from './faults.ts'
import { answerTimeoutMs, type Pool, type Queryable } from './pool.ts'
import { StatementTurn } from './statement-turn.ts'

/** `pool`: of the transaction. */
export type AfterCommit = (pool: Pool) => unknown

/** One open transaction. */
export interface Transaction extends Queryable {
  /** The workspace that row-level security sees, or null: then tenant tables show no rows to the HTTP role. */
  readonly workspaceId: string | null
  /**
   * Runs `fn` once the transaction is committed and its connection given back; never when it is rolled back, or its commit uncertain.
   * `withTransaction` resolves once the promises that they return have resolved. `fn` must neither throw nor reject.
   */
  afterCommit(fn: AfterCommit): void
  /**
   * Sends the statements of `ask` in one message with the commit, which saves a round trip; with an earlier message when other statements
   * are sent before. For writes whose answer is not needed before the commit. Rules for `ask`:
   * - it issues its first statement before it awaits anything;
   * - whatever is wrong must fail in the database, since nobody sees its answers before the commit.
   * When it fails, nothing is committed and `withTransaction` throws the error of `ask`, also when a later statement failed because of it.
   */
  withCommit(ask: () => Promise<unknown>): void
}

/** Options of {@link withTransaction}. */
export interface TransactionOptions {
  workspaceId: string | null
  /** The person whose own rows row-level security shows over all workspaces; nobody's unless told. */
  userId?: string
  /** Milliseconds per statement. Default: the pool's limit. */
  statementTimeoutMs?: number
  isolation?: 'read committed' | 'repeatable read'
  readOnly?: boolean
}

/**
 * Awaits statements that were sent together in one round trip; throws the error of the first that failed, in their order. The statements
 * after it failed as well then, so nothing of them is stored.
 */
export async function allInOrder<T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const ends = await Promise.allSettled(statements)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as never
}

/** Sets the workspace that row-level security sees. Empty for none: no workspace has that id, and it overrides a value of the session. */
export const inWorkspace = (workspaceId: string | null) => setLocal('app.workspace_id', workspaceId ?? '')

function setLocal(name: string, value: string): pg.QueryConfig {
  return { name: 'set-local', text: 'select set_config($1, $2, true)', values: [name, value] }
}

/**
 * Sends `begin` with the first statement, in one round trip: after a begin that failed nothing is run. Statements of one event-loop turn
 * are sent together; when one fails, those after it fail with the same error.
 */
export class OpenTransaction implements Transaction {
  readonly workspaceId: string | null
  readonly committed: AfterCommit[] = []
  /** Promises of `withCommit`. */
  readonly #last: Promise<unknown>[] = []
  readonly #client: pg.PoolClient
  readonly #options: TransactionOptions
  /** Collects the statements of this event-loop turn. */
  #turn: StatementTurn | null = null
  #asked = 0
  #begin: 'not asked' | 'asked' | 'sent' | 'answered' = 'not asked'
  #hasEnded = false
  /** Why the transaction did not begin. */
  #fault: { error: unknown } | null = null
  /** A failure on this side, of which the server knows nothing: must not be committed. */
  #refusal: { error: unknown } | null = null
  /** An `ask` of `withCommit` issued no statement before it awaited: what it issues later would come after the commit. */
  #asksLate = false
  #commitTurn: StatementTurn | null = null
  /** A rollback dropped statements that were not sent yet. */
  #isCut = false

  constructor(client: pg.PoolClient, options: TransactionOptions) {
    this.#client = client
    this.#options = options
    this.workspaceId = options.workspaceId
  }

  // Bound, since callers may pass a method on without its object.
  readonly query = <R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> => {
    if (this.#fault !== null) return Promise.reject(this.#fault.error)
    // It would run outside the transaction, in whatever uses the connection next.
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
        // The error's own stack ends at the socket; this one leads to the caller.
        if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
        throw error
      },
    )
    // A caller that does not await it gets the error from the commit.
    answer.catch(() => undefined)
    return answer as Promise<pg.QueryResult<R>>
  }

  readonly afterCommit = (run: AfterCommit): void => {
    this.committed.push(run)
  }

  readonly withCommit = (ask: () => Promise<unknown>): void => {
    const askedBefore = this.#asked
    const answer = ask()
    this.#last.push(answer)
    answer.catch((error: unknown) => {
      // Statements that a rollback dropped fail, too, but are not the reason.
      if (!this.#isCut) this.#refusal ??= { error }
    })
    if (this.#asked === askedBefore) this.#asksLate = true
  }

  /** Commits, with the statements that are not sent yet in the same message. Returns a fault, or undefined. */
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
      // Refused by the server (a deferred constraint, a serialisation failure), or skipped after a statement that failed.
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
    // Statements that are not sent yet are dropped.
    this.#isCut = this.#turn !== null
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

  /** The root cause: when a statement of `withCommit` failed, later statements failed because of it. */
  reasonOf(error: unknown): unknown {
    if (this.#refusal === null) return error
    const isOfCommit = this.#commitTurn !== null
    return isOfCommit && sqlStateOf(error) !== '25P02' ? error : this.#refusal.error
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
    // A longer statement needs a longer client-side timeout than the pool's default.
    const timeoutMs = statementTimeoutMs === undefined ? undefined : answerTimeoutMs(statementTimeoutMs)
    const turn = new StatementTurn({
      query_timeout: timeoutMs,
      onUnsendable: (error) => {
        this.#refusal ??= { error }
      },
    })
    if (this.#begin === 'not asked') this.#askToBegin(turn)
    // While a begin is sent and not answered, nothing more is sent: it could run outside a transaction.
    if (this.#begin === 'asked' || this.#begin === 'answered') this.#sendSoon()
    return turn
  }

  #askToBegin(turn: StatementTurn): void {
    const { isolation = 'read committed', readOnly = false, statementTimeoutMs, workspaceId, userId } = this.#options
    const begin = `begin isolation level ${isolation} ${readOnly ? 'read only' : 'read write'}`
    const begun = [turn.add({ name: begin, text: begin }), turn.add(inWorkspace(workspaceId))]
    if (userId !== undefined) begun.push(turn.add(setLocal('app.user_id', userId)))
    if (statementTimeoutMs !== undefined)
      begun.push(turn.add(setLocal('statement_timeout', String(Math.trunc(statementTimeoutMs)))))
    this.#begin = 'asked'
    Promise.all(begun).then(
      () => this.#begun(null),
      (error: unknown) => this.#begun({ error }),
    )
  }

  /** The begin was answered. Synchronous: a statement issued meanwhile is either sent here or fails here. */
  #begun(fault: { error: unknown } | null): void {
    this.#fault = fault
    // Otherwise the turn with the begin was never sent.
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
