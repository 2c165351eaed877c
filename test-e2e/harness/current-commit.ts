/** The commit that a report is of. */
import { execFileSync } from 'node:child_process'

/** Short; `unknown` where there is no repository, or none that git reads as this user. */
export function currentCommit(folder: string = import.meta.dirname): string {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] } as const
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
  } catch {
    return 'unknown'
  }
}
