// Which compiled modules a process of an image can load: what begins it, and all that names one from there. Our packages hold more, as
// conformance suites and programs of tests, and none of that belongs on a cluster.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Package {
  name: string
  exports?: Record<string, { compiled?: string }>
}

/** A module beside the one that names it, and one of a package of ours; in whatever it is named. */
const besides = /['"](\.{1,2}\/[^'"\n]*\.js)['"]/g
const ofPackages = /['"](@wds\/[a-z-]+)\/([a-z0-9/-]+)['"]/g

/** Paths of the modules below `dist` of the folders that nothing loads. `begins`: names of modules, as the entry point of an image has them. */
export function unloadedModules(folders: readonly string[], begins: readonly string[]): string[] {
  const packages = folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
    return { ...manifest, folder }
  })
  /** Each copy: pnpm makes one for every set of peers. */
  const facesOf = (name: string, entry: string) =>
    packages.flatMap((one) => {
      const path = one.name === name ? one.exports?.[`./${entry}`]?.compiled : undefined
      return path === undefined ? [] : [join(one.folder, path)]
    })
  const loaded = new Set<string>()
  const waiting = begins.flatMap((begin) => {
    const [, name = '', entry = ''] = /^(@[^/]+\/[^/]+)\/(.*)$/.exec(begin) ?? []
    return begin.startsWith('@') ? facesOf(name, entry) : [begin]
  })
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path) || !existsSync(path)) continue
    loaded.add(path)
    const text = readFileSync(path, 'utf8')
    for (const [, beside = ''] of text.matchAll(besides)) waiting.push(join(dirname(path), beside))
    for (const [, name = '', entry = ''] of text.matchAll(ofPackages)) waiting.push(...facesOf(name, entry))
  }
  return folders
    .flatMap((folder) => globSync('dist/**/*.js', { cwd: folder }).map((path) => join(folder, path)))
    .filter((path) => !loaded.has(path))
}
