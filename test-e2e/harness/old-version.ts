/** The program as it was before the newest migration of the repository: what runs beside the new one during an upgrade. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './standalone.ts'

const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()

export interface OldVersion {
  commit: string
  /** Its sources, with the dependencies of the present ones. */
  root: string
}

/** In a folder of its own, which the caller removes; null where the history of the repository is not here. */
export function checkOutOldVersion(): OldVersion | null {
  const commit = commitBeforeMigration()
  if (commit === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'wds-old-version-'))
  const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 29 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const group of ['services', 'packages', 'deploy'])
    for (const name of readdirSync(join(folder, group))) {
      const modules = join(group, name, 'node_modules')
      // Links into the tree beside them, so those of the copy lead into the copy.
      if (existsSync(join(root, modules)))
        cpSync(join(root, modules), join(folder, modules), { recursive: true, verbatimSymlinks: true })
    }
  return { commit, root: folder }
}

function commitBeforeMigration(): string | null {
  try {
    const paths = [':(glob)services/*/src/migrations/*.sql', ':(glob)packages/*/src/migrations/*.sql']
    const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', ...paths)
    return git('rev-parse', '--verify', `${added}^`)
  } catch {
    return null
  }
}
