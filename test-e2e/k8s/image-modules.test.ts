// What each image loads is in it, by manifests and sources; the images themselves are made by night.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { imageServices } from '../../deploy/docker/image-services.ts'
import { lacksOf } from './image-modules.ts'

const root = join(import.meta.dirname, '../..')

test.each(imageServices(root))('the image of %s brings every package that is loaded in it, compiled', (service) => {
  const main = service === 'console' ? 'server' : 'main'
  const { lacks, modules } = lacksOf(root, [`services/${service}/src/${main}.ts`, '@wds/telemetry/preload'])
  expect(lacks).toEqual([])
  expect(modules).toBeGreaterThan(50)
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds-lacks-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const place = (path: string, content: string | object) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}
const faces = (name: string) => ({ compiled: `./dist/${name}.js`, default: `./src/${name}.ts` })

test('what a test alone may load, what is not installed with a service and an entry without its compiled module are named', () => {
  place('services/api/package.json', {
    name: '@wds/api',
    dependencies: { pg: '1', '@wds/log': 'workspace:*' },
    devDependencies: { jose: '1', '@wds/clock': 'workspace:*', kafkajs: '1' },
  })
  place(
    'services/api/src/main.ts',
    `import { readFileSync } from 'node:fs'
import pg, {
  type Pool,
} from 'pg'
import type { Consumer } from 'kafkajs'
import { sign } from 'jose/jwt/sign'
import { log } from '@wds/log/log'
export { now } from '@wds/clock/now'
const later = () => import('./later.ts')
import './required.ts'
`,
  )
  place('services/api/src/later.ts', "import { put } from '@wds/log/put'\nimport '@scope/hook'\n")
  const required =
    "const load = createRequire(import.meta.url)\nload('mended/src/part')\nload.resolve('fonts/one.ttf')\n"
  place('services/api/src/required.ts', required)
  place('services/api/src/later.test.ts', "import { x } from 'of-tests'\n")
  place('packages/log/package.json', {
    name: '@wds/log',
    exports: { './log': faces('log'), './put': { default: './src/put.ts' } },
  })
  place('packages/log/src/log.ts', "import { once } from '@wds/log/put'\n")
  place('packages/log/src/put.ts', "export type Way = 'new' | 'old'\nimport express from 'express'\n")
  place('packages/clock/package.json', { name: '@wds/clock', exports: { './now': faces('today') } })
  const sql = 'export const lost = 1\nconst sql = `where status is distinct from '
  place('packages/clock/src/today.ts', `${sql}'lost'\``)
  expect(lacksOf(folder, ['services/api/src/main.ts'])).toEqual({
    lacks: expect.arrayContaining([
      '@wds/api loads jose, which is none of its dependencies',
      '@wds/api loads @wds/clock, which is none of its dependencies',
      '@wds/api loads @scope/hook, which is none of its dependencies',
      '@wds/api loads mended, which is none of its dependencies',
      '@wds/api loads fonts, which is none of its dependencies',
      '@wds/log/put is nothing in an image and ./src/put.ts elsewhere',
      '@wds/log loads express, which is none of its dependencies',
    ]),
    modules: 6,
  })
  expect(lacksOf(folder, ['services/api/src/main.ts']).lacks).toHaveLength(7)
})
