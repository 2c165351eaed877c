// The package as it is published: packed by npm, installed into projects that know nothing of this repository, used as an ES module, as
// CommonJS and by TypeScript.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildPackage } from './build-package.ts'

const root = join(import.meta.dirname, '../../..')
const built = join(import.meta.dirname, `../dist/test-${process.pid}`)
const project = mkdtempSync(join(tmpdir(), 'receiver-'))

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

let packed: { filename: string; files: { path: string }[] }
beforeAll(() => {
  buildPackage(built)
  const [told] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', project], built))
  packed = told
  writeFileSync(join(project, 'package.json'), '{"name":"receiver","version":"1.0.0","private":true}')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], project)
})
afterAll(() => {
  rmSync(built, { recursive: true, force: true })
  rmSync(project, { recursive: true, force: true })
})

/** Judges each vector of the installed package and prints those that are judged otherwise than expected. */
const judgeAll = `
  for (const { name, secret, header, body_base64, now, expected } of vectors) {
    const body = Buffer.from(body_base64, 'base64')
    const result = verifyWebhook({ secret, header: header ?? undefined, body, nowSeconds: now })
    if ((result.ok ? 'accepted' : result.reason) !== expected) console.log(name, result)
  }
  const [first] = vectors
  const body = Buffer.from(first.body_base64, 'base64')
  const signed = signWebhook({ secrets: [first.secret], id: 'evt_1', timestamp: first.now, body })
  console.log(vectors.length > 40, isSecret(first.secret), signed['x-service-signature'] === first.header)`

test('it holds two kinds of modules with their types, the vectors, and no dependency', () => {
  const files = ['verify', 'sign', 'secret'].flatMap((name) =>
    ['esm', 'cjs'].flatMap((format) => [`${format}/${name}.js`, `${format}/${name}.d.ts`]),
  )
  const rest = ['LICENSE', 'README.md', 'cjs/package.json', 'esm/package.json', 'package.json', 'vectors.json']
  expect(packed.files.map(({ path }) => path).sort()).toEqual([...files, ...rest].sort())
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@wds'])
  const manifest = readFileSync(join(project, 'node_modules/@wds/webhook-signature/package.json'), 'utf8')
  expect(Object.keys(JSON.parse(manifest))).not.toEqual(expect.arrayContaining(['dependencies', 'private', 'scripts']))
})

test('a plain project of ES modules signs, and judges every vector as expected', () => {
  const imports = ['verify', 'sign', 'secret'].map((name) => {
    const exported = { verify: 'verifyWebhook', sign: 'signWebhook', secret: 'isSecret' }[name]
    return `import { ${exported} } from '@wds/webhook-signature/${name}'`
  })
  const vectors =
    "import data from '@wds/webhook-signature/vectors.json' with { type: 'json' }\nconst { vectors } = data"
  writeFileSync(join(project, 'receiver.mjs'), [...imports, vectors, judgeAll].join('\n'))
  expect(run(process.execPath, ['receiver.mjs'], project)).toBe('true true true\n')
})

test('a plain project of CommonJS does so, too', () => {
  const requires = `const { verifyWebhook } = require('@wds/webhook-signature/verify')
    const { signWebhook } = require('@wds/webhook-signature/sign')
    const { isSecret } = require('@wds/webhook-signature/secret')
    const { vectors } = require('@wds/webhook-signature/vectors.json')`
  writeFileSync(join(project, 'receiver.cjs'), requires + judgeAll)
  // Real CommonJS, without what newer versions of Node.js make of ES modules.
  expect(run(process.execPath, ['--no-experimental-require-module', 'receiver.cjs'], project)).toBe('true true true\n')
})

test('its types serve both: a wrong use does not compile', () => {
  const uses = {
    right:
      "verifyWebhook({ secret: '', header: undefined, body: new Uint8Array(), nowSeconds: 0 }).ok satisfies boolean",
    wrong: "verifyWebhook({ secret: 1, header: '', body: '', nowSeconds: 0 })",
  }
  for (const [use, line] of Object.entries(uses)) {
    mkdirSync(join(project, use), { recursive: true })
    for (const extension of ['mts', 'cts'])
      writeFileSync(
        join(project, use, `receiver.${extension}`),
        `import { verifyWebhook } from '@wds/webhook-signature/verify'\n${line}\n`,
      )
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ]
    const files = ['mts', 'cts'].map((extension) => join(use, `receiver.${extension}`))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...files], { cwd: project, encoding: 'utf8' })
    const faulty = new Set([...stdout.matchAll(/receiver\.(mts|cts)\(2,/g)].map(([, extension]) => extension))
    expect([use, [...faulty].sort(), use === 'right' ? stdout : '']).toEqual([
      use,
      use === 'right' ? [] : ['cts', 'mts'],
      '',
    ])
  }
})
