// Formats the data of, starts, finds and ends one Kafka process. It never decides to start it again: the supervisor does.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, isPortFree } from './free-port.ts'
import type { KafkaPrograms } from './kafka-jars.ts'
import { answersAsKafka } from './kafka-readiness.ts'
import { javaOptions, type KafkaPorts, logDirectory, serverProperties } from './kafka-settings.ts'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { identityOf, isAlive, signalProcess, waitUntil } from './process-liveness.ts'
import { type Exit, exitOf, pollExit } from './server-exit.ts'

const run = promisify(execFile)

/** A Kafka that answers. */
export interface KafkaProcess {
  pid: number
  ports: KafkaPorts
  exit: Promise<Exit>
  /** Where this process writes the classes that it loaded when it ends cleanly, or null. */
  archive: { unfinished: string; final: string } | null
}

/** Kept in the data folder, for whoever starts next. */
interface StartedProcess {
  pid: number
  identity: string
  ports: KafkaPorts
}

/** What a start needs. */
export interface KafkaLaunch {
  directory: string
  programs: KafkaPrograms
  port: number
  portDemanded: boolean
  /** Where to look first for the controller's port; behind the broker's unless told. */
  controllerPort?: number
  /** The cluster of another broker; without it the broker is a cluster of its own. */
  joins?: { nodeId: number; clusterId: string; controllerPort: number } | undefined
  settings: Record<string, string>
}

/** A broker that cannot start ends by itself: this is for a machine that is busy. */
const readyMs = 180_000
/** Between the look for a free port and Kafka's own listening lie seconds: another program may be faster, but not every time. */
const portTries = 5
const stopMs = 15_000
const killedMs = 5_000
const propertiesFile = 'server.properties'
const processFile = 'wds-broker.json'
const log4jFile = 'log4j2.properties'
const log4j = join(import.meta.dirname, '../kafka', log4jFile)
const logFolder = 'log'
const startLog = 'start.log'

/** Starts Kafka on the port, or on the next free one unless the port is demanded. Throws LocalInfraError. */
export async function launchKafka(o: KafkaLaunch): Promise<KafkaProcess> {
  let from = o.port
  for (let nth = 1; ; nth += 1) {
    const broker = o.portDemanded ? o.port : await freePort({ from })
    if (o.portDemanded && !(await isPortFree(broker))) throw portTaken(broker)
    const controller = o.joins?.controllerPort ?? (await freePort({ from: o.controllerPort ?? broker + 1 }))
    const ports = { broker, controller }
    await prepare(o, ports)
    const spawnedMs = Date.now()
    const started = spawnBroker(o, ports)
    if (await isReady(o.directory, started)) return started
    const exit = isAlive(started.pid) ? null : await started.exit
    const lines = linesSince(o.directory, spawnedMs)
    await endKafka(started)
    if (nth === portTries || !foundPortTaken(lines)) throw notStarted(o.directory, whyNotReady(exit, lines))
    if (o.portDemanded && !(await isPortFree(broker))) throw portTaken(broker)
    from = broker + 1
  }
}

/** The broker that a former, killed parent left running on this data, or null. */
export async function findRunningKafka(directory: string): Promise<KafkaProcess | null> {
  const left = orphanedBroker(directory)
  if (!left) return null
  const found = { ...left, exit: pollExit(left.pid), archive: null }
  if (await isReady(directory, found)) return found
  await endKafka(found)
  return null
}

/** The process that was started last on this data, if it lives. */
export function orphanedBroker(directory: string): { pid: number; ports: KafkaPorts } | null {
  const path = join(directory, processFile)
  if (!existsSync(path)) return null
  const { pid, identity, ports } = JSON.parse(readFileSync(path, 'utf8')) as StartedProcess
  return isAlive(pid) && identityOf(pid) === identity ? { pid, ports } : null
}

/** Ends what lives on this data, whether it answers or not. */
export async function stopOrphanedBroker(directory: string): Promise<void> {
  const left = orphanedBroker(directory)
  if (left) await endKafka({ ...left, exit: pollExit(left.pid), archive: null })
}

/** Throws LocalInfraError when the folder holds files and none of them is the supervisor's. */
export function refuseForeignFiles(directory: string): void {
  const names = readdirSync(directory)
  if (names.length === 0 || [logDirectory, propertiesFile, processFile].some((name) => names.includes(name))) return
  throw new LocalInfraError(`${directory} holds files but no Kafka data, so it is not removed; move it away.`)
}

/** Ends Kafka: SIGTERM, after 15 s SIGKILL; what it acknowledged is recovered from its log. Harmless when it is gone. */
export async function endKafka(process: KafkaProcess): Promise<void> {
  signalProcess(process.pid, 'SIGTERM')
  if (!(await hasEnded(process, stopMs))) return killKafka(process)
  const { archive } = process
  if (archive && existsSync(archive.unfinished)) renameSync(archive.unfinished, archive.final)
}

/** Ends it at once; nothing is flushed. */
export async function killKafka(process: KafkaProcess): Promise<void> {
  signalProcess(process.pid, 'SIGKILL')
  await hasEnded(process, killedMs)
  if (process.archive) rmSync(process.archive.unfinished, { force: true })
}

/** Its exit is waited for, not its death: a dead process holds its ports until the last of its threads is gone. */
function hasEnded({ exit }: KafkaProcess, withinMs: number): Promise<boolean> {
  const late = new AbortController()
  const inTime = exit.then(() => true)
  const tooLate = sleep(withinMs, false, { signal: late.signal }).catch(() => false)
  return Promise.race([inTime, tooLate]).finally(() => late.abort())
}

/** The last 50 lines of the broker's log, oldest first. */
export function lastKafkaLines(directory: string): string[] {
  return linesSince(directory, 0).slice(-50)
}

/** All lines of the logs that were written to since: Kafka begins its log anew, but not before it has come so far. */
function linesSince(directory: string, sinceMs: number): string[] {
  const files = ['kafka.log', startLog].map((name) => join(directory, logFolder, name))
  return files.flatMap((file) => (existsSync(file) && statSync(file).mtimeMs >= sinceMs ? linesOf(file) : []))
}

async function prepare(o: KafkaLaunch, ports: KafkaPorts): Promise<void> {
  mkdirSync(join(o.directory, logFolder), { recursive: true, mode: 0o700 })
  copyFileSync(log4j, join(o.directory, log4jFile))
  writeFileSync(join(o.directory, propertiesFile), serverProperties(ports, o.settings, o.joins))
  if (!existsSync(join(o.directory, logDirectory))) await format(o, ports)
}

/** Makes the empty log under another name first: a start that is cut off must not leave half of one. */
async function format(o: KafkaLaunch, ports: KafkaPorts): Promise<void> {
  const final = join(o.directory, logDirectory)
  const unfinished = `${final}.format-${process.pid}`
  removeUnfinished(final)
  const properties = join(o.directory, 'format.properties')
  writeFileSync(properties, serverProperties(ports, { ...o.settings, 'log.dirs': basename(unfinished) }, o.joins))
  const clusterId = o.joins?.clusterId ?? randomBytes(16).toString('base64url')
  try {
    const tool = ['kafka.tools.StorageTool', 'format', `--cluster-id=${clusterId}`, '-c', basename(properties)]
    await run(o.programs.java, [...sharedClasses(o.programs), ...javaArguments(o.programs), ...tool], {
      cwd: o.directory,
      env: javaEnvironment(),
      timeout: 60_000,
    })
    renameSync(unfinished, final)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    const { stderr } = error as { stderr?: string }
    throw notStarted(o.directory, faultIn(stderr?.split('\n') ?? []) ?? messageOf(error))
  } finally {
    rmSync(properties, { force: true })
  }
}

function spawnBroker(o: KafkaLaunch, ports: KafkaPorts): KafkaProcess {
  const output = openSync(join(o.directory, logFolder, startLog), 'w', 0o600)
  const { classArchive } = o.programs
  const shared = sharedClasses(o.programs)
  // Where there is none this process writes one, at the cost of a slower stop.
  const archive =
    shared.length > 0 ? null : { unfinished: `${classArchive}.${randomBytes(4).toString('hex')}`, final: classArchive }
  const sharing = archive ? [`-XX:ArchiveClassesAtExit=${archive.unfinished}`] : shared
  const program = [`-Dlog4j2.configurationFile=${log4jFile}`, 'kafka.Kafka', propertiesFile]
  // A process group of its own: Ctrl-C in the terminal must not end the broker under services that still drain.
  const child = spawn(o.programs.java, [...sharing, ...javaArguments(o.programs), ...program], {
    cwd: o.directory,
    env: javaEnvironment(),
    stdio: ['ignore', output, output],
    detached: true,
  })
  closeSync(output)
  const pid = child.pid ?? 0
  const started: StartedProcess = { pid, identity: identityOf(pid), ports }
  writeFileSync(join(o.directory, processFile), JSON.stringify(started), { mode: 0o600 })
  return { pid, ports, exit: exitOf(child), archive }
}

/** With the archive of classes a start takes half the time. */
function sharedClasses({ classArchive }: KafkaPrograms): string[] {
  return existsSync(classArchive) ? [`-XX:SharedArchiveFile=${classArchive}`] : []
}

function javaArguments({ lib }: KafkaPrograms): string[] {
  return [...javaOptions, '-cp', join(lib, '*')]
}

/** Not the whole environment: options for other Java programs must not change this one. */
function javaEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
}

/** True once the cluster is described; false when the process ended or the time is over. */
async function isReady(directory: string, { pid, ports }: KafkaProcess): Promise<boolean> {
  const itself = { clusterId: clusterIdOf(directory), port: advertisedPortOf(directory) }
  let ready = false
  await waitUntil(async () => {
    ready = isAlive(pid) && (await answersAsKafka(ports.broker, itself))
    return ready || !isAlive(pid)
  }, readyMs)
  return ready
}

/** The id that the log was formatted with; empty when there is none, and then no broker is ours. */
export function clusterIdOf(directory: string): string {
  const lines = linesOf(join(directory, logDirectory, 'meta.properties'))
  return lines.find((line) => line.startsWith('cluster.id='))?.slice('cluster.id='.length) ?? ''
}

/** Where the broker says that it is found: its own port, unless settings place something in front of it. */
function advertisedPortOf(directory: string): number {
  const line = linesOf(join(directory, propertiesFile)).find((one) => one.startsWith('advertised.listeners='))
  return Number(line?.slice(line.lastIndexOf(':') + 1))
}

/** Whether a broker that ended found a port of its own taken: it says so hundreds of lines before its last one. */
export function foundPortTaken(lines: string[]): boolean {
  return lines.some((line) => /^(Caused by: )?java\.net\.BindException: Address already in use/.test(line))
}

/** Why a start came to nothing: how the process ended (null: it lives) and what it wrote. */
export function whyNotReady(exit: Exit | null, lines: string[]): string {
  const last = faultIn(lines) ?? `the last line of its log: ${lines.at(-1)?.slice(0, 300) ?? 'none'}`
  if (exit === null) return `it was not ready within ${readyMs / 1_000} s; ${last}`
  return `it ended by ${exit.signal ?? `status ${exit.code ?? 'unknown'}`}; ${last}`
}

/** The last line that names a fault: Kafka's own words, without a stack. */
function faultIn(lines: string[]): string | undefined {
  const faults = lines.filter((line) => /^\S/.test(line) && /\b(ERROR|FATAL)\b|Exception|^Error|error:/.test(line))
  return faults.at(-1)?.slice(0, 300).replace(/\.$/, '')
}

function portTaken(port: number): LocalInfraError {
  return new LocalInfraError(`Port ${port} is taken by another program; stop it or choose another port.`)
}

function notStarted(directory: string, reason: string): LocalInfraError {
  return new LocalInfraError(`Kafka did not start with the data in ${directory}: ${reason}.`)
}

/** Leftovers of processes that were killed while they formatted. */
function removeUnfinished(final: string): void {
  const prefix = `${basename(final)}.format-`
  for (const name of readdirSync(dirname(final)).filter((entry) => entry.startsWith(prefix))) {
    if (!isAlive(Number(name.slice(prefix.length))))
      rmSync(join(dirname(final), name), { recursive: true, force: true })
  }
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}
