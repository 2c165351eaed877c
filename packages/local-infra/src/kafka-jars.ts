// Finds Java and the jars of Apache Kafka, which Maven fetches once for each version of kafka/pom.xml. It never fetches
// without saying so and never leaves half a set of jars under the final name.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { isAlive } from './process-liveness.ts'

const run = promisify(execFile)

/** What a broker is run with. */
export interface KafkaPrograms {
  /** Path or name of the `java` program. */
  java: string
  /** Folder with the jars. */
  lib: string
  /** Class archive of this Java and this Kafka; it exists only after a broker without it was stopped cleanly. */
  classArchive: string
}

interface FindOptions {
  onNotice: (line: string) => void
  /** `~/.cache/wds-local` unless told. */
  cacheDirectory?: string
  signal?: AbortSignal
}

const pom = join(import.meta.dirname, '../kafka/pom.xml')
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const javaLeast = 17
const fetchMs = 300_000
const elsewhere = 'set KAFKA_BROKERS to a running Kafka instead'

/** `$XDG_CACHE_HOME/wds-local`, by default `~/.cache/wds-local`. */
function defaultCacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wds-local')
}

/**
 * Java 17 or newer, and the jars from the cache or from Maven; `onNotice` hears of a fetch, an aborted `signal` ends it.
 * @throws LocalInfraError when Java is missing or too old, or the jars are not cached and cannot be fetched.
 */
export async function findKafka(o: FindOptions): Promise<KafkaPrograms> {
  const { java, version } = await findJava()
  const hash = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12)
  const folder = join(o.cacheDirectory ?? defaultCacheDirectory(), `kafka-${hash}`)
  if (!existsSync(folder)) await fetchJars(folder, o)
  return { java, lib: join(folder, 'lib'), classArchive: join(folder, `java-${version}.jsa`) }
}

async function findJava(): Promise<{ java: string; version: string }> {
  const home = process.env.JAVA_HOME
  const java = home ? join(home, 'bin/java') : 'java'
  const said = await run(java, ['-version'], { timeout: 20_000, env: process.env }).catch(
    (error: NodeJS.ErrnoException) => {
      const where = home ? `in JAVA_HOME (${home})` : 'on the path'
      throw new LocalInfraError(`No Java that runs was found ${where}: install Java ${javaLeast}, or ${elsewhere}.`, {
        cause: error,
      })
    },
  )
  // It prints to standard error: openjdk version "17.0.15" 2025-04-15
  const version = /version "([^"]+)"/.exec(said.stderr)?.[1] ?? ''
  if (Number.parseInt(version, 10) < javaLeast || version === '') {
    const found = version || 'of an unknown version'
    throw new LocalInfraError(`Kafka needs Java ${javaLeast} and this is Java ${found}: install it, or ${elsewhere}.`)
  }
  return { java, version }
}

/** Maven reads the person's own settings, so mirrors and proxies are theirs. */
async function fetchJars(folder: string, o: FindOptions): Promise<void> {
  const unfinished = `${folder}.fetch-${process.pid}`
  try {
    mkdirSync(join(folder, '..'), { recursive: true, mode: 0o700 })
    removeUnfinished(folder)
    mkdirSync(unfinished)
    copyFileSync(pom, join(unfinished, 'pom.xml'))
    o.onNotice(`fetching Apache Kafka's jars with Maven into ${folder} (43 MB, once)`)
    const what = ['-q', '-B', copyDependencies, '-DincludeScope=runtime', '-DoutputDirectory=lib']
    await run(process.platform === 'win32' ? 'mvn.cmd' : 'mvn', what, {
      cwd: unfinished,
      env: process.env,
      timeout: fetchMs,
      signal: o.signal,
    })
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster: its jars are as good.
    if (existsSync(folder)) return
    throw new LocalInfraError(`Kafka's jars cannot be fetched: ${reasonOf(error)}; ${elsewhere}.`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const { code, stdout, stderr, killed } = error as {
    code?: unknown
    stdout?: string
    stderr?: string
    killed?: boolean
  }
  if (code === 'ENOENT') return 'Maven (mvn) is not installed'
  if (code === 'ABORT_ERR') return 'the start was called off'
  if (killed) return `Maven was not done within ${fetchMs / 60_000} minutes`
  const lines = stripVTControlCharacters(`${stdout ?? ''}\n${stderr ?? ''}`).split('\n')
  const said = lines.find((line) => /^(\[ERROR\]|Error:)\s*\S/.test(line))
  if (said) return `Maven says: ${said.replace(/^(\[ERROR\]|Error:)\s*/, '').slice(0, 300)}`
  return messageOf(error).split('\n', 1)[0] as string
}

/** Leftovers of processes that were killed while they fetched. */
function removeUnfinished(folder: string): void {
  const parent = join(folder, '..')
  for (const name of readdirSync(parent)) {
    const pid = Number(/\.fetch-(\d+)$/.exec(name)?.[1] ?? 0)
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}
