// One name for one state of files, wherever they were checked out.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * 16 hexadecimal digits that change with the path or content of any file of `patterns`, which are globs below `root`. Tests among them do
 * not count: nothing is made from them.
 */
export function digestOfSources(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const paths = new Set(globSync([...patterns], { cwd: root }).map((path) => path.split(sep).join('/')))
  for (const path of [...paths].sort()) {
    const file = join(root, path)
    if (statSync(file).isFile() && !path.endsWith('.test.ts'))
      hash.update(path).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}
