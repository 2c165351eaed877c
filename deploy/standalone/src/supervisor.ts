/** Starts the stores, the services, the router and the receiver in order, and stops them in the opposite one. Half a start is stopped whole. */
import { mkdirSync } from 'node:fs'
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import { createChildren } from './children.ts'
import { buildPages } from './console-pages.ts'
import { buildDocs, docsFolder } from './docs-pages.ts'
import { keepRotated } from './log-files.ts'
import { prepareDatabase } from './migrations.ts'
import { choosePorts } from './ports.ts'
import { isUnfinished, openNotes } from './sample/notes.ts'
import { ensureSample } from './sample/sample-data.ts'
import type { Sample } from './sample/workspace.ts'
import { type Broker, programs, withScaledSchedule } from './services.ts'
import { becomeSingleInstance, type SingleInstance } from './single-instance.ts'
import { forgetStores, type StoreOptions, startBroker, startDatabase } from './stores.ts'

export interface Running {
  baseUrl: string
  /** Where people sign in and look; its own sign-in leads there. */
  consoleUrl: string
  /** Where the documentation is read, once it is built. */
  docsUrl: string
  receiverUrl: string
  /** The local affiliate network; null where none is started. */
  sourceUrl: string | null
  /** Port of the management listener of each service: `/livez`, `/readyz`, `/metrics`. */
  managementPorts: Readonly<Record<string, number>>
  sample: Sample
  stop(): Promise<void>
}

interface SupervisorOptions extends StoreOptions {
  /** Forgets database, records, keys and sample data first. */
  fresh: boolean
  /** Where the log is: Postgres, the project's own Kafka, or a broker that runs already (`host:port,…`). */
  log: 'postgres' | 'kafka' | { brokers: string }
  routerPort: number
  receiverPort: number
  /** Of the local affiliate network; null: none is started. */
  sourcePort: number | null
  /** Least port that the services and the internal listener may take. */
  servicesFrom: number
  partitions: number
  /** Makes all of the sample data, else a workspace with two integrations. */
  fullSample: boolean
  /** Builds the documentation after the start, where it is not there yet. */
  buildsDocs: boolean
  /** Address of the sample app, where it listens once it is started. */
  sampleAppUrl: string
  /** Keeps the operator's address where the command line looks for it. */
  writeOperator(text: string): void
  /** Keeps the registration of the sample app where that looks for it. */
  writeSampleApp(text: string): void
}

/** For a machine that does much else; a service that ends meanwhile is told at once. */
const readyWithinMs = 60_000
// The services take 25 s at most; delivery gives back what its receivers have not answered within 2 s (services.ts).
const drainMs = 20_000

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

/** Starts in the background; whatever becomes of it, its stop is a step of ours. */
function startLog(o: SupervisorOptions, undo: (() => Promise<void> | void)[]): Promise<Broker | null> {
  if (o.log === 'postgres') return Promise.resolve(null)
  if (typeof o.log === 'object') return Promise.resolve({ brokers: o.log.brokers, ports: [] })
  const starting = startBroker(o)
  undo.push(() =>
    starting.then(
      (kafka: KafkaBroker) => kafka.stop(),
      () => undefined,
    ),
  )
  return starting.then(({ brokers, port, controllerPort }) => ({ brokers, ports: [port, controllerPort] }))
}

export async function startAll(o: SupervisorOptions): Promise<Running> {
  const undo: (() => Promise<void> | void)[] = []
  let instance: SingleInstance | null = null
  const stop = async () => {
    instance?.announceStop()
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
    const held = await becomeSingleInstance(o.data.path)
    instance = held
    undo.push(() => held.release())
    const { routerPort: router, receiverPort: receiver, sourcePort: source, servicesFrom } = o
    const chosen = await choosePorts({ router, receiver, source, servicesFrom })
    undo.push(chosen.release)
    const { ports } = chosen
    if (o.fresh) await forgetStores(o.data)
    o.signal.throwIfAborted()
    o.say(o.log === 'kafka' ? 'starting Postgres and Kafka' : 'starting Postgres')
    // Nothing is left of a build that is called off but a folder that the next one takes.
    const built = buildPages(o)
    built.catch(() => undefined)
    const placed = docsFolder(o)
    placed.catch(() => undefined)
    const postgres = await startDatabase(o)
    undo.push(() => postgres.stop())
    const log = startLog(o, undo)
    const prepared = prepareDatabase(postgres.adminUrl, o.data)
    const [urls, broker, pages, docs] = await Promise.all([prepared, log, built, placed])
    o.signal.throwIfAborted()

    const baseUrl = `http://127.0.0.1:${ports.router}`
    const receiverUrl = `http://127.0.0.1:${ports.receiver}`
    const sourceUrl = ports.source === null ? null : `http://127.0.0.1:${ports.source}`
    const operatorUrl = `http://127.0.0.1:${ports.internal}`
    mkdirSync(o.data.file('logs'), { recursive: true, mode: 0o700 })
    const onExit = (name: string, how: string) => o.say(`${name} ended by itself (${how}) and is started again`)
    const all = programs({
      ports: { ...ports, postgres: postgres.port },
      urls,
      data: o.data,
      baseUrl,
      partitions: o.partitions,
      broker,
      pages,
      docs,
    })
    o.say('starting the services')
    const logFile = (name: string) => o.data.file(`logs/${name}.log`)
    const rotation = keepRotated(
      all.map(({ name }) => logFile(name)),
      (error) => o.say(`a log cannot be cut: ${(error as Error).message}`),
    )
    undo.push(() => rotation.stop())
    const onReady = (name: string) => o.say(`starting: ${name} is ready`)
    const children = createChildren({ logFile, onExit, onReady, readyWithinMs, drainMs })
    undo.push(() => children.stopAll())
    const { fullSample: full, sampleAppUrl } = o
    const notes = openNotes(o.data, { full })
    const hurried = isUnfinished(notes, { full }) ? all.find(({ name }) => name === 'delivery') : undefined
    const first = all.map((program) => (program === hurried ? withScaledSchedule(program) : program))
    await unlessAborted(o.signal, Promise.all(first.map(children.start)))

    o.data.secretFile('operator-token')
    const operatorToken = (o.data.read('operator-token') as string).trim()
    o.writeOperator(JSON.stringify({ url: operatorUrl, token: operatorToken, baseUrl }))
    let exchange: Promise<void> | undefined
    const useOwnSchedule = async () => {
      if (hurried !== undefined) exchange ??= children.replace(hurried)
      await exchange
    }
    const addresses = { baseUrl, operatorUrl, receiverUrl, sourceUrl, sampleAppUrl }
    const making = ensureSample({
      ...addresses,
      operatorToken,
      notes,
      full,
      useOwnSchedule,
      signal: o.signal,
      say: o.say,
    })
    const sample = await unlessAborted(o.signal, making)
    if (notes.stored.app !== undefined) o.writeSampleApp(JSON.stringify({ api: baseUrl, ...notes.stored.app }))
    if (o.buildsDocs) undo.push(buildDocs(docs, o))
    const managementPorts = ports.management
    return {
      baseUrl,
      consoleUrl: `${baseUrl}/`,
      docsUrl: `${baseUrl}/docs/`,
      receiverUrl,
      sourceUrl,
      managementPorts,
      sample,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
