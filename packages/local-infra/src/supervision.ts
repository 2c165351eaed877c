// Watches one server process: tells of a crash, starts it again with backoff and gives up at the third crash within a
// minute. It never starts anything once `stop` was called.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { identityOf, isAlive } from './process-liveness.ts'
import type { Exit } from './server-exit.ts'

/** What a listener hears when the server ended by itself. */
export interface ServerCrash {
  code: number | null
  signal: string | null
  /** The last 50 lines of its log. */
  lastLines: string[]
  /** False after the third crash within a minute: then it stays down. */
  restarting: boolean
}

/** How one kind of server is started, ended and read. */
export interface Supervised<P extends { exit: Promise<Exit> }> {
  /** Starts it on the address that its clients know, or fails. */
  launch(): Promise<P>
  /** Ends it; harmless when it is gone. */
  end(process: P): Promise<void>
  lastLines(): string[]
}

const crashesMax = 3
const crashWindowMs = 60_000
const backoffMs = 250
const supervisorFile = 'wds-supervisor'

/** One running server and its restarts. */
export class Supervision<P extends { exit: Promise<Exit> }> {
  readonly #server: Supervised<P>
  readonly #onCrash: (crash: ServerCrash) => void
  #running: P
  #crashes: number[] = []
  #restarting: Promise<void> | null = null
  #stopping: Promise<void> | null = null

  constructor(server: Supervised<P>, running: P, onCrash: (crash: ServerCrash) => void) {
    this.#server = server
    this.#running = running
    this.#onCrash = onCrash
    this.#watch()
  }

  /** What runs now, or ran last. */
  get running(): P {
    return this.#running
  }

  /** Ends it; a second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    // A restart under way sees that we stop and ends soon; what it started is ended below.
    await this.#restarting
    await this.#server.end(this.#running)
  }

  #watch(): void {
    this.#running.exit.then(
      (exit) => this.#onExit(exit),
      () => undefined,
    )
  }

  #onExit(exit: Exit): void {
    if (this.#stopping) return
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter((at) => now - at < crashWindowMs), now]
    const restarting = this.#crashes.length < crashesMax
    this.#onCrash({ code: exit.code, signal: exit.signal, lastLines: this.#server.lastLines(), restarting })
    if (restarting) this.#restarting = this.#restart()
  }

  async #restart(): Promise<void> {
    await sleep(backoffMs * 2 ** (this.#crashes.length - 1))
    if (this.#stopping) return
    try {
      this.#running = await this.#server.launch()
      this.#watch()
    } catch {
      // The log says why; a start that fails counts as a crash of its own.
      this.#onExit({ code: null, signal: null })
    }
  }
}

/** Two supervisors of one server would stop it under each other. `what` names the server in the refusal. */
export function claimSupervision(directory: string, what: string): void {
  const path = join(directory, supervisorFile)
  const other = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  const pid = Number(other.split(' ', 1)[0])
  if (pid > 0 && pid !== process.pid && isAlive(pid) && identityOf(pid) === other) {
    throw new LocalInfraError(`Process ${pid} already runs the ${what} of ${directory}; stop that process first.`)
  }
  try {
    writeFileSync(path, `${identityOf(process.pid)}\n`, { mode: 0o600 })
  } catch (error) {
    throw new LocalInfraError(`The data folder ${directory} cannot be used: ${messageOf(error)}.`, { cause: error })
  }
}

/** Gives the data back to whoever starts next. */
export function releaseSupervision(directory: string): void {
  rmSync(join(directory, supervisorFile), { force: true })
}
