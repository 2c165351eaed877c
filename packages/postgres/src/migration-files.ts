// Reads folders of SQL: migrations, which run once, and functions of the database, which are applied again when they change.
// It decides their order and refuses malformed ones. It never touches a database.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** One file, its placeholders filled in. */
export interface SqlFile {
  /** As it is recorded: `0001-log.sql`, `functions/settle.sql`. */
  name: string
  sql: string
}

/** A migration. */
export interface MigrationFile extends SqlFile {
  /** True when the file says that it breaks processes of the version before. */
  breaking: boolean
}

/** A file that makes one function of the schema. */
export interface FunctionFile extends SqlFile {
  /** The function's name: that of the file. */
  functionName: string
  /** SHA-256 of `sql`, hex. */
  hash: string
}

/** What one folder holds, both sorted by name. */
export interface SqlFolder {
  migrations: MigrationFile[]
  functions: FunctionFile[]
}

/** The first line that every migration has (style.md 25). */
const firstLine = /^-- breaking: (no|yes, because \S.*)$/

/**
 * The folders in the order given. Throws when two files share a name, a first line is missing, a placeholder is unknown or a
 * folder cannot be read.
 */
export async function readSqlFolders(directories: URL[], placeholders: Record<string, string>): Promise<SqlFolder[]> {
  const folders: SqlFolder[] = []
  const seen = new Set<string>()
  for (const directory of directories) {
    const files = await readSqlFiles(directory, '', placeholders)
    const functions = await readSqlFiles(directory, 'functions/', placeholders)
    for (const { name } of [...files, ...functions]) {
      if (seen.has(name)) throw new Error(`Two files are named ${name}.`)
      seen.add(name)
    }
    const numbers = files.map(({ name }) => name.split('-', 1)[0])
    const twice = numbers.find((number, n) => numbers.indexOf(number) !== n)
    if (twice) throw new Error(`Two migrations of ${directory.pathname} have the number ${twice}.`)
    folders.push({ migrations: files.map(toMigration), functions: functions.map(toFunction) })
  }
  return folders
}

async function readSqlFiles(
  directory: URL,
  folder: '' | 'functions/',
  placeholders: Record<string, string>,
): Promise<SqlFile[]> {
  const place = new URL(folder, directory)
  if (folder !== '' && !existsSync(place)) return []
  const entries = (await readdir(place)).filter((entry) => entry.endsWith('.sql')).sort()
  return await Promise.all(
    entries.map(async (entry) => {
      const name = `${folder}${entry}`
      return { name, sql: fillIn(name, await readFile(new URL(entry, place), 'utf8'), placeholders) }
    }),
  )
}

function fillIn(name: string, text: string, placeholders: Record<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, key: string) => {
    const value = placeholders[key]
    if (value === undefined) throw new Error(`${name}: unknown placeholder \${${key}}.`)
    return value
  })
}

function toMigration({ name, sql }: SqlFile): MigrationFile {
  const opening = firstLine.exec(sql.split('\n', 1)[0]?.trimEnd() ?? '')
  if (!opening) {
    throw new Error(`${name}: the first line must be "-- breaking: no" or "-- breaking: yes, because …".`)
  }
  return { name, sql, breaking: opening[1] !== 'no' }
}

function toFunction({ name, sql }: SqlFile): FunctionFile {
  const functionName = name.slice('functions/'.length, -'.sql'.length).replaceAll('-', '_')
  return { name, sql, functionName, hash: createHash('sha256').update(sql).digest('hex') }
}
