// Gives tests a Postgres of their own: one cluster for a run, one database per caller, whose schema is made once for the run and
// copied for everyone else. It never leaves a process or a
// folder behind, not even when the run is ended by a signal, and its data are not safe against a crash on purpose.
import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ProvisionedUrls, provision } from '@wds/provision/provision'
import pg from 'pg'
import { inContainer, startPostgresContainer } from './containers.ts'
import { placeDataDirectory } from './data-directory.ts'
import { LocalInfraError } from './local-infra-error.ts'
import { startPostgres } from './postgres-server.ts'
import { isAlive, signalProcess } from './process-liveness.ts'
import { recordEvents } from './record-events.ts'
import { atRunEnd } from './run-end.ts'
import { serverAccount } from './server-account.ts'
import { takeTestPorts } from './test-ports.ts'

/** A database with roles and schemas, without migrations. */
export interface TestDatabase {
  name: string
  /** Of the superuser, in this database. */
  adminUrl: string
  urls: ProvisionedUrls
  /** Removes it, also under open connections. */
  drop(): Promise<void>
}

/** A schema that several suites begin with. */
export interface Template {
  /** The same schema has the same name. */
  name: string
  /** Makes it, once in a run; every connection is closed when it resolves. */
  make(database: TestDatabase): Promise<unknown>
}

const folderPrefix = 'wds-test-'

// Nobody reads these data after a crash, and a synced write is the dearest thing a test does.
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '600',
  // A round of autovacuum starts a process for each database, and a run has dozens of them.
  autovacuum_naptime: '1min',
  // Nobody guesses these passwords either: each connection, and each role of a database, computes a thousandth.
  scram_iterations: '1',
}

interface TestCluster {
  /** Of the superuser. */
  url: string
  stop(): Promise<void>
}

/** Starts the cluster of a run: in a container where a Docker engine answers, else by the project's own Postgres. */
export async function startTestCluster(): Promise<TestCluster> {
  return (await inContainer('Postgres', () => startPostgresContainer(unsafeSettings))) ?? startOwnCluster()
}

/** Starts it in a folder of its own below the system's temporary one. `stop` removes both. */
async function startOwnCluster(): Promise<TestCluster> {
  removeAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  // Made private, which would keep the server's account out; the data in it have a private folder of their own.
  chmodSync(folder, 0o755)
  const removeNow = () => removeCluster(folder)
  const unhook = atRunEnd(removeNow)
  try {
    const { next } = await takeTestPorts()
    const server = await startPostgres({
      dataDirectory: join(folder, 'pg'),
      port: await next(),
      settings: unsafeSettings,
      onNotice: () => undefined,
    })
    const stop = async () => {
      await server.stop()
      unhook()
      removeNow()
    }
    return { url: server.adminUrl, stop }
  } catch (error) {
    unhook()
    removeNow()
    throw error
  }
}

/** A new provisioned database in the cluster of `WDS_TEST_POSTGRES_URL`, which the runner's set-up started; empty unless told. */
export async function createTestDatabase(template?: Template): Promise<TestDatabase> {
  const copied = template && (await findOrMake(template))
  return createDatabase(`test_${randomBytes(8).toString('hex')}`, copied)
}

/** Removes the templates of this run. */
export async function dropTemplates(): Promise<void> {
  const names = await asAdmin(clusterAddress(), async (admin) => {
    const { rows } = await admin.query('select datname from pg_database where datname like $1', [
      `${templatePrefix()}%`,
    ])
    return rows.map(({ datname }) => datname as string)
  })
  for (const name of names)
    await asAdmin(clusterAddress(), (admin) => admin.query(`drop database ${name} with (force)`))
}

/** Its name. Whoever comes first makes it, the others wait. */
function findOrMake({ name, make }: Template): Promise<string> {
  const template = `${templatePrefix()}${name}`
  return asAdmin(clusterAddress(), async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template])
    if (rowCount === 0) {
      const unfinished = await createDatabase(`test_${randomBytes(8).toString('hex')}`)
      await make(unfinished)
      await admin.query(`alter database ${unfinished.name} rename to ${template}`)
    }
    return template
  })
}

/** A cluster that outlives the run must not give a later one an old schema. */
function templatePrefix(): string {
  return `template_${process.env.WDS_TEST_RUN}_`
}

function clusterAddress(): string {
  const clusterUrl = process.env.WDS_TEST_POSTGRES_URL
  if (!clusterUrl) throw new LocalInfraError('WDS_TEST_POSTGRES_URL is not set: run tests through `npm test`.')
  return clusterUrl
}

async function createDatabase(name: string, template = 'template1'): Promise<TestDatabase> {
  const clusterUrl = clusterAddress()
  await asAdmin(clusterUrl, (admin) => admin.query(`create database ${name} template ${template}`))
  const url = new URL(clusterUrl)
  url.pathname = `/${name}`
  const adminUrl = url.href
  // Roles belong to the cluster, so every worker of the run must arrive at the same passwords by itself.
  const passwordOf = (role: string) => createHmac('sha256', url.password).update(role).digest('hex')
  const urls = await provision({ adminUrl, passwordOf })
  const drop = async () => {
    if (process.env.WDS_RECORD_EVENTS) await recordEvents({ adminUrl, folder: process.env.WDS_RECORD_EVENTS })
    await asAdmin(clusterUrl, (admin) => admin.query(`drop database if exists ${name} with (force)`))
  }
  return { name, adminUrl, urls, drop }
}

async function asAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Clusters of runs that were killed hard. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(folderPrefix))) {
    const pid = Number(name.slice(folderPrefix.length).split('-', 1)[0])
    if (pid > 0 && !isAlive(pid)) removeCluster(join(tmpdir(), name))
  }
}

/** Ends the postmaster, if it lives, and removes its files. Synchronous: it runs while the process exits. */
function removeCluster(folder: string): void {
  // Where the files really are: elsewhere when the temporary folder is closed to the server's account.
  const directory = placeDataDirectory(join(folder, 'pg'), serverAccount(), () => undefined)
  const pid = postmasterOf(directory)
  if (pid > 0 && isAlive(pid) && signalProcess(pid, 'SIGQUIT')) {
    for (let waitedMs = 0; isAlive(pid) && waitedMs < 3_000; waitedMs += 10) pauseNow(10)
    if (isAlive(pid)) signalProcess(pid, 'SIGKILL')
  }
  for (const place of new Set([dirname(directory), folder])) {
    rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

function postmasterOf(directory: string): number {
  try {
    return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  } catch {
    return 0
  }
}

function pauseNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
