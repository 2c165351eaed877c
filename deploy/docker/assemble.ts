// Makes the folder that an image of a service consists of: its production dependencies from the lockfile, and JavaScript where sources were.
// The Dockerfile runs it, and so does its test, since it needs no container engine. `node deploy/docker/assemble.ts <service> <folder>`
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { imageServices } from './image-services.ts'
import { unloadedModules } from './loaded-modules.ts'

const repository = join(import.meta.dirname, '../..')
const services = imageServices(repository)

/** What a source names in a text that begins with a dot: an import, or a file beside it. */
const besides = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g
/** What no process of a service reads. */
const forTestsAlone = /\.(?:test|fixture)\.ts$/

/** Of dependencies: types, source maps and texts, which are two fifths of them. Of ours: what only people, builds and checks read. */
const forPeopleAndCompilers = [
  'node_modules/.pnpm/@types+*',
  'node_modules/.pnpm/**/*.{ts,mts,cts,map,md,markdown,tsbuildinfo}',
  'node_modules/.pnpm/lock.yaml',
  'node_modules/.modules.yaml',
  'node_modules/.pnpm-workspace-state*.json',
  '{README.md,index.html,tsconfig.json}',
  'dist/**/README.md',
  '{,node_modules/.pnpm/@wds+*/node_modules/@wds/*/}dist/**/schema.txt',
  'node_modules/.pnpm/@wds+*/node_modules/@wds/*/{asyncapi.generated,vectors}.json',
]
/** Some write it as Markdown; who hands on their code hands it on too. */
const isLicense = (path: string) => /^(?:licen[cs]e|notice|copying)/i.test(basename(path))

/** As the entry point of the Dockerfile has them. */
const begins = (folder: string) => [join(folder, 'dist/main.js'), '@wds/telemetry/preload']

/** Replaces `src` of a package by `dist`, with everything in it that is not TypeScript as it stands. */
function compile(folder: string): void {
  const src = join(folder, 'src')
  const dist = join(folder, 'dist')
  // What somebody built beside the sources goes with the folder, and is of another day.
  rmSync(dist, { recursive: true, force: true })
  if (!existsSync(src)) return
  for (const name of globSync('**/*', { cwd: src, withFileTypes: true })) {
    if (!name.isFile()) continue
    const path = join(name.parentPath, name.name)
    const target = join(dist, relative(src, path))
    if (forTestsAlone.test(path)) continue
    mkdirSync(dirname(target), { recursive: true })
    // As Node itself strips them on one machine, so that what runs in an image is what was tested.
    if (path.endsWith('.ts'))
      writeFileSync(
        target.replace(/\.ts$/, '.js'),
        stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll(besides, '$1$2.js$1'),
      )
    else if (!path.endsWith('.tsx')) cpSync(path, target)
  }
  rmSync(src, { recursive: true })
}

/** Takes away the modules that no process loads, and folders of which none is left, with what else they hold. */
function dropUnloaded(folder: string): void {
  const unloaded = unloadedModules([folder, ...ownPackages(folder)], begins(folder))
  for (const path of unloaded) rmSync(path)
  for (const one of new Set(unloaded.map(dirname)))
    if (globSync('**/*.js', { cwd: one }).length === 0) rmSync(one, { recursive: true, force: true })
}

/** Folders of our own packages below a deployed service, each once. */
function ownPackages(folder: string): string[] {
  const store = join(folder, 'node_modules/.pnpm')
  return readdirSync(store)
    .filter((name) => name.startsWith('@wds+'))
    .flatMap((name) => {
      const scope = join(store, name, 'node_modules/@wds')
      return readdirSync(scope).map((own) => realpathSync(join(scope, own)))
    })
    .filter((path, index, all) => all.indexOf(path) === index)
}

/** The folder that a build prints: of the console's pages, of the documentation. */
const builtBy = (program: string): string =>
  execFileSync(process.execPath, [join(repository, program)], { encoding: 'utf8' }).trim()

function assemble(service: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const { pnpm } = (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { config: { pnpm: string } })
    .config
  const words = [
    `pnpm@${pnpm}`,
    '--filter',
    `@wds/${service}`,
    'deploy',
    '--prod',
    '--legacy',
    '--ignore-scripts',
    folder,
  ]
  execFileSync('npx', ['--yes', ...words], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const path of [folder, ...ownPackages(folder)]) compile(path)
  // Every image begins with the same words; main.tsx is where the pages of the console begin.
  if (service === 'console') writeFileSync(join(folder, 'dist/main.js'), "import './server.js'\n")
  dropUnloaded(folder)
  if (service === 'console') {
    // Where it looks for them unless it is told (config.ts).
    cpSync(builtBy('services/console/src/build.ts'), join(folder, 'dist/site'), { recursive: true })
    cpSync(builtBy('packages/docs/src/site/build.ts'), join(folder, 'dist/docs'), { recursive: true })
  }
  for (const path of globSync(forPeopleAndCompilers, { cwd: folder }).filter((one) => !isLicense(one)))
    rmSync(join(folder, path), { recursive: true, force: true })
}

const [service = '', folder = '', ...others] = process.argv.slice(2)
if (!services.includes(service) || folder === '' || others.length > 0) {
  process.stderr.write(`usage: node deploy/docker/assemble.ts <${services.join('|')}> <folder>\n`)
  process.exitCode = 2
} else assemble(service, join(process.cwd(), relative(process.cwd(), folder)))
