/** Programs of checks that are Go modules. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The program of a Go module, installed once for all runs of this user. */
export function goTool(name: string, module: string): string {
  const folder = join(homedir(), '.cache/wds-local/go', module.replaceAll(/[/@]/g, '_'))
  const file = join(folder, name)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'installing-'))
  try {
    execFileSync('go', ['install', module], { env: { ...process.env, GOBIN: unfinished, GOFLAGS: '' }, stdio: 'pipe' })
    execFileSync('mv', ['-f', join(unfinished, name), file])
  } catch (cause) {
    const instead = name === 'kustomize' ? 'kubectl 1.30 or newer, or ' : ''
    throw new Error(`${module} cannot be installed: the checks need ${instead}Go to install it.`, { cause })
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return file
}
