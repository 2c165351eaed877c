/**
 * What deploy/compose starts, without an engine: keys.sh, Postgres and Kafka over TLS with its settings, provision, the migrations, the services with
 * the environment of their containers, two of each, and nginx with the files of the front door. Other than in containers are addresses, ports, folders.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { startKafka } from '@wds/local-infra/kafka-broker'
import { findNginx } from '@wds/local-infra/nginx'
import { startPostgres } from '@wds/local-infra/postgres-server'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import { type ServiceName, serviceNames } from '@wds/provision/provision'
import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { eventually, exitOf, root } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { edgeArguments, placeEdge } from './place-edge.ts'
import { folder as composeFolder, environmentOf, load, type Service } from './project.ts'

const run = promisify(execFile)
/** The account of the local Postgres, where this is root (packages/local-infra). */
const nobody = 65_534

export interface Copy {
  service: ServiceName
  management: string
  /** kill -9. */
  kill(): Promise<unknown>
  /** SIGTERM; its exit code. */
  stop(): Promise<number | null>
}

export interface ComposeRig {
  url: string
  copies: Copy[]
  /** Asks the front door. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Runs the operator's container. */
  operate(...words: string[]): Promise<string>
  stop(): Promise<void>
}

/** Server properties as keys.sh writes them, at ports of this machine. */
function kafkaSettings(keys: string, ports: { tls: number; plain: number; controller: number }) {
  const text = readFileSync(join(keys, 'kafka-config/server.properties'), 'utf8')
    .replaceAll('://:9093', `://localhost:${ports.tls}`)
    .replaceAll('kafka:9093', `localhost:${ports.tls}`)
    .replaceAll('localhost:9092', `127.0.0.1:${ports.plain}`)
    .replaceAll('localhost:9094', `127.0.0.1:${ports.controller}`)
    .replaceAll('/etc/kafka/secrets', join(keys, 'kafka'))
  const lines = text.split('\n').filter((line) => /^[a-z]/.test(line) && !line.startsWith('log.dirs='))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

export async function startComposeRig(): Promise<ComposeRig> {
  const { undo, stop } = createUndo()
  try {
    const nginx = await findNginx((line) => void process.stderr.write(`${line}\n`))
    const project = load()
    const container = (name: string) => project.services[name] as Service
    const folder = mkdtempSync(join(tmpdir(), 'wds-compose-rig-'))
    chmodSync(folder, 0o711)
    undo.push(() => rmSync(folder, { recursive: true, force: true }))
    const { next, release } = await takeTestPorts()
    undo.push(release)
    const [keys, secrets] = [join(folder, 'keys'), join(folder, 'secrets')]
    await run('bash', [join(composeFolder, 'keys.sh'), keys, secrets, 'localhost'])
    const ca = join(keys, 'ca/ca.crt')

    // Postgres, with the settings of its container that are about TLS.
    const pg = join(keys, 'postgres')
    if (process.getuid?.() === 0)
      for (const name of ['', 'tls.crt', 'tls.key']) chownSync(join(pg, name), nobody, nobody)
    const words = (container('postgres').command as string[]).filter((word) => /^(?:ssl|max_connections)/.test(word))
    const settings = Object.fromEntries(
      words.map((word) => word.replace('/run/keys', pg).split('=') as [string, string]),
    )
    const data = { dataDirectory: join(folder, 'pg'), port: await next(), onNotice: () => undefined, settings }
    const postgres = await startPostgres(data)
    undo.push(() => postgres.stop())
    undo.push(() => rmSync(postgres.dataDirectory, { recursive: true, force: true }))

    const ports = { plain: await next(), tls: await next(), controller: await next() }
    const kafka = await startKafka({
      dataDirectory: join(folder, 'kafka'),
      port: ports.plain,
      portDemanded: true,
      settings: kafkaSettings(keys, ports),
    })
    undo.push(() => kafka.kill())

    const path = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
    const node = async (words: string[], env: Record<string, string>) =>
      (await run(process.execPath, words, { cwd: root, env: { ...path, ...env } })).stdout
    const database = `localhost:${data.port}/postgres?sslmode=verify-full&sslrootcert=${ca}`
    await node(['packages/provision/src/main.ts', secrets], {
      WDS_ADMIN_DATABASE_URL: `${postgres.adminUrl.replace(/@.*$/, '@')}${database}`,
      WDS_PODS_DATABASE: database,
    })

    const edgePort = await next()
    const internal = new Map<string, number>()
    /** What its container gets, at addresses of this machine. */
    const environment = async (service: ServiceName) => {
      const given = environmentOf(container(service))
      const placed = Object.entries(given)
        .filter(([name]) => !name.startsWith('OTEL_'))
        .map(([name, value]) => [name, value.replace('/etc/workspace-data', join(secrets, `${service}-secrets`))])
      const internalPort = await next()
      if (service === 'auth' && !internal.has('auth')) internal.set('auth', internalPort)
      return withoutUndefined<Record<string, string>>({
        ...path,
        ...(Object.fromEntries(placed) as Record<string, string>),
        WDS_BASE_URL: `https://localhost:${edgePort}`,
        WDS_TRUSTED_PROXIES: '127.0.0.1',
        WDS_HTTP_HOST: '127.0.0.1',
        WDS_MANAGEMENT_HOST: '127.0.0.1',
        WDS_HTTP_PORT: String(await next()),
        WDS_MANAGEMENT_PORT: String(await next()),
        KAFKA_BROKERS: `localhost:${ports.tls}`,
        WDS_INTERNAL_PORT: service === 'auth' ? String(internalPort) : undefined,
        WDS_AUTH_INTERNAL_URL: given.WDS_AUTH_INTERNAL_URL ? `https://localhost:${internal.get('auth')}` : undefined,
      })
    }
    const program = (service: string) => join(root, 'services', service, 'src/main.ts')
    for (const service of serviceNames) {
      const [name, file] =
        Object.entries(container(`migrate-${service}`).environment as Record<string, string>)[0] ?? []
      const place = (file as string).replace('/etc/workspace-data', join(secrets, `${service}-owner`))
      await node([program(service), 'migrate'], { [name as string]: place })
    }

    const log = (name: string) => openSync(join(folder, `${name}.log`), 'a', 0o600)
    const launch = (name: string, command: string, args: string[], env: Record<string, string>): ChildProcess => {
      const out = log(name)
      const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', out, out] })
      undo.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = exitOf(child)
        child.kill('SIGTERM')
        await ended
      })
      return child
    }
    const said = (name: string) => readFileSync(join(folder, `${name}.log`), 'utf8').slice(-2_000)
    const started: { service: ServiceName; name: string; env: Record<string, string> }[] = []
    for (const nth of [1, 2])
      for (const service of serviceNames)
        started.push({ service, name: `${service}-${nth}`, env: await environment(service) })
    const copies = started.map(({ service, name, env }): Copy => {
      const child = launch(name, process.execPath, ['--disable-warning=ExperimentalWarning', program(service)], env)
      const exited = exitOf(child)
      const end = (signal: 'SIGTERM' | 'SIGKILL') => {
        child.kill(signal)
        return exited
      }
      const management = `http://127.0.0.1:${env.WDS_MANAGEMENT_PORT}`
      return { service, management, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
    })

    const groups = serviceNames.map((service) => {
      const servers = started
        .filter((one) => one.service === service)
        .map(({ env }) => `server 127.0.0.1:${env.WDS_HTTP_PORT};`)
      return `upstream ${service} { ${servers.join(' ')} }`
    })
    const map = [...serviceNames.map((service) => `${service} ${service};`), `console 127.0.0.1:${await next()};`]
    const edge = join(folder, 'edge')
    const addresses = `${groups.join('\n')}\nmap $wds_service $wds_address { ${map.join(' ')} }\n`
    placeEdge(edge, { tls: join(keys, 'edge'), port: edgePort, addresses })
    launch('nginx', nginx, edgeArguments(edge), path)

    const agent = new Agent({ connect: { ca: readFileSync(ca, 'utf8') } })
    undo.push(() => agent.close())
    const url = `https://localhost:${edgePort}`
    const ask = (target: string, init: RequestInit = {}) => fetch(`${url}${target}`, { dispatcher: agent, ...init })
    for (const [nth, { management }] of copies.entries())
      await eventually(`${started[nth]?.name} to be ready`, async () => {
        const answer = await fetch(`${management}/readyz`).catch(() => null)
        return answer?.status === 200
      }).catch((cause) => {
        throw new Error(said(started[nth]?.name as string), { cause })
      })
    const operator = environmentOf(container('operator'))
    return {
      url,
      copies,
      ask,
      operate: (...words) =>
        node(['packages/cli/src/main.ts', ...words], {
          ...operator,
          WDS_BASE_URL: url,
          WDS_INTERNAL_URL: `https://localhost:${internal.get('auth')}`,
          WDS_INTERNAL_TOKEN_FILE: join(secrets, 'auth-secrets/internal-token'),
          NODE_EXTRA_CA_CERTS: ca,
        }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
