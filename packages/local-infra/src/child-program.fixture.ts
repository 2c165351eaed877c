// Programs in processes of their own, whose supervisors a test kills; and waits with a deadline.
import { type ChildProcess, spawn } from 'node:child_process'
import { waitUntil } from './process-liveness.ts'

export interface ChildProgram {
  child: ChildProcess
  /** The first that it wrote; empty where it ended without a word. */
  line: string
  /** What it wrote to its standard error so far. */
  errors(): string
  exited: Promise<number | null>
}

/** Runs a program, as of `node -e`; resolves with its first line. */
export async function inChild(
  program: string,
  o: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<ChildProgram> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...o,
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
    process.stderr.write(chunk)
  })
  const line = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(String(chunk).trim()))
    child.once('exit', () => resolve(''))
  })
  return { child, line, errors: () => errors, exited }
}

/** A module of this folder, as such a program imports it. */
export const moduleUrl = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)

/** @throws Error that says what did not come about. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  deadlineMs: number,
  what: string,
): Promise<void> {
  if (!(await waitUntil(holds, deadlineMs))) throw new Error(`not within ${deadlineMs} ms: ${what}`)
}
