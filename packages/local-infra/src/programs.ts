// Finds programs of the machine by their names.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of the names that is a program on the path, names before folders. */
export function programOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
