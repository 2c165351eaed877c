/**
 * The services as processes of their own, each started from its `src/main.ts` by its environment alone, as an orchestrator would:
 * any of them several times, in any role. No supervisor, no router; a service's address is that of its process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type KafkaBroker, startKafka } from '@wds/local-infra/kafka-broker'
import type { PostgresServer } from '@wds/local-infra/postgres-server'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { ServiceName } from '@wds/provision/provision'
import { removeAbandonedStacksOnce, removeStacksAtRunEnd, stackPrefix } from './abandoned-stacks.ts'
import { makeDatabases, type StackDatabases } from './databases.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { createPortPairs } from './port-pairs.ts'
import { eventually, exitOf, root } from './standalone.ts'
import { createUndo } from './undo.ts'

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

export interface ProcessOptions {
  role?: 'all' | 'http' | 'worker'
  /** Name of its log file; default the service's. */
  name?: string
  env?: Record<string, string>
  /** Options of Node, before the program. */
  nodeArgs?: string[]
  /** Root of the sources that are run; default: of these. */
  sources?: string
}

export interface ServiceProcess {
  service: ServiceName
  pid: number
  /** `http://127.0.0.1:port` of its public listener. */
  url: string
  /** Of its probes. */
  managementUrl: string
  /** Everything that it wrote. */
  output(): string
  /** Settles with the exit code; null after a signal. */
  exited: Promise<number | null>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** kill -9. */
  kill(): Promise<void>
}

export interface Stack extends Omit<StackDatabases, 'drop'> {
  /** Address of the superuser. */
  postgresUrl: string
  kafka: KafkaBroker | null
  /** Its own; null where the databases are in that of the test run. */
  postgres: PostgresServer | null
  /** Folder with the key files and the logs of the processes. */
  folder: string
  /** Where auth's internal listener is, once auth runs. */
  operator: { url: string; tokenFile: string }
  /** Resolves when the process says that it is ready. @throws Error with its output when it ends instead. */
  start(service: ServiceName, o?: ProcessOptions): Promise<ServiceProcess>
  /** Runs the program to its end: a command, or without arguments a start that must fail. `output`: all that it wrote. */
  run(
    service: ServiceName,
    args: string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }>
  /** Makes a workspace by the operator's interface, with a key of these scopes; all of them unless told. */
  makeWorkspace(name: string, scopes?: string[]): Promise<{ workspaceId: string; apiKey: string }>
  /** Ends every process, then Postgres; removes the folder. */
  stop(): Promise<void>
}

function secretFiles(folder: string): Record<string, string> {
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

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const exited = exitOf(child)
  child.kill(signal)
  return exited
}

function launch(
  service: ServiceName,
  o: { env: Record<string, string>; logFile: string; args: string[]; sources?: string | undefined },
): ChildProcess {
  const log = openSync(o.logFile, 'a', 0o600)
  const child = spawn(process.execPath, [...o.args, join(o.sources ?? root, 'services', service, 'src/main.ts')], {
    env: o.env,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  return child
}

const quietNode = '--disable-warning=ExperimentalWarning'

/** A program that does not end by itself is killed; its code is null then. */
const runMs = 300_000

async function runToEnd(service: ServiceName, args: string[], env: Record<string, string>) {
  const program = join(root, 'services', service, 'src/main.ts')
  const child = spawn(process.execPath, [quietNode, program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMs,
    killSignal: 'SIGKILL',
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exitOf(child)])
  return { code, output: out + err }
}

async function startOwnKafka(o: StackOptions, at: { folder: string; port: number }) {
  const seenAt = (await o.kafkaBehind?.(at.port)) ?? at.port
  const advertised = seenAt === at.port ? {} : { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${seenAt}` }
  const settings = { ...advertised, ...o.kafkaSettings }
  const kafka = await startKafka({ dataDirectory: join(at.folder, 'kafka'), port: at.port, settings })
  return { kafka, brokers: `127.0.0.1:${seenAt}` }
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
    const ofPostgres = { dataDirectory: join(folder, 'pg'), port: await nextPort() }
    const postgres = o.postgresSettings ? await startOwnPostgres({ ...ofPostgres, settings: o.postgresSettings }) : null
    if (postgres) undo.push(() => rmSync(postgres.dataDirectory, { recursive: true, force: true }))
    undo.push(() => postgres?.stop())
    const [kafkaPort] = await Promise.all([nextPort(), nextPort()])
    // A broker that is down must find both its ports again: the second one is its controller's.
    const { kafka, brokers } = o.kafka
      ? await startOwnKafka(o, { folder, port: kafkaPort })
      : { kafka: null, brokers: '' }
    undo.push(() => kafka?.kill())
    const path = {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compile-cache'),
    }
    const { urls, adminUrls, drop } = await makeDatabases(
      withoutUndefined({ apart: o.kafka ?? false, postgres, sources: o.sources }),
    )
    undo.push(drop)
    const files = secretFiles(folder)
    const operator = {
      url: `http://127.0.0.1:${await nextPort()}`,
      tokenFile: files.WDS_INTERNAL_TOKEN_FILE as string,
    }
    const environment = withoutUndefined<Record<string, string>>({
      ...path,
      ...files,
      KAFKA_BROKERS: kafka === null ? undefined : brokers,
      WDS_LOG_PARTITIONS: String(o.partitions ?? 12),
      WDS_BASE_URL: 'http://127.0.0.1',
      WDS_AUTH_URL: 'http://127.0.0.1',
      WDS_AUTH_INTERNAL_URL: operator.url,
      WDS_HTTP_HOST: '127.0.0.1',
      WDS_OUTBOUND_ALLOW: 'loopback',
      // What is driven here asks as fast as it can.
      WDS_REQUEST_QUOTA: '1000000',
      WDS_REQUEST_CONCURRENCY: '1000',
      ...o.env,
    })
    const pairs = createPortPairs(nextPort)
    const running = new Set<ChildProcess>()
    undo.push(() => Promise.all([...running].map((child) => end(child, 'SIGTERM'))))
    const environmentOf = (service: ServiceName) =>
      withoutUndefined<Record<string, string>>({
        ...environment,
        DATABASE_URL: urls[service].http,
        WDS_WORKER_DATABASE_URL: urls[service].worker,
        WDS_HTTP_PORT: '0',
        WDS_MANAGEMENT_PORT: '0',
        WDS_INTERNAL_PORT: service === 'auth' ? new URL(operator.url).port : undefined,
      })
    const start = async (service: ServiceName, p: ProcessOptions = {}): Promise<ServiceProcess> => {
      const [port, managementPort] = await pairs.take(service)
      const logFile = join(folder, `${p.name ?? service}.log`)
      const env = {
        ...environmentOf(service),
        WDS_HTTP_PORT: String(port),
        WDS_MANAGEMENT_PORT: String(managementPort),
        WDS_ROLE: p.role ?? 'all',
        ...p.env,
      }
      const args = [quietNode, ...(p.nodeArgs ?? [])]
      const child = launch(service, { env, logFile, args, sources: p.sources })
      running.add(child)
      const exited = exitOf(child)
      void exited.then(() => {
        running.delete(child)
        pairs.giveBack(service, [port, managementPort])
      })
      const output = () => readFileSync(logFile, 'utf8')
      const ready = new Promise<'ready'>((resolve) => {
        child.on('message', (message: { type?: string }) => message.type === 'ready' && resolve('ready'))
      })
      const first = await Promise.race([ready, exited])
      if (first !== 'ready') throw new Error(`${service} ended with code ${first}: ${output()}`)
      return {
        service,
        pid: child.pid as number,
        url: `http://127.0.0.1:${port}`,
        managementUrl: `http://127.0.0.1:${managementPort}`,
        output,
        exited,
        stop: () => end(child, 'SIGTERM'),
        kill: async () => void (await end(child, 'SIGKILL')),
      }
    }
    return {
      postgresUrl: postgres?.adminUrl ?? adminUrls.delivery,
      kafka,
      postgres,
      urls,
      adminUrls,
      folder,
      operator,
      start,
      run: (service, args, env = {}) => runToEnd(service, args, { ...environmentOf(service), ...env }),
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
