/**
 * The folders that images consist of, made and started without an engine: as a user who can write nothing in them, with the flags of the
 * Dockerfile, on a Postgres of their own.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase } from '@wds/local-infra/test-database'
import { type TestPorts, takeTestPorts } from '@wds/local-infra/test-ports'
import { migrate } from '@wds/postgres/migrations'
import type { ServiceName } from '@wds/provision/provision'
import { createUndo } from '../harness/undo.ts'

const docker = join(import.meta.dirname, '../../deploy/docker')
const dockerfile = readFileSync(join(docker, 'Dockerfile'), 'utf8')
const run = promisify(execFile)

/** The words of the entry point behind the program. */
const entry = (JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[]).slice(1)
/** Only root can become somebody else; for all others their own folder is the proof that less needs no right. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {}

/** All that a folder of ours may hold in an image, below it. Whoever needs another kind adds it here: is it read on a cluster? */
const kinds = [
  /^package\.json$/,
  /^dist\/.*\.js$/,
  /^dist\/(?:.*\/)?(?:[a-z]+-)?migrations\/.*\.sql$/,
  /^dist\/(?:.*\/)?(?:shared\.)?openapi\.yaml$/,
  /^dist\/[a-z-]+\.(?:css|svg)$/,
  // Of api: its document, which it hands out, and the rates that it brings along.
  /^openapi\.generated\.json$/,
  /^dist\/fx\/ecb\/(?:LICENSE|[\d.-]+\.csv)$/,
  // The console's own, and those of the documentation.
  /^dist\/(?:site|docs)\//,
]
/** Files of the service and of our packages in its image that are of none of these kinds, or of tests by their names. */
export function strangersIn(cwd: string): string[] {
  const ofTests =
    /fixture|conformance|widget|gadget|fake-|given-when-then|simulation|loopback-rig|otlp-collector|-coverage|\.test\./
  const own = 'node_modules/.pnpm/@wds+*/node_modules/@wds/*'
  return globSync(['*', 'dist/**/*', `${own}/*`, `${own}/dist/**/*`], { cwd, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .replace(/^.*\/@wds\/[a-z-]+\//, '')
        .replace(`${cwd}/`, ''),
    )
    .filter((path) => !kinds.some((kind) => kind.test(path)) || (ofTests.test(path) && !path.startsWith('dist/docs/')))
}

/** A process of an image. */
export interface Started {
  port: number
  /** Status of an answer, 0 where there is none. */
  status(path: string): Promise<number>
  ready(): Promise<boolean>
  /** SIGTERM; its exit code and signal. */
  stop(): Promise<unknown[]>
}

export interface Images {
  /** The folder of a service's image. */
  assemble(service: ServiceName | 'console'): Promise<string>
  /** What `migrate` of the image says. */
  migrate(service: ServiceName, cwd: string): Promise<string>
  /** Both roles in one process, without Kafka. */
  start(service: ServiceName, cwd: string): Promise<Started>
  startConsole(cwd: string): Promise<Started>
  close(): Promise<unknown>
}

const environment = (o: Record<string, string>) => ({ PATH: '/usr/bin:/bin', TZ: 'UTC', WDS_LOG_LEVEL: 'error', ...o })

export async function openImages(): Promise<Images> {
  const { undo, stop: close } = createUndo()
  const folder = mkdtempSync(join(tmpdir(), 'wds-image-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const ports: TestPorts = await takeTestPorts()
  undo.push(() => ports.release())
  const database = await createTestDatabase()
  undo.push(() => database.drop())
  await migrate({ connectionString: database.urls.log.owner, schema: 'log', directories: logMigrations })

  /** A secret that the kubelet would mount for the group of the pod. */
  function mounted(name: string, text: string): string {
    const path = join(folder, name)
    rmSync(path, { force: true })
    writeFileSync(path, text)
    if (asNobody.gid !== undefined) execFileSync('chown', [`0:${asNobody.gid}`, path])
    chmodSync(path, 0o440)
    return path
  }
  const key = (name: string) => mounted(name, Buffer.alloc(32, name).toString('base64'))

  function launch(cwd: string, env: Record<string, string>, at: { port: number; management?: number }): Started {
    const child: ChildProcess = spawn(process.execPath, entry, {
      ...asNobody,
      cwd,
      env: environment(env),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    undo.push(() => child.kill('SIGKILL'))
    const statusAt = (port: number, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (answer) => answer.status,
        () => 0,
      )
    return {
      port: at.port,
      status: (path) => statusAt(at.port, path),
      ready: async () => (await statusAt(at.management ?? at.port, at.management ? '/readyz' : '/')) === 200,
      stop() {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        return ended
      },
    }
  }

  return {
    close,
    async assemble(service) {
      const target = join(folder, service)
      const words = ['--disable-warning=ExperimentalWarning', join(docker, 'assemble.ts'), service, target]
      await run(process.execPath, words)
      return target
    },
    async migrate(service, cwd) {
      const owner = mounted(`${service}-owner`, database.urls.services[service].owner)
      const env = environment({ WDS_OWNER_DATABASE_URL_FILE: owner })
      return (await run(process.execPath, [...entry, 'migrate'], { ...asNobody, cwd, env })).stdout
    },
    async start(service, cwd) {
      const urls = database.urls.services[service]
      const [port, management, internal] = [await ports.next(), await ports.next(), await ports.next()]
      const env: Record<string, string> = {
        DATABASE_URL_FILE: mounted(`${service}-http`, urls.http),
        WDS_WORKER_DATABASE_URL_FILE: mounted(`${service}-worker`, urls.worker),
        WDS_CURSOR_KEY_FILE: key('cursors'),
        WDS_BASE_URL: `http://127.0.0.1:${port}`,
        WDS_HTTP_PORT: String(port),
        WDS_MANAGEMENT_PORT: String(management),
      }
      if (service !== 'catalog') {
        env.WDS_INTERNAL_TOKEN_FILE = mounted('token', 'a-token-of-40-characters-that-is-no-secret')
        env.WDS_ENCRYPTION_KEY_FILE = key('encryption')
      }
      if (service === 'auth') env.WDS_INTERNAL_PORT = String(internal)
      return launch(cwd, env, { port, management })
    },
    async startConsole(cwd) {
      const port = await ports.next()
      return launch(cwd, { WDS_BASE_URL: `http://127.0.0.1:${port}`, WDS_HTTP_PORT: String(port) }, { port })
    },
  }
}
