// What an image lacks of what its service loads, by the sources and manifests it is made from (deploy/docker/assemble.ts): the packages
// that none of the production dependencies brings, and the entries that have no compiled module.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  name: string
  exports?: Record<string, { compiled?: string; default?: string }>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Goes with the types. */
const ofTypes = /^(?:import|export) type (?:\{[^}]*\}|\w+|\* as \w+) from '[^']*'/gm
const besides = /'(\.{1,2}\/[^'\n]*\.ts)'/g
const entries = /'(@wds\/[a-z-]+)\/([a-z0-9/-]+)'/g
const ofOthers =
  /(?:^import |^(?:import|export) [\w$*{},\s]*? from |\bimport\()'((?:@(?!wds\/)[^'/]+\/)?[a-z][^'/:]*)(?:\/[^']*)?'/gm
/** Names under which a source has what `createRequire` gives: it loads with them, or asks where something lies. */
const loaders = /\bconst (\w+) = createRequire\(/g
const loadedBy = (loader: string) =>
  new RegExp(`\\b${loader}(?:\\.resolve)?\\('((?:@(?!wds/)[^'/]+/)?[a-z][^'/:]*)(?:/[^']*)?'`, 'g')

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** A line for each fault. `begins`: paths of sources, as `services/api/src/main.ts`, and entries, as `@wds/telemetry/preload`. */
export function lacksOf(repository: string, begins: readonly string[]): { lacks: string[]; modules: number } {
  const own = new Map(
    globSync('packages/*/package.json', { cwd: repository }).map((path) => {
      const folder = join(repository, dirname(path))
      return [manifestOf(folder).name, folder] as const
    }),
  )
  const lacks = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return
    seen.add(path)
    const folder = path.slice(0, path.lastIndexOf('/src/'))
    const manifest = manifestOf(folder)
    const brought = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }
    const need = (name: string) => {
      if (name !== manifest.name && !(name in brought))
        lacks.add(`${manifest.name} loads ${name}, which is none of its dependencies`)
    }
    const text = readFileSync(path, 'utf8').replaceAll(ofTypes, '')
    for (const [, beside = ''] of text.matchAll(besides)) visit(join(dirname(path), beside))
    const ways = [ofOthers, ...Array.from(text.matchAll(loaders), ([, loader = '']) => loadedBy(loader))]
    for (const way of ways) for (const [, name = ''] of text.matchAll(way)) need(name)
    for (const [, name = '', entry = ''] of text.matchAll(entries)) {
      if (!own.has(name)) continue
      need(name)
      visitEntry(name, entry)
    }
  }
  const visitEntry = (name: string, entry: string): void => {
    const folder = own.get(name) ?? ''
    const { compiled = 'nothing', default: source = '' } = manifestOf(folder).exports?.[`./${entry}`] ?? {}
    if (compiled !== source.replace('/src/', '/dist/').replace(/\.ts$/, '.js'))
      lacks.add(`${name}/${entry} is ${compiled} in an image and ${source} elsewhere`)
    visit(join(folder, source))
  }
  for (const begin of begins) {
    const [, name = '', entry = ''] = /^(@[^/]+\/[^/]+)\/(.*)$/.exec(begin) ?? []
    if (name === '') visit(join(repository, begin))
    else visitEntry(name, entry)
  }
  return { lacks: [...lacks], modules: seen.size }
}
