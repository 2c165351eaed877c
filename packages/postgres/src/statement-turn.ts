// Sends the statements that a transaction is asked in one turn of the event loop as one message, with one Sync behind them: the
// server answers them in one write, and what follows a statement that failed is not run. It never leaves a promise open.
import pg from 'pg'
import { serialize } from 'pg-protocol'

type Columns = pg.FieldDef[]
type Value = string | Buffer | null

/** What of pg's own classes is used here and not declared by their types. */
interface Connection {
  stream: { writable: boolean; write(bytes: Buffer): boolean }
  /** Texts of the prepared statements by name; pg's own queries of this connection look there, too. */
  parsedStatements: Record<string, string>
}
interface PgResult extends pg.QueryResult {
  _types: unknown
  addFields(columns: Columns): void
  parseRow(values: unknown[]): pg.QueryResultRow
  addRow(row: pg.QueryResultRow): void
  addCommandComplete(message: unknown): void
}
type Callback = (error: Error | null) => void
interface PgQuery {
  callback: Callback
  _result: { _types: unknown }
}
// A class of pg's own: its queue takes no other while statements are sent ahead of their answers.
const Query = pg.Query as unknown as new (text: string) => PgQuery
const { Result, utils } = pg as unknown as {
  Result: new (rowMode: undefined, types: unknown) => PgResult
  utils: { prepareValue(value: unknown): Value }
}

/** A statement on its way. */
interface Asked {
  name: string | undefined
  text: string
  values: Value[]
  result: PgResult
  /** Known beforehand, or told by the answer; null for a statement without rows. */
  columns: Columns | null
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
  /** Of a row that could not be read. */
  fault: unknown
}

/** The columns of each prepared statement's rows: who knows them needs not ask. */
const columnsOf = new WeakMap<Connection, Map<string, Columns | null>>()

/** The statements of one turn, as one query of pg's queue. */
export class StatementTurn extends Query {
  readonly #asked: Asked[] = []
  #answered = 0
  /** Read by pg: how long the answers may take, ms. */
  readonly query_timeout: number | undefined

  constructor(o: { query_timeout: number | undefined }) {
    super('')
    this.query_timeout = o.query_timeout
  }

  /** Adds a statement, before the turn is sent. */
  add({ name, text, values = [] }: pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // A value that cannot be sent throws here and fails this statement alone.
      const prepared = values.map((value) => utils.prepareValue(value))
      const result = new Result(undefined, undefined)
      this.#asked.push({ name, text, values: prepared, result, columns: null, resolve, reject, fault: null })
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
    for (const { reject } of this.#asked) reject(error)
  }

  submit(connection: Connection): null {
    const known = columnsOf.get(connection) ?? new Map<string, Columns | null>()
    columnsOf.set(connection, known)
    const messages: Buffer[] = []
    const parsedHere = new Map<string, string>()
    for (const asked of this.#asked) {
      const { name = '', text, values } = asked
      asked.result._types = this._result._types
      const isParsed = name !== '' && (parsedHere.get(name) ?? connection.parsedStatements[name]) === text
      if (!isParsed) {
        // A turn that failed may have left one of that name.
        if (name !== '') messages.push(serialize.close({ type: 'S', name }))
        messages.push(serialize.parse({ name, text }))
        parsedHere.set(name, text)
      }
      messages.push(serialize.bind({ statement: name, values }))
      const columns = isParsed && !parsedHere.has(name) ? known.get(name) : undefined
      if (columns === undefined) messages.push(serialize.describe({ type: 'P' }))
      else this.#tellColumns(asked, columns)
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // One write: each costs more than the messages in it.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
    return null
  }

  handleRowDescription({ fields }: { fields: Columns }): void {
    const asked = this.#asked[this.#answered]
    if (asked !== undefined) this.#tellColumns(asked, fields)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const asked = this.#asked[this.#answered]
    if (asked === undefined || asked.fault !== null) return
    try {
      asked.result.addRow(asked.result.parseRow(fields))
    } catch (error) {
      asked.fault = error
    }
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    const asked = this.#asked[this.#answered]
    if (asked === undefined) return
    asked.result.addCommandComplete(message)
    this.#remember(asked, connection)
  }

  /** The answer to a statement without text. */
  handleEmptyQuery(connection: Connection): void {
    const asked = this.#asked[this.#answered]
    if (asked !== undefined) this.#remember(asked, connection)
  }

  handleReadyForQuery(): void {
    this.#settle(this.#asked)
    this.callback(null)
  }

  /** What was answered stands, the rest was not run: each of it fails for the same reason. */
  handleError(error: Error): void {
    this.#settle(this.#asked.slice(0, this.#answered))
    for (const { reject } of this.#asked.slice(this.#answered)) reject(error)
    this.callback(error)
  }

  #tellColumns(asked: Asked, columns: Columns | null): void {
    asked.columns = columns
    if (columns !== null) asked.result.addFields(columns)
  }

  #remember({ name, text, columns }: Asked, connection: Connection): void {
    if (name !== undefined) {
      connection.parsedStatements[name] = text
      columnsOf.get(connection)?.set(name, columns)
    }
    this.#answered += 1
  }

  #settle(asked: Asked[]): void {
    for (const { fault, reject, resolve, result } of asked) fault === null ? resolve(result) : reject(fault)
  }
}
