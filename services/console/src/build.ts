/**
 * Builds the files that browsers get, unless they are there already for these very sources, and prints the folder. Each state of the
 * sources has a folder of its own, so that a build under way disturbs neither a server that reads nor another build.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
const repository = join(root, '../..')
const dist = join(root, 'dist')

/** What at least so many of the 50 pages and parts import is loaded with the first page, whichever that is. */
const sharedPagesMin = 20

/** What the bundle is made from. */
const sources = [
  'services/console/index.html',
  'services/console/src/**/*',
  'packages/{api-client,contracts}/src/**/*.ts',
  'packages/docs/snippets/verify-signature/verify.*',
  'pnpm-lock.yaml',
]

/** Old states that are kept, for those who go back and forth. */
const keptMax = 4
/** Whoever builds says so this often, however long a busy machine takes; one that was silent for so long is gone. */
const buildingMs = 5_000
const abandonedMs = 60_000

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: repository }).sort()) {
    const file = join(repository, path)
    if (statSync(file).isFile() && !path.endsWith('.test.ts'))
      hash.update(path.split(sep).join('/')).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

const ageMs = (path: string) => Date.now() - statSync(path).mtimeMs

/** True when this process is the one to build; false once another one has built. */
async function becomeBuilder(folder: string): Promise<boolean> {
  const lock = `${folder}.building`
  mkdirSync(dist, { recursive: true })
  while (!existsSync(folder)) {
    try {
      mkdirSync(lock)
      return true
    } catch {
      if (existsSync(lock) && ageMs(lock) > abandonedMs) rmSync(lock, { recursive: true, force: true })
      await sleep(100)
    }
  }
  return false
}

async function bundle(outDir: string): Promise<void> {
  // Whoever starts the build, a test runner too: the bundle is that of production.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const colorScheme = readFileSync(join(root, 'src/color-scheme.js'))
  const name = `assets/color-scheme-${createHash('sha256').update(colorScheme).digest('hex').slice(0, 8)}.js`
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      // The library marks its files for servers that render, which means nothing here.
      rolldownOptions: {
        onLog: (level, log, tell) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : tell(level, log)),
        // What many pages share is one file: in small ones it is 9 KiB larger once compressed, and a page asks for three times as many.
        output: { codeSplitting: { groups: [{ name: 'common', minShareCount: sharedPagesMin }] } },
      },
      outDir,
      emptyOutDir: true,
      sourcemap: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      reportCompressedSize: false,
      manifest: 'manifest.json',
    },
    plugins: [
      {
        name: 'color-scheme',
        transformIndexHtml: (html) => html.replace('<!-- color-scheme -->', `<script src="/${name}"></script>`),
      },
    ],
  })
  writeFileSync(join(outDir, name), colorScheme)
}

function removeOld(): void {
  const old = globSync('*/index.html', { cwd: dist })
    .map((path) => join(dist, path, '..'))
    .sort((one, other) => ageMs(one) - ageMs(other))
  for (const folder of old.slice(keptMax)) rmSync(folder, { recursive: true, force: true })
}

/** The folder with `index.html` and `assets/`. */
async function ensureBuilt(): Promise<string> {
  const folder = join(dist, digestOfSources())
  if (!existsSync(folder) && (await becomeBuilder(folder))) {
    const making = `${folder}.building`
    const sayBuilding = setInterval(() => utimesSync(making, new Date(), new Date()), buildingMs)
    try {
      await bundle(making)
      renameSync(making, folder)
    } finally {
      clearInterval(sayBuilding)
      rmSync(making, { recursive: true, force: true })
    }
    removeOld()
  }
  utimesSync(folder, new Date(), new Date())
  return folder
}

console.log(await ensureBuilt())
