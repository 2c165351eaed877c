// For tests: the OAuth endpoints as one process serves them, in this process or, for tests of races, in one of its own.

import { fork } from 'node:child_process'
import { digestOf } from '@wds/access/digest'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createHttpService } from '@wds/http-service/service'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { logSecurityEvents } from '../audit/security-events.ts'
import { createAdapter } from './engine/adapter.ts'
import { openOAuthServer } from './oauth-server.ts'

/** What a process is started with; all of one test share it. */
export interface ProcessOptions {
  connectionString: string
  authUrl: string
  baseUrl: string
  /** Of the key-encryption key, and of what signs cookies, in hex. */
  key: string
  secret: string
  /** Whether the engine's rows are consumed without compare and set: for the tests that show that the others bite. */
  isPlain?: boolean
}

/** One process's worth: a pool, the OAuth server, a listener. */
export async function serveOAuth(o: ProcessOptions, write: (line: string) => unknown) {
  const { authUrl, baseUrl } = o
  const pool = createPool({ connectionString: o.connectionString, applicationName: 'test', max: 20 })
  const logger = createLogger({ service: 'auth', destination: { write } })
  const envelope = createEnvelopeEncryption([{ kid: 'test', key: Buffer.from(o.key, 'hex') }])
  const stopLogging = logSecurityEvents(logger)
  const stopping = new AbortController()
  const oauth = await openOAuthServer(
    withoutUndefined({
      pool,
      envelope,
      logger,
      signal: stopping.signal,
      authUrl,
      baseUrl,
      secret: Buffer.from(o.secret, 'hex'),
      adapter: o.isPlain ? plainAdapter : undefined,
    }),
  )
  const kit = createHttpService({
    openapi: new URL('./consent/', import.meta.url),
    routes: [],
    baseUrl,
    pool,
    envelope,
    logger,
    mounts: oauth.mounts,
    authenticator: { authenticate: async () => ({ ok: false, problem: 'invalid_token' }) },
    trustedProxies: ['127.0.0.1'],
    httpsOnly: true,
  })
  const running = await kit.listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    stopLogging()
    stopping.abort()
    await running.close({ graceMs: 0 })
    await oauth.keys.ended
    await pool.end()
  }
  return { pool, oauth, envelope, port: running.port, stop }
}

/** As adapters of the engine are usually written: what is consumed twice is noticed by whoever reads it later, if at all. */
const plainAdapter: typeof createAdapter = (name, o) => ({
  ...createAdapter(name, o),
  consume: async (id) => {
    await o.pool.query('update engine_records set consumed_at = app_now() where id = $1', [digestOf(id)])
  },
  // The family lives on: whoever won is told so, however soon another one noticed.
  destroy: async () => undefined,
})

/** A process of its own. */
export async function forkOAuth(o: ProcessOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(o)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })
  return {
    port,
    stop: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

// Forked, it tells its port and ends with its parent.
if (import.meta.main) {
  const server = await serveOAuth(JSON.parse(process.argv[2] ?? '') as ProcessOptions, (line) =>
    line.includes('"level":"error"') ? process.stderr.write(line) : undefined,
  )
  process.once('disconnect', () => void server.stop().then(() => process.exit(0)))
  process.send?.({ port: server.port })
}
