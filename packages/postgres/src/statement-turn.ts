// Sends the statements that a transaction is asked in one turn of the event loop as one message, with one Sync behind them: the
// server answers them in one write, and what follows a statement that failed is not run. It never leaves a promise open.
import type { EventEmitter } from 'node:events'
import pg from 'pg'

type Fields = pg.FieldDef[]
type Callback = (error: Error | null, result: pg.QueryResult) => void

/** What of pg's own classes is used here and not declared by their types. */
interface Connection {
  stream: { writable: boolean; write(bytes: Buffer): boolean }
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  close(o: { type: 'S'; name: string }): void
}
interface PgQuery extends EventEmitter {
  text: string
  name?: string
  callback: Callback
  _result: { _types: unknown }
  submit(connection: object): Error | null
  hasBeenParsed(connection: Connection): boolean
  handleRowDescription(message: { fields: Fields }): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: Error, connection: Connection): void
}
const Query = pg.Query as unknown as new (statement: object | string, values?: unknown, callback?: Callback) => PgQuery

// The message without a body.
const syncMessage = Buffer.from([0x53, 0, 0, 0, 4])

/** What a connection keeps for the turns that it sends. */
interface Known {
  /** The columns of each prepared statement's rows, null for none. */
  columns: Map<string, Fields | null>
  /** Takes messages as the connection does, but keeps them. */
  gathering: object
  /** The same without the question for the columns. */
  terse: object
  messages: Buffer[]
}
const knownOf = new WeakMap<Connection, Known>()

function known(connection: Connection): Known {
  let found = knownOf.get(connection)
  if (found === undefined) {
    const messages: Buffer[] = []
    const nothing = { value: () => undefined }
    const gathering = Object.create(connection, {
      _send: { value: (message: Buffer) => messages.push(message) },
      stream: { value: {} },
      sync: nothing,
    }) as object
    found = {
      columns: new Map(),
      gathering,
      terse: Object.create(gathering, { describe: nothing }) as object,
      messages,
    }
    knownOf.set(connection, found)
  }
  return found
}

/** A statement on its way; `columns` when no answer will tell them. */
interface Sent {
  query: PgQuery
  columns: Fields | null
}

/** The statements of one turn, as one query of pg's queue. */
export class StatementTurn extends Query {
  readonly #queries: PgQuery[] = []
  /** In the order of their answers. */
  readonly #sent: Sent[] = []
  #answered = 0
  /** Read by pg: how long the answers may take, ms. */
  readonly query_timeout: number | undefined

  constructor(o: { query_timeout: number | undefined }) {
    super('')
    this.query_timeout = o.query_timeout
    this.callback = () => undefined
  }

  /** Adds a statement, before the turn is sent. */
  add(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // Always the extended protocol: a simple query would be a Sync of its own.
      const query = new Query({ ...statement, queryMode: 'extended' }, undefined, (error, result) =>
        error ? reject(error) : resolve(result),
      )
      this.#queries.push(query)
    })
  }

  /** Sends them all; resolves once they are answered, well or not. */
  sendOn(client: pg.PoolClient): Promise<void> {
    return new Promise((resolve) => {
      this.callback = () => resolve()
      client.query(this as unknown as pg.Submittable)
    })
  }

  /** Fails them all, unsent. */
  fail(error: unknown): void {
    for (const { callback } of this.#queries) callback(error as Error, undefined as never)
  }

  override submit(connection: Connection): null {
    const { messages } = known(connection)
    for (const query of this.#queries) {
      query._result._types = this._result._types
      this.#send(query, connection)
    }
    // One write: each costs more than the messages in it.
    if (connection.stream.writable) connection.stream.write(Buffer.concat([...messages.splice(0), syncMessage]))
    this.#awaitNext()
    return null
  }

  override handleRowDescription(message: { fields: Fields }): void {
    const next = this.#sent[this.#answered]
    if (next !== undefined) next.columns = message.fields
    next?.query.handleRowDescription(message)
  }

  override handleDataRow(message: unknown): void {
    this.#sent[this.#answered]?.query.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const next = this.#sent[this.#answered]
    next?.query.handleCommandComplete(message, connection)
    if (next?.query.name !== undefined) {
      const { name, text } = next.query
      connection.parsedStatements[name] = text
      delete connection.submittedNamedStatements[name]
      known(connection).columns.set(name, next.columns)
    }
    this.#answered += 1
    this.#awaitNext()
  }

  override handleReadyForQuery(connection: Connection): void {
    for (const { query } of this.#sent) query.handleReadyForQuery(connection)
    this.callback(null, undefined as never)
  }

  /** What was answered stands, the rest was not run: each of it fails for the same reason. */
  override handleError(error: Error, connection: Connection): void {
    for (const { query } of this.#sent.slice(0, this.#answered)) query.handleReadyForQuery(connection)
    for (const query of this.#queries) {
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      query.handleError(error, connection)
    }
    this.callback(error, undefined as never)
  }

  #send(query: PgQuery, connection: Connection): void {
    const { columns, gathering, terse } = known(connection)
    const { name, callback } = query
    const isParsed = name !== undefined && query.hasBeenParsed(connection)
    const isKnown = isParsed && columns.has(name)
    // A turn that failed may have left it parsed.
    if (name !== undefined && !isParsed) (gathering as Connection).close({ type: 'S', name })
    let fault: Error | null = null
    query.callback = (error) => {
      fault = error
    }
    // pg tells of a value that cannot be sent through the callback and has closed the statement then.
    fault = query.submit(isKnown ? terse : gathering) ?? fault
    query.callback = callback
    if (fault === null) {
      this.#sent.push({ query, columns: isKnown ? (columns.get(name) ?? null) : null })
      return
    }
    if (name !== undefined) {
      delete connection.parsedStatements[name]
      delete connection.submittedNamedStatements[name]
    }
    callback(fault, undefined as never)
  }

  #awaitNext(): void {
    const next = this.#sent[this.#answered]
    if (next !== undefined && next.columns !== null) next.query.handleRowDescription({ fields: next.columns })
  }
}
