// Reads a secret from a file. A file that cannot be used is told by the name of its setting, never by its path or content.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** A text that was given for a setting, or why it cannot be had: a sentence that names the setting. */
export type GivenText = { ok: true; text: string } | { ok: false; fault: string }

/** The text of a file that other users may not read, without the white space at its ends. Its group may: mounted secrets are 0440. */
export function readSecretText(setting: string, path: string): GivenText {
  const refused = (reason: string): GivenText => ({ ok: false, fault: `the file of ${setting} ${reason}` })
  let file: number
  try {
    // A pipe would otherwise be waited for until somebody writes to it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return refused(`cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return refused('is not a file')
    if (process.platform !== 'win32' && (stat.mode & 0o037) !== 0) return refused('is open to other users')
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? refused('is empty') : { ok: true, text }
  } finally {
    closeSync(file)
  }
}
