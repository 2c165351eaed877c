/** The program as it was last released: what runs beside the present one during an upgrade. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askGit, lastRelease } from '../releases/releases.ts'
import { root } from './standalone.ts'

export interface OldRelease {
  version: string
  commit: string
  /** Its sources, with the dependencies that it had. */
  root: string
  /** Names of the migrations that the present sources have beyond it. */
  migrationsSince: string[]
}

/** In a folder of its own, which the caller removes. @throws Error where the history of the repository is not here. */
export function checkOutLastRelease(): OldRelease {
  const { version, commit } = lastRelease()
  if (askGit('cat-file', '-e', commit) === null)
    throw new Error(
      `the commit of release ${version}, ${commit}, is not in this clone: git fetch --unshallow (or a clone without --depth)`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'wds-old-release-'))
  try {
    const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 29 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const read = (of: string) => readFileSync(join(of, 'pnpm-lock.yaml'), 'utf8')
    if (read(folder) === read(root)) shareDependencies(folder)
    else execFileSync(process.execPath, [join(folder, 'bootstrap.mjs'), 'node', '--version'], { stdio: 'ignore' })
    const had = new Set(migrationsOf(folder))
    return { version, commit, root: folder, migrationsSince: migrationsOf(root).filter((name) => !had.has(name)) }
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

/** Those of the present sources, which are the same: an installation takes half a minute. */
function shareDependencies(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const group of ['services', 'packages', 'deploy'])
    for (const name of readdirSync(join(folder, group))) {
      const modules = join(group, name, 'node_modules')
      // Links into the tree beside them, so those of the copy lead into the copy.
      if (existsSync(join(root, modules)))
        cpSync(join(root, modules), join(folder, modules), { recursive: true, verbatimSymlinks: true })
    }
}

const migrationsOf = (sources: string): string[] =>
  globSync('{services,packages}/*/src/*migrations/*.sql', { cwd: sources }).map((path) => path.split('/').at(-1) ?? '')
