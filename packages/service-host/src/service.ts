// What a service says of itself. Everything that it does not say here is the same in every service, and done by the host.
import type { AnyAggregate } from '@wds/aggregate/aggregate'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { ConsumerDeclaration } from '@wds/event-log/consumer'
import type { EventLog } from '@wds/event-log/port'
import type { Republish } from '@wds/event-store/republish'
import type { Cursors } from '@wds/http-service/cursor'
import type { HttpServiceOptions } from '@wds/http-service/service'
import type { Pool } from '@wds/postgres/pool'
import type { ServiceName } from '@wds/provision/provision'
import type { ParseOptions } from '@wds/settings/settings'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import type { InternalCertificateFiles } from './internal-certificate.ts'
import type { EncryptedColumn } from './reencrypt-secrets.ts'
import type { ServiceValues } from './service-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What every builder of a service is given. */
export interface HostContext<V> {
  values: V
  logger: Logger
  /** Aborted when the process is to end, before anything is stopped. */
  signal: AbortSignal
  /** Registers a step of the stop. Steps are taken last first, each of them whatever became of the others, also when the start fails later on. */
  onStop(step: () => unknown): void
}

/** What both roles of a service build upon. */
export interface RoleContext<V, S> extends HostContext<V> {
  /** Of the role. */
  pool: Pool
  /** Stored secrets. In a service that answers everybody its key is the process's own and nothing should be stored by it. */
  envelope: EnvelopeEncryption
  /** What `shared` built. */
  shared: S
}

/** What `worker` is given. Relay, key projection and purge of idempotency keys run already. */
export interface WorkerContext<V, S> extends RoleContext<V, S> {
  log: EventLog
  /** The database's, in whole epoch milliseconds, moved on by the monotonic one: the host's wall clock decides nothing (reliability.md 2). */
  clock: { nowMs(): number }
  /** Where loops say that they move: `/livez`, and in a worker `/readyz`, judge by it. `runLoop` and `runConsumer` do it. */
  progress: Progress
  /** Of the worker role, for what needs a connection of its own. */
  connectionString: string
  /**
   * Runs one of the service's `consumers` until the stop. `handleBatch`: its effect where it also wakes loops of this process. Rejects one
   * that is not declared.
   */
  consume(consumer: ConsumerDeclaration, handleBatch?: ConsumerDeclaration['handleBatch']): Promise<void>
  /** Takes a loop that ends by `signal`: the stop waits for it. One that fails ends the process. */
  untilStopped(loop: Promise<unknown>): void
}

/** What `http` is given. Keys are in memory already. */
export interface HttpContext<V, S, W> extends RoleContext<V, S> {
  cursors: Cursors
  /** What `worker` resolved with; null where this process runs no worker. */
  worker: W | null
}

/** The routes, and where a service differs from the defaults of the Express kit. */
export type HttpPart = Pick<HttpServiceOptions, 'routes'> &
  Partial<Omit<HttpServiceOptions, 'routes' | 'internal'>> & {
    /** Where the routes under `/internal/` are served, and the file of WDS_INTERNAL_TOKEN_FILE, whose tokens open them. Needed where there are any. Without `tls` plain HTTP. */
    internal?: { port: number; tokenFile: string; tls?: InternalCertificateFiles | undefined } | undefined
  }

/** A service, as its main.ts describes it. `V`: its settings, `S`: what both roles share, `W`: what the worker tells the HTTP side. */
export interface Service<V extends ServiceValues, S = undefined, W = void> {
  name: ServiceName
  /** Reads the environment; throws `SettingsError`. Without `options` it refuses what it refuses everywhere. */
  readSettings(env: Env, options?: ParseOptions): V
  /** For the line of the start: values as text, of secrets whether they are set. */
  printSettings(values: V): Record<string, string>
  /** Faults of the service's own settings that only production refuses: sentences that name the setting and no value. */
  refusals?(values: V): string[]
  /** Folder of its sources: each concept's folder in it may hold an `openapi.yaml`. */
  openapi: URL
  /** Folders of the schema's migrations, see `serviceMigrations`. */
  migrations: URL[]
  /** `known`: calls carry keys or tokens; the service follows auth's events. `anyone`: no route asks for a token. */
  callers: 'known' | 'anyone'
  /** True: others ask it while the log is away, so it does not wait for the log before it serves (auth.md 5.5, 5.7). */
  isAskedWithoutLog?: boolean
  /** Connections at most of each role's pool; `loops`: how many loops of the worker, and what of the HTTP side, keep one of their own (`ownConnection`). */
  connections: { http: number; worker: number | ((values: V) => number); loops?: number; httpOwn?: number }
  /** Longest statement of the worker role in milliseconds; the pool's default when not given. */
  workerStatementMs?: number
  shared?(o: HostContext<V>): S | Promise<S>
  worker?(o: WorkerContext<V, S>): W | Promise<W>
  http(o: HttpContext<V, S, W>): HttpPart | Promise<HttpPart>
  /** Not ready while the host's clock differs from the database's by more than this, in milliseconds; not judged when not given. */
  clockOffMaxMs?: number
  /** Removes what has ended, every ten minutes in the worker; a failure is logged and tried again. */
  tidy?(pool: Pool, values: V): Promise<unknown>
  /** The command `republish`, after the log lost records: announces a range once more. */
  republish?: Republish
  /** For the commands `check-rows` and `rebuild-rows`: those whose rows others refer to stand before them. */
  aggregates?: readonly AnyAggregate[]
  /** What it stores encrypted besides answers, for the command `reencrypt-secrets`. */
  secrets?: readonly EncryptedColumn[]
  /** Its own consumers, which its worker runs by `consume` and `dead-letters replay` applies by themselves: their effects are in the database alone (decision 113). */
  consumers?: readonly ConsumerDeclaration[]
  /** Commands beside serving and `migrate`: the first argument of the process. Resolves with the exit code. */
  commands?: Readonly<Record<string, (env: Env) => Promise<number>>>
}
