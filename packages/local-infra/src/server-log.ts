// Reads the end of the server's own log. Postgres rotates it itself, one file per weekday, so that it goes on when the
// process that started it is gone; a week later a file is written anew.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the log, inside the data directory. */
export const logFolder = 'log'

/** What Postgres says before its own log is open; emptied at every start. */
export const startLog = 'start.log'

/** Settings that make Postgres write and rotate the log. */
export const logSettings: Record<string, string> = {
  logging_collector: 'on',
  log_directory: logFolder,
  log_filename: 'postgres-%a.log',
  log_file_mode: '0600',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
}

/** The last lines of the log, oldest first; 50 unless told. */
export function lastLogLines(dataDirectory: string, lines = 50): string[] {
  const folder = join(dataDirectory, logFolder)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((name) => name.startsWith('postgres-'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  return [...files.slice(0, 1), join(folder, startLog)].flatMap((file) => linesOf(file).slice(-lines)).slice(-lines)
}

/** The sentence with which a server that ended gave its reason, or null. */
export function lastFatalLine(dataDirectory: string): string | null {
  const fatal = lastLogLines(dataDirectory).filter((line) => /\b(FATAL|PANIC):/.test(line))
  const last = fatal.at(-1)
  return last ? last.replace(/^.*?(FATAL|PANIC):\s*/, '') : null
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}
