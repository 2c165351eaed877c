// Writes the package as it is published: ES modules and CommonJS with their types, and the vectors; nothing of the workspace. Run by itself it
// writes it to `dist/`, from where `npm publish` takes it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const entries = ['verify', 'sign', 'secret']
const formats = { esm: 'module', cjs: 'commonjs' } as const

/** Writes it to `target`, whatever was there before, within the repository: types are looked up from there. Throws where it does not compile. */
export function buildPackage(target: string): void {
  rmSync(target, { recursive: true, force: true })
  for (const format of ['esm', 'cjs'] as const) compile(target, format)
  for (const file of ['README.md', 'vectors.json']) cpSync(join(root, file), join(target, file))
  cpSync(join(root, '../../LICENSE'), join(target, 'LICENSE'))
  writeJson(join(target, 'package.json'), manifest())
}

/** The compiler takes the kind of module from the `package.json` beside the sources. */
function compile(target: string, format: keyof typeof formats): void {
  const [sources, out] = [join(target, `src-${format}`), join(target, format)]
  for (const folder of [sources, out]) {
    mkdirSync(folder, { recursive: true })
    writeJson(join(folder, 'package.json'), { type: formats[format] })
  }
  for (const entry of entries) cpSync(join(root, 'src', `${entry}.ts`), join(sources, `${entry}.ts`))
  writeJson(join(sources, 'tsconfig.json'), {
    extends: join(root, '../../tsconfig.base.json'),
    compilerOptions: { target: 'es2022', verbatimModuleSyntax: false, declaration: true, rootDir: '.', outDir: out },
    include: ['*.ts'],
  })
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const { bin } = JSON.parse(readFileSync(typescript, 'utf8')) as { bin: { tsc: string } }
  const compiler = join(dirname(typescript), bin.tsc)
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', sources], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`not compiled: ${stdout}`)
  rmSync(sources, { recursive: true })
}

function manifest(): object {
  const { name, version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entry = (file: string, format: keyof typeof formats) => ({
    types: `./${format}/${file}.d.ts`,
    default: `./${format}/${file}.js`,
  })
  const exported = entries.map((file) => [`./${file}`, { import: entry(file, 'esm'), require: entry(file, 'cjs') }])
  return {
    name,
    version,
    description,
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: { ...Object.fromEntries(exported), './vectors.json': './vectors.json' },
    files: ['esm', 'cjs', 'vectors.json'],
    publishConfig: { access: 'public' },
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

if (import.meta.main) buildPackage(join(root, 'dist'))
