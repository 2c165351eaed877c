/** The commit that a report is of. */
import { execFileSync } from 'node:child_process'

/** Short; `unknown` where there is no repository, or none that git reads as this user. */
export function currentCommit(folder: string = import.meta.dirname): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}
