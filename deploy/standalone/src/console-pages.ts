/** Builds the console's pages where they are missing or older than their sources. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../../services/console/src/build.ts')

/** Resolves with the folder that holds them. @throws StartError when the build fails. */
export async function buildPages(o: { signal: AbortSignal }): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [program], { signal: o.signal })
    return stdout.trim()
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    throw new StartError(`the console's pages cannot be built: ${stderr.trim() || String(error)}`)
  }
}
