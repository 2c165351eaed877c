// Supervises the local Kafka: one node on loopback, run by Java, which further ones may join in tests. It adopts one that outlived its
// parent, starts it again after a crash, and never leaves a process behind when a start fails. For one machine: nothing is encrypted.
import { existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { removeDataDirectory } from './data-directory.ts'
import { findKafka } from './kafka-jars.ts'
import {
  clusterIdOf,
  endKafka,
  findRunningKafka,
  type KafkaLaunch,
  type KafkaProcess,
  killKafka,
  lastKafkaLines,
  launchKafka,
  refuseForeignFiles,
  stopOrphanedBroker,
} from './kafka-process.ts'
import { rememberRecords, setRecordsBack, wipeRecords } from './kafka-records.ts'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { isAlive } from './process-liveness.ts'
import { claimSupervision, releaseSupervision, type ServerCrash, Supervision } from './supervision.ts'

/** What a listener hears when Kafka ended by itself. */
export type KafkaCrash = ServerCrash

/** A local Kafka; its address never changes. */
export interface KafkaBroker {
  /** `host:port`, as in KAFKA_BROKERS. */
  brokers: string
  port: number
  /** Of the controller; nobody but Kafka has business there. */
  controllerPort: number
  /** True when it was left running by a parent that was killed. */
  adopted: boolean
  dataDirectory: string
  /** Of the Java process that runs now, or ran last. */
  pid(): number
  /** Starts it again on the same data and port after a `stop`, `kill` or third crash; nothing when it runs. @throws LocalInfraError */
  start(): Promise<void>
  /** Ends it cleanly within 15 s; safe to call twice and after a crash. The first stop on a machine takes 3 to 7 s. */
  stop(): Promise<void>
  /** Ends it by SIGKILL and leaves it down: for tests of bad days. */
  kill(): Promise<void>
  /** Ends it by SIGKILL and removes every record, topic and offset: the next `start` begins empty. */
  wipe(): Promise<void>
  /** Remembers its records as they are, over a restart; the result sets them back once, as after a crash that lost what came later. */
  remember(): Promise<() => Promise<void>>
  /** Calls `fn` at every crash, before the restart. */
  onCrash(fn: (crash: KafkaCrash) => void): void
}

/** Options of {@link startKafka}. */
export interface KafkaOptions {
  dataDirectory: string
  /** 19092 unless told. */
  port?: number
  /** True: this port or an error. False: the next free one below 32768 will do. */
  portDemanded?: boolean
  /** Further settings of the broker (server.properties), which win over the supervisor's. */
  settings?: Record<string, string>
  /** Makes it a further broker of the cluster of this one, which is to be started before it: for tests of replication. `nodeId`: from 2 on. */
  joins?: { cluster: KafkaBroker; nodeId: number }
  /** Where the jars are kept; `~/.cache/wds-local` unless told. */
  cacheDirectory?: string
  /** Hears one line when the jars are fetched; stderr unless told. */
  onNotice?: (line: string) => void
  /** Aborted: a fetch of the jars is given up. */
  signal?: AbortSignal
}

const defaultPort = 19_092

/**
 * Starts Kafka on the data, or adopts the one that runs on it; fetches the jars and makes the data at the first start.
 * stack.md 4.
 * @throws LocalInfraError one sentence: no Java, no jars, a port that is taken, data that Kafka refuses.
 */
export async function startKafka(options: KafkaOptions): Promise<KafkaBroker> {
  const notice = options.onNotice ?? ((line: string) => void process.stderr.write(`local-infra: ${line}\n`))
  const programs = await findKafka({ ...options, onNotice: notice })
  const directory = resolve(options.dataDirectory)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new LocalInfraError(`The data folder ${directory} cannot be used: ${messageOf(error)}.`, { cause: error })
  }
  const launch: KafkaLaunch = {
    directory,
    programs,
    port: options.port ?? defaultPort,
    portDemanded: options.portDemanded ?? false,
    settings: options.settings ?? {},
    joins: options.joins && placeIn(options.joins),
  }
  return claimed(directory, async () => {
    const adopted = await adopt(launch)
    return new LocalKafka(launch, adopted ?? (await launchKafka(launch)), adopted !== null)
  })
}

/**
 * Removes the broker's files in whatever state they are, and ends first what a killed parent left running on them.
 * Nothing happens when there are none.
 * @throws LocalInfraError when a living supervisor runs on them, when they are not Kafka's, or cannot be removed.
 */
export async function removeKafka(dataDirectory: string): Promise<void> {
  const directory = resolve(dataDirectory)
  if (!existsSync(directory)) return
  refuseForeignFiles(directory)
  claimSupervision(directory, 'Kafka')
  await stopOrphanedBroker(directory)
  removeDataDirectory(directory)
}

function placeIn({ cluster, nodeId }: NonNullable<KafkaOptions['joins']>): KafkaLaunch['joins'] {
  return { nodeId, clusterId: clusterIdOf(cluster.dataDirectory), controllerPort: cluster.controllerPort }
}

/** Runs `start` with the data claimed; gives them back when it fails. */
async function claimed<T>(directory: string, start: () => Promise<T>): Promise<T> {
  claimSupervision(directory, 'Kafka')
  try {
    return await start()
  } catch (error) {
    releaseSupervision(directory)
    if (error instanceof LocalInfraError) throw error
    throw new LocalInfraError(`Kafka did not start with the data in ${directory}: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** Takes over what runs on the data; on another port than the demanded one it is ended instead. */
async function adopt(launch: KafkaLaunch): Promise<KafkaProcess | null> {
  const found = await findRunningKafka(launch.directory)
  if (!found) return null
  if (!launch.portDemanded || found.ports.broker === launch.port) return found
  await endKafka(found)
  return null
}

class LocalKafka implements KafkaBroker {
  readonly brokers: string
  readonly port: number
  readonly controllerPort: number
  readonly adopted: boolean
  readonly dataDirectory: string
  readonly #launch: KafkaLaunch
  readonly #listeners: ((crash: KafkaCrash) => void)[] = []
  #supervision: Supervision<KafkaProcess>
  #end = endKafka
  #supervised = true

  constructor(launch: KafkaLaunch, running: KafkaProcess, adopted: boolean) {
    this.port = running.ports.broker
    this.controllerPort = running.ports.controller
    this.brokers = `127.0.0.1:${this.port}`
    this.adopted = adopted
    this.dataDirectory = launch.directory
    // Clients know the address: a restart takes the same port or fails.
    this.#launch = { ...launch, port: this.port, portDemanded: true, controllerPort: this.controllerPort }
    this.#supervision = this.#watch(running)
  }

  pid(): number {
    return this.#supervision.running.pid
  }

  onCrash(fn: (crash: KafkaCrash) => void): void {
    this.#listeners.push(fn)
  }

  async start(): Promise<void> {
    if (this.#supervised && isAlive(this.pid())) return
    await this.stop()
    this.#supervision = await claimed(this.dataDirectory, async () => this.#watch(await launchKafka(this.#launch)))
    this.#supervised = true
  }

  stop(): Promise<void> {
    return this.#endBy(endKafka)
  }

  kill(): Promise<void> {
    return this.#endBy(killKafka)
  }

  async wipe(): Promise<void> {
    await this.kill()
    wipeRecords(this.dataDirectory)
  }

  async remember(): Promise<() => Promise<void>> {
    await this.stop()
    const remembered = rememberRecords(this.dataDirectory)
    await this.start()
    return async () => {
      await this.kill()
      setRecordsBack(this.dataDirectory, remembered)
      await this.start()
    }
  }

  async #endBy(end: (process: KafkaProcess) => Promise<void>): Promise<void> {
    this.#end = end
    await this.#supervision.stop()
    if (this.#supervised) releaseSupervision(this.dataDirectory)
    this.#supervised = false
  }

  #watch(running: KafkaProcess): Supervision<KafkaProcess> {
    const server = {
      launch: () => launchKafka(this.#launch),
      end: (process: KafkaProcess) => this.#end(process),
      lastLines: () => lastKafkaLines(this.dataDirectory),
    }
    return new Supervision(server, running, (crash) => {
      for (const listener of this.#listeners) listener(crash)
    })
  }
}
