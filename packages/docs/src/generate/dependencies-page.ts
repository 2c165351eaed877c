// The list of direct dependencies that security.md 6 asks for: those of the images, with reason, licence, keeper and weight. Versions, licences
// and weights are read from the packages as they are installed.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Reason, reasons } from './dependency-reasons.ts'
import { page, table } from './markdown.ts'

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** One direct dependency of an image. */
export interface Direct {
  name: string
  version: string
  license: string
  /** Our packages that name it. */
  by: string[]
  /** Of the package itself. */
  bytes: number
  /** How many others it brings, those left out that only some machines have. */
  brings: number
}

/** Of the console's development dependencies these bundle the pages; all others are bundled into them. */
const bundlers = /^(?:vite$|@types\/|@wds\/)/

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Every direct dependency of the images, by name: what the services name, and our packages that they consist of. */
export function directDependencies(root: URL): Direct[] {
  const found = new Map<string, Direct>()
  const seen = new Set<string>()
  const visit = (folder: string, isPages: boolean): void => {
    if (seen.has(folder)) return
    seen.add(folder)
    const { name: by, dependencies = {}, devDependencies = {} } = manifestOf(folder)
    const bundled = isPages ? Object.keys(devDependencies).filter((name) => !bundlers.test(name)) : []
    for (const name of [...Object.keys(dependencies), ...bundled]) {
      const at = realpathSync(join(folder, 'node_modules', name))
      if (name.startsWith('@wds/')) visit(at, false)
      else found.set(name, withUser(found.get(name) ?? describe(at), by.replace('@wds/', '')))
    }
  }
  const services = fileURLToPath(new URL('services', root))
  for (const service of readdirSync(services)) {
    // Of a service of another branch its installed packages stay behind.
    if (existsSync(join(services, service, 'package.json'))) visit(join(services, service), service === 'console')
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const withUser = (one: Direct, by: string): Direct => ({ ...one, by: [...new Set([...one.by, by])].sort() })

function describe(folder: string): Direct {
  const { name, version, license = 'none named' } = manifestOf(folder)
  return { name, version, license, by: [], bytes: bytesOf(folder), brings: broughtBy(folder).size - 1 }
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (file) => file.isFile() && !join(file.parentPath, '/').slice(folder.length).includes('node_modules'),
  )
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

/** Folders of a package and of all that it needs, as pnpm lays them: each beside those that it names. */
function broughtBy(folder: string, seen = new Set<string>()): Set<string> {
  if (seen.has(folder)) return seen
  seen.add(folder)
  const { name, dependencies = {} } = manifestOf(folder)
  const beside = name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder)
  for (const needed of Object.keys(dependencies)) {
    const at = join(beside, needed)
    if (existsSync(at)) broughtBy(realpathSync(at), seen)
  }
  return seen
}

/** What is wrong with the reasons: one that is missing, and one of a package that no image has. */
export function reasonFaults(found: readonly Direct[], given: Readonly<Record<string, Reason>> = reasons): string[] {
  const names = new Set(found.map(({ name }) => name))
  return [
    ...[...names].filter((name) => given[name] === undefined).map((name) => `${name} has no reason`),
    ...Object.keys(given).flatMap((name) => (names.has(name) ? [] : [`${name} is in no image`])),
  ]
}

/** `packages/docs/reference/dependencies.md`. Throws where a dependency has no reason, or a reason no dependency. */
export function dependenciesPage(root: URL): string {
  const found = directDependencies(root)
  const faults = reasonFaults(found)
  if (faults.length > 0) throw new Error(`packages/docs/src/generate/dependency-reasons.ts: ${faults.join('; ')}`)
  const rows = found.map(({ name, version, license, by, bytes, brings }) => [
    `\`${name}\` ${version}`,
    reasons[name]?.why ?? '',
    license,
    reasons[name]?.keeper ?? '',
    `${Math.max(10, Math.round(bytes / 10_240) * 10).toLocaleString('en')} KiB`,
    String(brings),
    by.join(', '),
  ])
  return page(
    '# Dependencies of the images',
    `The ${found.length} packages of others that the images name themselves (\`security.md\` 6), those bundled into the console's pages among them. Weight: the package itself as it is installed, before an image leaves types and texts out; brings: how many others come with it, which may be the same for several. All of them with their licences: [check dependencies](../how-to/check-dependencies.md). Who keeps it is what the installed package says of itself, in its manifest, README, licence and changelog.`,
    'Made by `npm run generate` from the packages and `packages/docs/src/generate/dependency-reasons.ts`; not edited.',
    table(['package', 'why', 'licence', 'kept by', 'weight', 'brings', 'named by'], rows),
  )
}
