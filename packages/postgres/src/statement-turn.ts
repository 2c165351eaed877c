// Pipelines the statements that a transaction issues in one event-loop turn: one message with one Sync at the end. The server answers
// in one write and skips what follows a failed statement. Every promise is settled.
import pg from 'pg'
import { serialize } from 'pg-protocol'

type Columns = pg.FieldDef[]
type Value = string | Buffer | null

/** Members of pg's classes that are used here and that its types do not declare. */
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
  /** What the instrumentation for traces calls it. */
  text: string
  _result: { _types: unknown }
}
// Extends pg's own Query: pg's queue accepts no other class while it pipelines.
const Query = pg.Query as unknown as new (text: string) => PgQuery
const { Result, utils } = pg as unknown as {
  Result: new (rowMode: undefined, types: unknown) => PgResult
  utils: { prepareValue(value: unknown): Value }
}

/** A statement that is not answered yet. */
interface Asked {
  name: string | undefined
  text: string
  values: Value[]
  result: PgResult
  /** Known from an earlier run, or from the answer; null for a statement without rows. */
  columns: Columns | null
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
  /** Of a row that could not be read. */
  fault: unknown
}

/** What is known of the prepared statements of a connection. */
interface Prepared {
  /** Columns by statement name: when known, no Describe is sent. */
  columns: Map<string, Columns | null>
  /** Names that a failed turn may have left prepared without pg knowing: they are closed first. */
  unsure: Set<string>
}
const preparedOf = new WeakMap<Connection, Prepared>()

function prepared(connection: Connection): Prepared {
  let found = preparedOf.get(connection)
  if (found === undefined) {
    found = { columns: new Map(), unsure: new Set() }
    preparedOf.set(connection, found)
  }
  return found
}

/** The statements of one turn, as one query of pg's queue. */
export class StatementTurn extends Query {
  readonly #asked: Asked[] = []
  #answered = 0
  readonly #onUnsendable: (error: unknown) => void
  /** The names that this turn prepares. */
  readonly #parsed = new Map<string, string>()
  /** Read by pg: how long the answers may take, ms. */
  readonly query_timeout: number | undefined
  /** False: the server has seen nothing of it. */
  wasSent = false

  /** `onUnsendable` hears of a statement that fails here, of which the server knows nothing. */
  constructor(o: { query_timeout: number | undefined; onUnsendable(error: unknown): void }) {
    super('')
    this.query_timeout = o.query_timeout
    this.#onUnsendable = o.onUnsendable
  }

  /** Adds a statement, before the turn is sent. */
  add({ name, text, types, values = [] }: pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      try {
        const sendable = values.map((value) => utils.prepareValue(value))
        const result = new Result(undefined, types)
        this.#asked.push({ name, text, values: sendable, result, columns: null, resolve, reject, fault: null })
      } catch (error) {
        this.#onUnsendable(error)
        reject(error)
      }
    })
  }

  /** Sends them all; resolves once they are answered, well or not. */
  sendOn(client: pg.PoolClient): Promise<void> {
    return new Promise((resolve) => {
      this.callback = () => resolve()
      this.text = [...new Set(this.#asked.map(({ name, text }) => (name ?? text).trim().split(/\s/, 1)[0]))].join('+')
      client.query(this as unknown as pg.Submittable)
    })
  }

  /** Fails them all, unsent. */
  fail(error: unknown): void {
    for (const { reject } of this.#asked) reject(error)
  }

  /** Called by pg, which fails the turn with the error that it is given. */
  submit(connection: Connection): Error | null {
    try {
      const { unsure } = prepared(connection)
      const messages = [...unsure].map((name) => serialize.close({ type: 'S', name }))
      unsure.clear()
      for (const asked of this.#asked) messages.push(...this.#messagesOf(asked, connection))
      messages.push(serialize.sync())
      this.wasSent = connection.stream.writable
      // One write: each costs more than the messages in it.
      if (this.wasSent) connection.stream.write(Buffer.concat(messages))
      return null
    } catch (error) {
      return error as Error
    }
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
  handleError(error: Error, connection: Connection): void {
    const { unsure } = prepared(connection)
    for (const name of this.#parsed.keys()) if (connection.parsedStatements[name] === undefined) unsure.add(name)
    this.#settle(this.#asked.slice(0, this.#answered))
    for (const { reject } of this.#asked.slice(this.#answered)) reject(error)
    this.callback(error)
  }

  #messagesOf(asked: Asked, connection: Connection): Buffer[] {
    const { name = '', text, values, result } = asked
    const { columns } = prepared(connection)
    result._types ??= this._result._types
    const isParsed = name !== '' && (this.#parsed.get(name) ?? connection.parsedStatements[name]) === text
    const messages: Buffer[] = []
    if (!isParsed) {
      if (name !== '') messages.push(serialize.close({ type: 'S', name }))
      messages.push(serialize.parse({ name, text }))
      this.#parsed.set(name, text)
      delete connection.parsedStatements[name]
      columns.delete(name)
    }
    messages.push(serialize.bind({ statement: name, values }))
    const known = isParsed ? columns.get(name) : undefined
    if (known === undefined) messages.push(serialize.describe({ type: 'P' }))
    else this.#tellColumns(asked, known)
    messages.push(serialize.execute())
    return messages
  }

  #tellColumns(asked: Asked, columns: Columns | null): void {
    asked.columns = columns
    if (columns !== null) asked.result.addFields(columns)
  }

  #remember({ name, text, columns }: Asked, connection: Connection): void {
    if (name !== undefined) {
      connection.parsedStatements[name] = text
      prepared(connection).columns.set(name, columns)
    }
    this.#answered += 1
  }

  #settle(asked: Asked[]): void {
    for (const { fault, reject, resolve, result } of asked) fault === null ? resolve(result) : reject(fault)
  }
}
