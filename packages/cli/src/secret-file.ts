// Secrets come from files: what stands on a command line is seen by others.
import { readFileSync } from 'node:fs'

/** The text without the line end behind it. Throws where it cannot be read. */
export function readSecretFile(path: string): string {
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
}
