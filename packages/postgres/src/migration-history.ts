// What was applied to a schema, as it is recorded there, and what of the files it lacks.
import pg from 'pg'
import type { FunctionFile, SqlFolder } from './migration-files.ts'

/** The tables in each schema that hold the history. */
export const historyTables = { migrations: 'migrations', functions: 'applied_functions' } as const

export interface History {
  migrations: Set<string>
  /** Hashes by the name of the file, the one in force last. */
  functions: Map<string, string[]>
}

/** Empty where nothing was ever applied. Fails with 42501 for a role that may not read it. */
export async function readHistory(client: pg.Client, schema: string): Promise<History> {
  const history: History = { migrations: new Set(), functions: new Map() }
  const table = (name: string) => `${pg.escapeIdentifier(schema)}.${name}`
  const { rows: found } = await client.query(
    'select to_regclass($1) is not null as m, to_regclass($2) is not null as f',
    [table(historyTables.migrations), table(historyTables.functions)],
  )
  if (found[0]?.m) {
    const { rows } = await client.query<{ name: string }>(`select name from ${table(historyTables.migrations)}`)
    for (const { name } of rows) history.migrations.add(name)
  }
  if (found[0]?.f) {
    const { rows } = await client.query<{ name: string; hash: string }>(
      `select name, hash from ${table(historyTables.functions)} order by id`,
    )
    for (const { name, hash } of rows) history.functions.set(name, [...(history.functions.get(name) ?? []), hash])
  }
  return history
}

/** Functions of which another text is in force. */
export function changedFunctions(functions: FunctionFile[], history: History): FunctionFile[] {
  return functions.filter(({ name, hash }) => history.functions.get(name)?.at(-1) !== hash)
}

/**
 * Names of what was never applied, migrations first. A function that newer code has replaced is not among them: old and new
 * processes run side by side during a rollout.
 */
export function missingFiles(folders: SqlFolder[], history: History): string[] {
  const migrations = folders.flatMap((folder) => folder.migrations)
  const functions = folders.flatMap((folder) => folder.functions)
  return [
    ...migrations.filter(({ name }) => !history.migrations.has(name)),
    ...functions.filter(({ name, hash }) => !history.functions.get(name)?.includes(hash)),
  ].map(({ name }) => name)
}

/** Throws when the schema holds migrations that the files do not: another version made it, and nothing of it is touched. */
export function refuseForeignHistory(schema: string, folders: SqlFolder[], history: History): void {
  const known = new Set(folders.flatMap(({ migrations }) => migrations.map(({ name }) => name)))
  const [first, ...more] = [...history.migrations].filter((name) => !known.has(name)).sort()
  if (first === undefined) return
  throw new Error(
    `the schema ${schema} was made by another version, whose migration ${first}${more.length > 0 ? ` and ${more.length} more` : ''} ` +
      'this one does not have; nothing was changed. Run the version that made it, or begin anew with an empty database ' +
      '(npm start -- --fresh)',
  )
}
