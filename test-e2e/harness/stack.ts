/**
 * What the services need, Postgres with their schemas, a broker where one is asked for, keys and an operator's token, and their processes
 * on it (service-processes.ts). No supervisor, no router; a service's address is that of its process.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type KafkaBroker, startKafka } from '@wds/local-infra/kafka-broker'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { ServiceName } from '@wds/provision/provision'
import { removeAbandonedStacksOnce, removeStacksAtRunEnd, stackPrefix } from './abandoned-stacks.ts'
import { makeDatabases, type StackDatabases } from './databases.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { createServiceProcesses, type ServiceProcesses } from './service-processes.ts'
import { eventually } from './standalone.ts'
import { createUndo, type Undo } from './undo.ts'

export interface StackOptions {
  /** True: a broker of its own, and a database of its own for each service. Else they share one, and the log is in it. */
  kafka?: boolean
  /** Settings of the broker. */
  kafkaSettings?: Record<string, string>
  /** Told the broker's port; gives the one at which everybody finds the broker. */
  kafkaBehind?: (port: number) => Promise<number>
  /** Folder in which its own is made, with data, keys and logs; the system's temporary one unless told. */
  home?: string
  /** Settings of a Postgres of its own; without them the databases are in that of the test run. */
  postgresSettings?: Record<string, string>
  /** Given to every service. */
  env?: Record<string, string>
  partitions?: number
  /** Root of the sources whose migrations make the schemas; default: of these. */
  sources?: string
}

export interface Stack extends Omit<StackDatabases, 'drop'>, Pick<ServiceProcesses, 'start' | 'run'> {
  /** Address of the superuser. */
  postgresUrl: string
  kafka: KafkaBroker | null
  /** Its own; null where the databases are in that of the test run. */
  postgres: PostgresServer | null
  /** Folder with the key files and the logs of the processes. */
  folder: string
  /** Where auth's internal listener is, once auth runs. */
  operator: { url: string; tokenFile: string }
  /** Makes a workspace by the operator's interface, with a key of these scopes; all of them unless told. */
  makeWorkspace(name: string, scopes?: string[]): Promise<{ workspaceId: string; apiKey: string }>
  /** Ends every process, then Postgres; removes the folder. */
  stop(): Promise<void>
}

function secretFiles(folder: string) {
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  return {
    WDS_ENCRYPTION_KEY_FILE: write('encryption-key', randomBytes(32).toString('base64')),
    WDS_CURSOR_KEY_FILE: write('cursor-key', randomBytes(32).toString('base64')),
    WDS_INTERNAL_TOKEN_FILE: write('operator-token', randomBytes(32).toString('base64url')),
  }
}

async function startOwnKafka(o: StackOptions, at: { folder: string; port: number }) {
  const seenAt = (await o.kafkaBehind?.(at.port)) ?? at.port
  const advertised = seenAt === at.port ? {} : { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${seenAt}` }
  const settings = { ...advertised, ...o.kafkaSettings }
  const kafka = await startKafka({ dataDirectory: join(at.folder, 'kafka'), port: at.port, settings })
  return { kafka, brokers: `127.0.0.1:${seenAt}` }
}

/** What every service of a stack is given, wherever it runs. */
function commonEnvironment(
  o: StackOptions,
  at: { folder: string; brokers: string; files: Record<string, string>; operatorUrl: string },
): Record<string, string> {
  return withoutUndefined<Record<string, string>>({
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(at.folder, 'compile-cache'),
    ...at.files,
    KAFKA_BROKERS: at.brokers === '' ? undefined : at.brokers,
    WDS_LOG_PARTITIONS: String(o.partitions ?? 12),
    WDS_BASE_URL: 'http://127.0.0.1',
    WDS_AUTH_URL: 'http://127.0.0.1',
    WDS_AUTH_INTERNAL_URL: at.operatorUrl,
    WDS_HTTP_HOST: '127.0.0.1',
    WDS_OUTBOUND_ALLOW: 'loopback',
    // What is driven here asks as fast as it can.
    WDS_REQUEST_QUOTA: '1000000',
    WDS_REQUEST_CONCURRENCY: '1000',
    ...o.env,
  })
}

/** Postgres and broker of a stack's own, where they are asked for. `brokers`: where everybody finds it; empty without one. */
async function startServers(o: StackOptions, at: { folder: string; nextPort(): Promise<number>; undo: Undo }) {
  const { folder, nextPort, undo } = at
  const ofPostgres = { dataDirectory: join(folder, 'pg'), port: await nextPort() }
  const postgres = o.postgresSettings ? await startOwnPostgres({ ...ofPostgres, settings: o.postgresSettings }) : null
  if (postgres) undo.push(() => rmSync(postgres.dataDirectory, { recursive: true, force: true }))
  undo.push(() => postgres?.stop())
  // A broker that is down must find both its ports again: the second one is its controller's.
  const [port] = await Promise.all([nextPort(), nextPort()])
  const { kafka, brokers } = o.kafka ? await startOwnKafka(o, { folder, port }) : { kafka: null, brokers: '' }
  undo.push(() => kafka?.kill())
  return { postgres, kafka, brokers }
}

/** Postgres with the schemas of all services, the broker when one is asked for, and none of the services' processes yet. */
export async function startStack(o: StackOptions = {}): Promise<Stack> {
  await removeAbandonedStacksOnce()
  const folder = mkdtempSync(join(o.home ?? tmpdir(), stackPrefix))
  // As root Postgres runs as another account, which has to reach its data.
  chmodSync(folder, 0o711)
  const { undo, stop } = createUndo()
  undo.push(removeStacksAtRunEnd())
  const { next: nextPort, release } = await takeTestPorts()
  undo.push(release)
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const { postgres, kafka, brokers } = await startServers(o, { folder, nextPort, undo })
    const { urls, adminUrls, drop } = await makeDatabases(
      withoutUndefined({ apart: o.kafka ?? false, postgres, sources: o.sources }),
    )
    undo.push(drop)
    const files = secretFiles(folder)
    const operatorPort = await nextPort()
    const operator = { url: `http://127.0.0.1:${operatorPort}`, tokenFile: files.WDS_INTERNAL_TOKEN_FILE }
    const environment = commonEnvironment(o, { folder, brokers, files, operatorUrl: operator.url })
    const environmentOf = (service: ServiceName) =>
      withoutUndefined<Record<string, string>>({
        ...environment,
        DATABASE_URL: urls[service].http,
        WDS_WORKER_DATABASE_URL: urls[service].worker,
        WDS_HTTP_PORT: '0',
        WDS_MANAGEMENT_PORT: '0',
        WDS_INTERNAL_PORT: service === 'auth' ? String(operatorPort) : undefined,
      })
    const { stopAll, ...processes } = createServiceProcesses({ folder, nextPort, environmentOf })
    undo.push(stopAll)
    return {
      postgresUrl: postgres?.adminUrl ?? adminUrls.delivery,
      kafka,
      postgres,
      urls,
      adminUrls,
      folder,
      operator,
      ...processes,
      makeWorkspace: (name, scopes) => makeWorkspace(operator, withoutUndefined({ name, plan: 'business', scopes })),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** `body`: of the operator's `POST /internal/workspaces`. */
export async function makeWorkspace(
  operator: Stack['operator'],
  body: object,
): Promise<{ workspaceId: string; apiKey: string }> {
  const response = await fetch(`${operator.url}/internal/workspaces`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${readFileSync(operator.tokenFile, 'utf8')}`,
    },
    body: JSON.stringify(body),
  })
  const made = (await response.json()) as { workspace_id: string; api_key: string }
  if (response.status !== 201) throw new Error(`the workspace was refused: ${JSON.stringify(made)}`)
  return { workspaceId: made.workspace_id, apiKey: made.api_key }
}

/** Waits until the service takes the key. */
export async function whenKeyIsKnown(url: string, apiKey: string): Promise<void> {
  await eventually(`${url} knows the key`, async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
    await response.arrayBuffer()
    return response.status === 200
  })
}
