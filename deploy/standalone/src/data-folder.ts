/** The data folder of the standalone: secrets, keys and sample data, all of mode 0600. Never logs what it holds. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

export interface DataFolder {
  path: string
  file(name: string): string
  /** Text of a file of the folder, or null. */
  read(name: string): string | null
  /** Writes whole or not at all, mode 0600. */
  write(name: string, text: string): void
  /** The secret of that name, made at its first use: base64 of 32 random bytes, in a file of its own. */
  secretFile(name: string): string
  /** A stable password for a database role: 32 hex digits of its own for each role. */
  passwordOf(role: string): string
}

/** Step by step: Node's own `recursive` tries for ever where the system says that the parent is not there, though it is (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o711 })
  } catch (error) {
    // Another start may have made it just now.
    if (!existsSync(path)) throw error
  }
}

/** @throws StartError when the folder cannot be made or written. */
export function openDataFolder(path: string): DataFolder {
  try {
    // 0711: Postgres, which never runs as root, must be able to pass through; its own folder and every file here are private.
    makeFolder(path)
    writeFileSync(join(path, '.write-test'), '', { mode: 0o600 })
    rmSync(join(path, '.write-test'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `the data folder ${path} cannot be written (${code ?? 'unknown error'}): set WDS_DATA_DIR to another one`,
    )
  }
  const file = (name: string) => join(path, name)
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null)
  const write = (name: string, text: string) => {
    writeFileSync(`${file(name)}.new`, text, { mode: 0o600 })
    renameSync(`${file(name)}.new`, file(name))
  }
  const secretFile = (name: string) => {
    if (read(name) === null) write(name, `${randomBytes(32).toString('base64')}\n`)
    return file(name)
  }
  const passwordOf = (role: string) => {
    const passwords = new Map<string, string>(Object.entries(JSON.parse(read('database-passwords.json') ?? '{}')))
    const known = passwords.get(role)
    if (known !== undefined) return known
    const made = randomBytes(16).toString('hex')
    passwords.set(role, made)
    write('database-passwords.json', JSON.stringify(Object.fromEntries(passwords)))
    return made
  }
  return { path, file, read, write, secretFile, passwordOf }
}

/** Empties the folder of what this program makes, the database aside. The folder itself stays: it may be a mount point. */
export function forgetAll(data: DataFolder): void {
  for (const name of ownNames) rmSync(data.file(name), { recursive: true, force: true })
}

const ownNames = [
  'compile-cache',
  'logs',
  'database-passwords.json',
  'encryption-key',
  'cursor-key',
  'operator-token',
  'operator.json',
  'sample.json',
  'sample-app.json',
  'migrated',
]
