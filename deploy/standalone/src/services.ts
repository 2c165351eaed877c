/** Which programs the standalone runs, and the environment of each. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ProvisionedUrls, type ServiceName, serviceNames } from '@wds/provision/provision'
import type { DataFolder } from './data-folder.ts'
import { portSetting, type Upstream, upstreams } from './router.ts'

const root = join(import.meta.dirname, '../../..')

export interface Ports {
  router: number
  receiver: number
  /** Of the local affiliate network; null: there is none. */
  source: number | null
  postgres: number
  internal: number
  services: Record<Upstream, number>
  /** Of probes and metrics. */
  management: Record<Upstream, number>
}

/** A Kafka that the services use. */
export interface Broker {
  /** `host:port,…` */
  brokers: string
  /** On this machine, never to be called by a webhook. */
  ports: number[]
}

export interface Program {
  name: string
  script: string
  args: string[]
  env: Record<string, string>
}

function serviceScript(name: ServiceName): string {
  return join(root, 'services', name, 'src/main.ts')
}

/** Where a source file of the service is, for `import`. */
export function serviceUrl(name: Upstream, file: string): string {
  return pathToFileURL(join(root, 'services', name, 'src', file)).href
}

/** What every child gets: the person's own settings, and nothing secret. */
function inherited(): Record<string, string> {
  const wanted = /^(PATH|HOME|NODE_COMPILE_CACHE|TZ|LANG|TMPDIR|TEMP|TMP|SYSTEMROOT|OTEL_.*|WDS_.*)$/i
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => wanted.test(entry[0]) && entry[1] !== undefined,
    ),
  )
}

/** OpenTelemetry starts before a service when any of its variables is set; the preload decides what it loads. */
function preloaded(): Record<string, string> {
  const wanted = Object.keys(process.env).some((name) => name.startsWith('OTEL_'))
  return wanted
    ? { NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'packages/telemetry/src/otel/preload.ts')).href}` }
    : {}
}

interface ProgramOptions {
  ports: Ports
  urls: ProvisionedUrls
  data: DataFolder
  baseUrl: string
  partitions: number
  /** Null: the log is in Postgres. */
  broker: Broker | null
  /** Folder with the console's built pages. */
  pages: string
  /** Folder that holds the documentation once it is built. */
  docs: string
}

function serviceProgram(name: ServiceName, o: ProgramOptions): Program {
  const { ports, urls, data, broker } = o
  const ownPorts = [
    ...[ports.router, ports.postgres, ports.internal],
    ...Object.values(ports.services),
    ...Object.values(ports.management),
    ...(broker?.ports ?? []),
  ]
  const kafka: Record<string, string> = {}
  if (broker !== null) kafka.KAFKA_BROKERS = broker.brokers
  return {
    name,
    script: serviceScript(name),
    args: [],
    env: {
      WDS_OUTBOUND_ALLOW: 'loopback',
      // Somebody waits at the terminal, and a receiver that hangs must not hold them up for an attempt's whole deadline.
      WDS_DELIVERY_STOP_GRACE: '2s',
      // A new user sees final days, and what is uploaded for one of them at once.
      WDS_STATS_BACKFILL_REST: '20s',
      WDS_STATS_RESTATE_WAIT: '2s',
      // One person tries what it can do: the headers are there, and no limit is met.
      WDS_REQUEST_QUOTA: '1000000',
      WDS_REQUEST_CONCURRENCY: '1000',
      ...inherited(),
      ...preloaded(),
      DATABASE_URL: urls.services[name].http,
      WDS_WORKER_DATABASE_URL: urls.services[name].worker,
      WDS_LOG_PARTITIONS: String(o.partitions),
      ...kafka,
      WDS_BASE_URL: o.baseUrl,
      WDS_AUTH_URL: o.baseUrl,
      WDS_HTTP_HOST: '127.0.0.1',
      // The router: it stands in front of every service.
      WDS_TRUSTED_PROXIES: '127.0.0.1',
      WDS_HTTP_PORT: String(ports.services[name]),
      WDS_MANAGEMENT_HOST: '127.0.0.1',
      WDS_MANAGEMENT_PORT: String(ports.management[name]),
      WDS_INTERNAL_PORT: String(ports.internal),
      WDS_AUTH_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
      // On loopback nobody listens in, and a certificate is hardly one for 127.0.0.1: what the environment has for elsewhere is unset.
      WDS_INTERNAL_TLS_CERT_FILE: '',
      WDS_INTERNAL_TLS_KEY_FILE: '',
      WDS_AUTH_INTERNAL_CA_FILE: '',
      WDS_INTERNAL_TOKEN_FILE: data.secretFile('operator-token'),
      WDS_ENCRYPTION_KEY_FILE: data.secretFile('encryption-key'),
      WDS_CURSOR_KEY_FILE: data.secretFile('cursor-key'),
      WDS_OUTBOUND_OWN_PORTS: ownPorts.join(','),
    },
  }
}

export function programs(o: ProgramOptions): Program[] {
  const { ports } = o
  const router: Program = {
    name: 'router',
    script: join(import.meta.dirname, 'router-main.ts'),
    args: [],
    env: {
      ...inherited(),
      WDS_BASE_URL: o.baseUrl,
      WDS_HTTP_PORT: String(ports.router),
      ...Object.fromEntries(upstreams.map((name) => [portSetting(name), String(ports.services[name])])),
    },
  }
  const console: Program = {
    name: 'console',
    script: join(root, 'services/console/src/server.ts'),
    args: [],
    env: {
      ...inherited(),
      ...preloaded(),
      WDS_BASE_URL: o.baseUrl,
      WDS_HTTP_HOST: '127.0.0.1',
      WDS_HTTP_PORT: String(ports.services.console),
      WDS_MANAGEMENT_HOST: '127.0.0.1',
      WDS_MANAGEMENT_PORT: String(ports.management.console),
      WDS_CONSOLE_FOLDER: o.pages,
      WDS_DOCS_FOLDER: o.docs,
    },
  }
  const receiver: Program = {
    name: 'receiver',
    script: join(root, 'packages/fake-receiver/src/main.ts'),
    args: ['--port', String(ports.receiver)],
    env: inherited(),
  }
  const source: Program = {
    name: 'source',
    script: join(root, 'packages/fake-source/src/main.ts'),
    // A backfill of 90 days is 33 requests.
    args: ['--port', String(ports.source), '--requests-per-minute', '120', '--wrong-rows'],
    env: inherited(),
  }
  // Compiled sources are kept, which halves the CPU of a start; where a person's own setting says, else here.
  const cache = { NODE_COMPILE_CACHE: o.data.file('compile-cache') }
  const all = [...serviceNames.map((name) => serviceProgram(name, o)), console, router, receiver]
  if (ports.source !== null) all.push(source)
  return all.map((program) => ({ ...program, env: { ...cache, ...program.env } }))
}

/** Delivery, trying again after milliseconds: so the sample gets its dead letters while somebody waits. */
export function withScaledSchedule(program: Program): Program {
  const schedule = { WDS_DELIVERY_ATTEMPTS: '6', WDS_DELIVERY_DELAYS: '100ms,150ms,200ms,250ms,300ms' }
  return { ...program, env: { ...program.env, ...schedule } }
}
