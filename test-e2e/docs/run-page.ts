/** Does what a page says, as its reader would: in an empty folder, with a shell for each terminal, block by block. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { differenceOf } from '../../packages/docs/src/pages/compare-output.ts'
import { readPage, type Step } from '../../packages/docs/src/pages/read-page.ts'
import { eventually, exitOf } from '../harness/standalone.ts'

export interface PageOptions {
  /** What the page says that its reader has in the terminal. */
  env: Record<string, string>
  /** In commands, files and outputs: texts that are another here. */
  instead?: Record<string, string>
  /** What the page's reader starts listens on port 3000; here on this one. */
  port?: number
  /** Does by other means what a block says; true where it has. */
  by?: (step: Step) => Promise<boolean>
  /** Does one line of what the page has its reader do in a browser. */
  browse?: (line: string) => Promise<void>
}

/** Runs all of it and leaves nothing behind. Throws Error with the line of the block that did not do what the page says. */
export async function runPage(markdown: string, o: PageOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wds page '))
  const terminals = new Map<string, Terminal>()
  const terminalOf = (name: string) => {
    const terminal = terminals.get(name) ?? new Terminal(folder, o.env)
    terminals.set(name, terminal)
    return terminal
  }
  try {
    for (const step of readPage(replaced(markdown, o))) {
      if (await o.by?.(step)) continue
      try {
        await carryOut(step, folder, terminalOf, o.browse)
      } catch (error) {
        throw new Error(`line ${step.line}: ${(error as Error).message}`)
      }
    }
  } finally {
    for (const terminal of terminals.values()) await terminal.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Where 3000 is a port: in an address, of what listens, and as `port 3000`. Elsewhere it is a number of something else. */
const portOfReader = /(?<=(?:localhost|127\.0\.0\.1)"?[:,] ?|\blisten\(|\bhttp\.server |\bport )3000\b/g

function replaced(markdown: string, { instead = {}, port = 3000 }: PageOptions): string {
  const text = markdown.replaceAll(portOfReader, String(port))
  return Object.entries(instead).reduce((result, [from, to]) => result.replaceAll(from, to), text)
}

async function carryOut(
  step: Step,
  folder: string,
  terminalOf: (name: string) => Terminal,
  browse?: PageOptions['browse'],
): Promise<void> {
  if (step.kind === 'browse') {
    if (browse === undefined) throw new Error('nobody is here to use a browser')
    for (const line of step.lines) await browse(line)
    return
  }
  if (step.kind === 'save') return writeFileSync(join(folder, step.name), step.text)
  const terminal = terminalOf(step.terminal)
  if (step.kind === 'run')
    return step.terminal === 'main' ? terminal.run(step.commands) : terminal.leaveRunning(step.commands)
  if (step.terminal === 'main') {
    const difference = differenceOf(step.text, terminal.printed)
    if (difference !== null) throw new Error(difference)
    return
  }
  await eventually(`the terminal ${step.terminal} shows what the page says`, async () => {
    const difference = differenceOf(step.text, terminal.printed)
    if (difference !== null) throw new Error(difference)
    return true
  })
}

class Terminal {
  /** Of the last block; of a terminal whose commands go on: since they began. */
  printed = ''
  readonly #folder: string
  readonly #env: Record<string, string>
  #shell: ChildProcess | null = null
  #complaints = ''

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder
    this.#env = env
  }

  /** To the end of the block, which must be status 0 and nothing on standard error. */
  async run(commands: string): Promise<void> {
    this.#shell ??= this.#open(['-s'])
    this.printed = ''
    const end = `end-of-block-${Math.random()}`
    this.#shell.stdin?.write(`${commands}\nprintf '\\n%s %s\\n' "$?" ${end}\n`)
    const found = await eventually('the commands end', async () => {
      if (this.#shell?.exitCode !== null) throw new Error(`the shell has ended: ${this.#complaints}`)
      return new RegExp(`\n(\\d+) ${end}\n`).exec(this.printed)
    })
    this.printed = this.printed.slice(0, found.index)
    if (found[1] !== '0' || this.#complaints !== '') {
      throw new Error(`status ${found[1]}: ${this.#complaints}${this.printed}`)
    }
  }

  /** Ends what ran here before. */
  async leaveRunning(commands: string): Promise<void> {
    await this.end()
    this.printed = ''
    this.#shell = this.#open(['-c', commands])
  }

  /** As Ctrl-C does it: all of the group. */
  async end(): Promise<void> {
    const shell = this.#shell
    this.#shell = null
    if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return
    const exited = exitOf(shell)
    shell.stdin?.end()
    process.kill(-shell.pid, 'SIGINT')
    // A shell that waits for commands does not end by Ctrl-C, but with its input.
    await exited
  }

  #open(args: string[]): ChildProcess {
    const env = { ...process.env, ...this.#env }
    const shell = spawn('sh', args, { cwd: this.#folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    shell.stdout?.on('data', (chunk) => {
      this.printed += String(chunk)
    })
    shell.stderr?.on('data', (chunk) => {
      this.#complaints += String(chunk)
    })
    return shell
  }
}
