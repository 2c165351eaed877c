// A connection of one role. Its password may be exchanged while the process runs (decision 101): whoever opens a connection by an address gets
// the one that holds now, so that no loop, lock or pool can keep one of before.
import pg from 'pg'

/** Gives the password for the next connection. */
export type ProvidePassword = () => Promise<string>

/** By address, as a process has it in its settings: it is the same wherever a connection is opened. */
const providers = new Map<string, ProvidePassword>()

/** From now on the server is told what `provide` gives in place of the password in `connectionString`, at each new connection. Returns how to end that. */
export function providePassword(connectionString: string, provide: ProvidePassword): () => void {
  providers.set(connectionString, provide)
  return () => {
    if (providers.get(connectionString) === provide) providers.delete(connectionString)
  }
}

/** As `pg.Client`, with the password that holds now. */
export class RoleClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(config)
    const provide = providers.get(config.connectionString ?? '')
    // pg asks a function only where the server wants a password. As pg does it: hidden from whoever prints the client.
    if (provide !== undefined) Object.defineProperty(this, 'password', { value: provide, writable: true })
  }
}

const probeMs = 3_000
/** Invalid password; no right to connect that way. */
const refusedCodes = new Set(['28P01', '28000'])

/** Opens a connection by the address and closes it. False: the server refuses the password. Rejects when it cannot be asked. */
export async function acceptsPassword(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    application_name: 'password-check',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    if (refusedCodes.has(String((error as { code?: unknown }).code))) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
