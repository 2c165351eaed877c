// Builds the site unless it is there already for these very sources, and prints its folder: `files.json` and `files/`. Each state of the
// sources has a folder of its own, so that a build under way disturbs neither a server that reads nor another build. `--where` prints the
// folder and builds nothing.
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { groups } from './sections.ts'

const repository = join(import.meta.dirname, '../../../..')
const dist = join(import.meta.dirname, '../../dist')

/** What the site is made from. */
const sources = [
  ...groups.flatMap(({ files }) => files),
  'packages/docs/src/site/**/*',
  'packages/contracts/src/**/*.ts',
  'services/api/openapi.generated.json',
  'packages/event-log/asyncapi.generated.json',
  'package.json',
  'pnpm-lock.yaml',
]

/** Old states that are kept, for those who go back and forth. */
const keptMax = 3
/** Whoever builds says so this often, however long a busy machine takes; one that was silent for so long is gone. */
const buildingMs = 5_000
const abandonedMs = 60_000

function digestOfSources(): string {
  const hash = createHash('sha256')
  const paths = new Set(globSync(sources, { cwd: repository }).map((path) => path.split(sep).join('/')))
  for (const path of [...paths].sort()) {
    const file = join(repository, path)
    if (statSync(file).isFile() && !path.endsWith('.test.ts'))
      hash.update(path).update('\0').update(readFileSync(file)).update('\0')
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

function removeOld(): void {
  const old = globSync('*/files.json', { cwd: dist })
    .map((path) => join(dist, path, '..'))
    .sort((one, other) => ageMs(one) - ageMs(other))
  for (const folder of old.slice(keptMax)) rmSync(folder, { recursive: true, force: true })
}

async function ensureBuilt(): Promise<string> {
  const folder = join(dist, digestOfSources())
  if (!existsSync(folder) && (await becomeBuilder(folder))) {
    const making = `${folder}.building`
    const toStandardOutput = process.stdout.write
    const sayBuilding = setInterval(() => utimesSync(making, new Date(), new Date()), buildingMs)
    try {
      // Nobody waits for it as for what runs beside it: a start, the tests.
      setPriority(10)
      // The generator writes its warnings to standard output, where nothing but the folder is to stand.
      process.stdout.write = process.stderr.write.bind(process.stderr)
      const { makeSite } = await import('./make-site.ts')
      const made = await makeSite(repository, making)
      renameSync(made, folder)
    } finally {
      process.stdout.write = toStandardOutput
      clearInterval(sayBuilding)
      rmSync(making, { recursive: true, force: true })
    }
    removeOld()
  }
  utimesSync(folder, new Date(), new Date())
  return folder
}

console.log(process.argv.includes('--where') ? join(dist, digestOfSources()) : await ensureBuilt())
