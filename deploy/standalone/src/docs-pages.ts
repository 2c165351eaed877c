/** The documentation: where it stands for these sources, and its build beside a start, which does not wait for it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const program = join(import.meta.dirname, '../../../packages/docs/src/site/build.ts')

/** The folder that holds it once it is built. @throws StartError when the sources cannot be read. */
export async function docsFolder(o: { signal: AbortSignal }): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--where'], { signal: o.signal })
    return stdout.trim()
  } catch (error) {
    throw new StartError(`the documentation cannot be found: ${String(error)}`)
  }
}

/** Builds it unless it is there. Whatever becomes of that, all else runs. The answer stops it. */
export function buildDocs(folder: string, o: { say(line: string): void }): () => Promise<void> {
  if (existsSync(folder)) return async () => undefined
  const child: ChildProcess = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-2_000)
  })
  const ended = once(child, 'close').then(
    ([code]) => {
      if (code !== null && code !== 0) o.say(`the documentation cannot be built: ${said.trim()}`)
    },
    (error: unknown) => o.say(`the documentation cannot be built: ${String(error)}`),
  )
  return async () => {
    child.kill()
    await ended
  }
}
