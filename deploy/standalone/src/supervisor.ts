/** Starts Postgres, the services, the router and the receiver in order, and stops them in the opposite one. Half a start is stopped whole. */
import { mkdirSync, rmSync } from 'node:fs'
import { LocalInfraError, type PostgresServer, startPostgres } from '@wds/local-infra/postgres-server'
import { type Child, startChild } from './child.ts'
import { type DataFolder, forgetAll } from './data-folder.ts'
import { prepareDatabase } from './migrations.ts'
import { choosePorts } from './ports.ts'
import { ensureSample, type Sample } from './sample-data.ts'
import { programs } from './services.ts'
import { becomeSingleInstance } from './single-instance.ts'
import { StartError } from './start-error.ts'

export interface Running {
  baseUrl: string
  receiverUrl: string
  sample: Sample
  stop(): Promise<void>
}

interface SupervisorOptions {
  data: DataFolder
  /** Forgets database, keys and sample data first. */
  fresh: boolean
  routerPort: number
  receiverPort: number
  /** Least port that the services and the internal listener may take. */
  servicesFrom: number
  /** 0: 15432 or the next free one. */
  postgresPort: number
  partitions: number
  /** Aborted when the start is called off: what was started is stopped again. */
  signal: AbortSignal
  /** Told when the stack cannot go on. */
  onFatal(why: string): void
  /** Lines for the person at the terminal. */
  say(line: string): void
}

const readyWithinMs = 20_000
// Longer than an attempt may take: an endpoint that hangs must not cost its deliveries an attempt.
const drainMs = 20_000

async function startDatabase(o: SupervisorOptions): Promise<PostgresServer> {
  try {
    return await startPostgres({
      dataDirectory: o.data.file('pg'),
      ...(o.postgresPort === 0 ? {} : { port: o.postgresPort, portDemanded: true }),
      settings: { max_connections: '200' },
    })
  } catch (error) {
    throw error instanceof LocalInfraError ? new StartError(error.message) : error
  }
}

/** Gives up waiting when the start is called off; what was waited for ends with the children. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  work.catch(() => undefined)
  return Promise.race([work, aborted])
}

/** A Postgres left behind by a killed supervisor may still run on the data: it is adopted and stopped before its files go. */
async function beginAnew(o: SupervisorOptions): Promise<void> {
  const postgres = await startDatabase(o)
  await postgres.stop()
  rmSync(postgres.dataDirectory, { recursive: true, force: true })
  forgetAll(o.data)
}

export async function startAll(o: SupervisorOptions): Promise<Running> {
  const undo: (() => Promise<void> | void)[] = []
  const stop = async () => {
    const faults: unknown[] = []
    for (const step of undo.splice(0).reverse()) {
      // A step that fails must not leave the ones after it running.
      await Promise.resolve()
        .then(step)
        .catch((error: unknown) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  }
  try {
    const instance = await becomeSingleInstance(o.data.path)
    undo.push(() => instance.release())
    const ports = await choosePorts({ router: o.routerPort, receiver: o.receiverPort, servicesFrom: o.servicesFrom })
    if (o.fresh) await beginAnew(o)
    o.signal.throwIfAborted()
    const postgres = await startDatabase(o)
    undo.push(() => postgres.stop())
    postgres.onCrash(({ code, signal, restarting }) => {
      const how = `postgres ended by itself (${signal ?? `exit code ${code}`})`
      if (restarting) return o.say(`${how} and is started again`)
      o.onFatal(`${how} for the third time within a minute: see the log in the data folder`)
    })
    const urls = await prepareDatabase(postgres.adminUrl, o.data)

    const baseUrl = `http://127.0.0.1:${ports.router}`
    const receiverUrl = `http://127.0.0.1:${ports.receiver}`
    const operatorUrl = `http://127.0.0.1:${ports.internal}`
    mkdirSync(o.data.file('logs'), { recursive: true, mode: 0o700 })
    const onExit = (name: string, how: string) => o.say(`${name} ended by itself (${how}) and is started again`)
    const all = programs({
      ports: { ...ports, postgres: postgres.port },
      urls,
      data: o.data,
      baseUrl,
      partitions: o.partitions,
    })
    const children: Child[] = all.map((program) =>
      startChild({ ...program, logFile: o.data.file(`logs/${program.name}.log`), onExit }),
    )
    undo.push(async () => {
      await Promise.all(children.map((child) => child.stop(drainMs)))
    })
    await unlessAborted(o.signal, Promise.all(children.map((child) => child.whenReady(readyWithinMs))))

    o.data.secretFile('operator-token')
    const operatorToken = (o.data.read('operator-token') as string).trim()
    o.data.write('operator.json', JSON.stringify({ url: operatorUrl, token: operatorToken }))
    const sample = await unlessAborted(o.signal, ensureSample({ baseUrl, operatorUrl, operatorToken, data: o.data }))
    return { baseUrl, receiverUrl, sample, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
