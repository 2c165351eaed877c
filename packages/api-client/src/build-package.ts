// Writes the package as it is published: ES modules with their types, nothing of the workspace and no dependency. Run by itself it writes it
// to `dist/`, from where `npm publish` takes it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** What is imported from other packages of the workspace: the file that is copied in its place. */
const copied = {
  '@wds/contracts/event-data': 'contracts/src/event-data.ts',
  '@wds/webhook-signature/verify': 'webhook-signature/src/verify.ts',
  '@wds/webhook-signature/secret': 'webhook-signature/src/secret.ts',
}
const entries = Object.keys(manifest.exports).map((key) => key.slice('./'.length))

/** Writes it to `target`, whatever was there before, within the repository: types are looked up from there. Throws where it does not compile. */
export function buildPackage(target: string): void {
  rmSync(target, { recursive: true, force: true })
  const sources = join(target, 'src')
  mkdirSync(sources, { recursive: true })
  for (const file of readdirSync(join(root, 'src'))) {
    if (file.endsWith('.test.ts') || file === 'build-package.ts') continue
    const text = readFileSync(join(root, 'src', file), 'utf8')
    writeFileSync(
      join(sources, file),
      text.replaceAll(/'(@wds\/[^']+)'/g, (_, name) => `'./${fileOf(name)}'`),
    )
  }
  for (const file of Object.values(copied)) cpSync(join(root, '..', file), join(sources, file.split('/').at(-1) ?? ''))
  writeJson(join(target, 'package.json'), published())
  compile(target, sources)
  rmSync(sources, { recursive: true })
  cpSync(join(root, 'README.md'), join(target, 'README.md'))
  cpSync(join(root, '../../LICENSE'), join(target, 'LICENSE'))
}

function fileOf(name: string): string {
  const file = copied[name as keyof typeof copied]
  if (file === undefined) throw new Error(`${name} is not among what is copied into the package`)
  return file.split('/').at(-1) ?? ''
}

function compile(target: string, sources: string): void {
  writeJson(join(target, 'tsconfig.json'), {
    extends: join(root, '../../tsconfig.base.json'),
    compilerOptions: {
      target: 'es2022',
      lib: ['es2024', 'dom', 'dom.iterable'],
      declaration: true,
      rootDir: 'src',
      outDir: 'esm',
    },
    include: ['src/*.ts'],
  })
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const { bin } = JSON.parse(readFileSync(typescript, 'utf8')) as { bin: { tsc: string } }
  const compiler = join(dirname(typescript), bin.tsc)
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', target], { encoding: 'utf8', cwd: sources })
  if (status !== 0) throw new Error(`not compiled: ${stdout}`)
  rmSync(join(target, 'tsconfig.json'))
}

function published(): object {
  const exported = entries.map((name) => {
    const file = name === 'schemas' ? 'openapi.generated' : name
    return [`./${name}`, { types: `./esm/${file}.d.ts`, default: `./esm/${file}.js` }]
  })
  return {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: Object.fromEntries(exported),
    files: ['esm'],
    publishConfig: { access: 'public' },
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

if (import.meta.main) buildPackage(join(root, 'dist'))
