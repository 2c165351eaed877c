// Writes what the images consist of: a CycloneDX document for each service, made by pnpm from the lockfile and the store, and one list of
// licences over all of them. `npm run sbom -- <folder>`
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { imageServices } from './image-services.ts'

const repository = join(import.meta.dirname, '../..')

/** The documents, and what each is made of. The console's pages are bundled from development dependencies, beside those that bundle them. */
const filters: Readonly<Record<string, readonly [part: string, filter: string]>> = {
  ...Object.fromEntries(imageServices(repository).map((name) => [name, ['--prod', `@wds/${name}`] as const])),
  'console-pages': ['--dev', '@wds/console'],
}

export interface Component {
  group?: string
  name: string
  version: string
  purl: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
  externalReferences?: { type: string; hashes?: { alg: string; content: string }[] }[]
}

/** As npm names it, with its version. */
export const packageOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? '' : `${group}/`}${name}@${version}`

/** What the package says of itself, an expression of SPDX where it is one; undefined where it says nothing. */
export const licenseOf = ({ licenses = [] }: Component): string | undefined =>
  licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(' AND ') || undefined

/** Our own packages, which are under the licence of the repository. */
export const isOurs = ({ group }: Component): boolean => group === '@wds'

/** Writes the document of that name and gives the components in it. */
export function writeSbom(name: string, folder: string): Component[] {
  const { pnpm } = (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { config: { pnpm: string } })
    .config
  const found = filters[name]
  if (found === undefined) throw new Error(`there is no document ${name}`)
  const [part, filter] = found
  const file = join(folder, `${name}.cdx.json`)
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', part, '--filter', filter]
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit']
  execFileSync('npx', ['--yes', `pnpm@${pnpm}`, ...words, '--out', file], { cwd: repository, stdio })
  return (JSON.parse(readFileSync(file, 'utf8')) as { components: Component[] }).components
}

/** Packages of others by what they say of their licence. */
function licensesOf(components: Component[]): string {
  const packages = Map.groupBy(
    components.filter((one) => !isOurs(one)),
    (one) => licenseOf(one) ?? 'none named',
  )
  const list = (all: Component[]) => [...new Set(all.map((one) => `  ${packageOf(one)}\n`))].sort().join('')
  return [...packages.keys()]
    .sort()
    .map((license) => `${license}\n${list(packages.get(license) ?? [])}`)
    .join('\n')
}

if (import.meta.main) {
  const [folder, ...others] = process.argv.slice(2)
  if (folder === undefined || others.length > 0) {
    process.stderr.write('usage: npm run sbom -- <folder>\n')
    process.exitCode = 2
  } else {
    mkdirSync(folder, { recursive: true })
    const components = Object.keys(filters).flatMap((name) => writeSbom(name, resolve(folder)))
    writeFileSync(join(folder, 'licenses.txt'), licensesOf(components))
  }
}
