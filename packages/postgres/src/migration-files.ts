// Reads migration files: which there are, in which order, with what SQL. It never touches a database.
import { readdir, readFile } from 'node:fs/promises'

/** One migration, its placeholders filled in. */
export interface MigrationFile {
  name: string
  /** True when the file says that it breaks processes of the version before. */
  breaking: boolean
  sql: string
}

/** The first line that every file has (style.md 25). */
const firstLine = /^-- breaking: (no|yes, because \S.*)$/

/**
 * Files of all directories, sorted by name. Throws when two share a name, a first line is missing, a placeholder is
 * unknown or a directory cannot be read.
 */
export async function readMigrationFiles(
  directories: URL[],
  placeholders: Record<string, string>,
): Promise<MigrationFile[]> {
  const files: MigrationFile[] = []
  const seen = new Set<string>()
  for (const directory of directories) {
    for (const name of (await readdir(directory)).filter((entry) => entry.endsWith('.sql'))) {
      if (seen.has(name)) throw new Error(`Two migrations are named ${name}.`)
      seen.add(name)
      files.push(parse(name, await readFile(new URL(name, directory), 'utf8'), placeholders))
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function parse(name: string, text: string, placeholders: Record<string, string>): MigrationFile {
  const opening = firstLine.exec(text.split('\n', 1)[0]?.trimEnd() ?? '')
  if (!opening) {
    throw new Error(`${name}: the first line must be "-- breaking: no" or "-- breaking: yes, because …".`)
  }
  const sql = text.replace(/\$\{(\w+)\}/g, (_, key: string) => {
    const value = placeholders[key]
    if (value === undefined) throw new Error(`${name}: unknown placeholder \${${key}}.`)
    return value
  })
  return { name, breaking: opening[1] !== 'no', sql }
}
