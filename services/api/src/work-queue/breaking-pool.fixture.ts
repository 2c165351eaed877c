// A connection that breaks between the commit and its answer.
import type { Pool } from '@wds/postgres/pool'

/** The pool, but its first connection breaks once the commit was sent. */
export function breakingOnce(pool: Pool): Pool {
  let isBroken = false
  const connect = async () => {
    const client = await pool.connect()
    if (isBroken) return client
    isBroken = true
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    const query = client.query.bind(client) as (statements: { text: string }) => unknown
    const breaking = (statements: { text: string }) => {
      query(statements)
      if (statements.text === 'commit') connection.stream.destroy()
    }
    return Object.assign(client, { query: breaking })
  }
  return new Proxy(pool, { get: (of, name) => (name === 'connect' ? connect : Reflect.get(of, name, of)) })
}
