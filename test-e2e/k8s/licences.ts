// What images may be made of, and what the packages that are installed for them say of their licences: read from their own files, in a
// second. The documents of pnpm, which say the same, take ten times as long (images.integration.test.ts, by night).
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Ask no more than that their notices are kept. */
export const permissive = ['MIT', 'Apache-2.0', 'ISC', '0BSD', 'BSD-3-Clause', 'BlueOak-1.0.0', 'PSF-2.0', 'Unlicense']

/** Packages of another licence, each with the reason why it may be there. */
export const exempt: Readonly<Record<string, string>> = {
  '@img/sharp-libvips-linux-x64': 'LGPL: a library of its own, loaded by sharp, that can be replaced',
  'dejavu-fonts-ttf': 'a free licence of Bitstream Vera, kept beside the fonts',
  'png-js': 'MIT, by its file LICENSE; its package.json does not say so',
  lightningcss: 'MPL: bundles the pages, is in no image',
  'lightningcss-linux-x64-gnu': 'MPL: bundles the pages, is in no image',
  'type-fest': 'MIT or CC0: types, in no image',
}

interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  licenses?: { type: string }[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  /** pnpm installs them for whoever does not name them (`autoInstallPeers`). */
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Licences by package, of all that one of the folder's dependencies of that kind loads; our own packages are not named. */
export function licencesBelow(folder: string, kind: 'dependencies' | 'devDependencies'): Map<string, string> {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  const visit = (at: string, names: string[]): void => {
    for (const name of names) {
      const linked = [join(at, 'node_modules', name), join(modulesOf(at), name)].find((path) => existsSync(path))
      // Of another system, or a peer that it can do without.
      if (linked === undefined) continue
      const real = realpathSync(linked)
      if (seen.has(real)) continue
      seen.add(real)
      const manifest = JSON.parse(readFileSync(join(real, 'package.json'), 'utf8')) as Manifest
      if (!name.startsWith('@wds/')) found.set(`${manifest.name}@${manifest.version}`, licenceOf(manifest))
      const { dependencies, optionalDependencies, peerDependencies } = manifest
      visit(real, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    }
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  visit(folder, Object.keys(manifest[kind] ?? {}))
  return found
}

/** The folder in which the package lies beside what it depends on. */
const modulesOf = (folder: string): string => {
  const parent = dirname(folder)
  return parent.endsWith('node_modules') ? parent : dirname(parent)
}

function licenceOf({ license, licenses = [] }: Manifest): string {
  const one = typeof license === 'object' ? license.type : license
  return one ?? (licenses.map(({ type }) => type).join(' AND ') || 'none named')
}
