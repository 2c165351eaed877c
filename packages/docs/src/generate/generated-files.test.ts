// What the generated references must hold; that they are up to date is found by `npm run check`.
import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import { parse } from 'yaml'
import { configurationPage, envExample } from './configuration.ts'
import { type Program, readPrograms } from './programs.ts'
import { publicOpenApi } from './public-openapi.ts'

const root = new URL('../../../../', import.meta.url)
type Operation = { 'x-scope': string | null; security: object[] }
// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
let document: any
let programs: Program[]
beforeAll(async () => {
  document = JSON.parse(await publicOpenApi(root))
  programs = await readPrograms(root)
})

describe('the merged OpenAPI file', () => {
  test('C80: holds every operation of every service with its scope, and no other', async () => {
    const wanted: string[] = []
    for (const service of await readdir(new URL('services/', root))) {
      const file = await readFile(new URL(`services/${service}/openapi.yaml`, root), 'utf8').catch(() => null)
      if (file === null) continue
      const { paths } = parse(file) as { paths: Record<string, Record<string, Operation>> }
      wanted.push(...linesOf(paths))
    }
    expect(linesOf(document.paths)).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(20)
  })

  test('C80: an operation asks for a token exactly where it has a scope', () => {
    for (const item of Object.values(document.paths as Record<string, Record<string, Operation>>)) {
      for (const operation of Object.values(item).filter((value) => 'x-scope' in value)) {
        expect(operation.security).toEqual(operation['x-scope'] === null ? [] : [{ bearer: [] }])
      }
    }
  })

  test('C80: webhooks lists every event type', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventTypes.map(({ type }) => type))
  })

  test('every reference leads to a component', () => {
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/components\/([^/"]+)\/([^/"]+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    expect(references.length).toBe([...text.matchAll(/"\$ref":"/g)].length)
    for (const [, kind = '', name = ''] of references) expect(document.components[kind]).toHaveProperty([name])
  })
})

describe('the reference of the configuration', () => {
  test('names every setting of every program, and none twice in a section', () => {
    const page = configurationPage(programs)
    const example = envExample(programs)
    for (const { rows } of programs) {
      for (const { name } of rows) {
        expect(page).toContain(`| \`${name}\` |`)
        expect(example).toMatch(new RegExp(`^#${name}=`, 'm'))
      }
    }
    for (const section of page.split('\n## ')) {
      const names = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
      expect(names).toEqual([...new Set(names)])
    }
  })

  test('holds no value of a secret, no folder of a machine', () => {
    const text = configurationPage(programs) + envExample(programs)
    expect(text).not.toContain(new URL('.', root).pathname)
    for (const { rows } of programs) {
      for (const row of rows.filter(({ secret }) => secret)) expect(text).toContain(`#${row.name}=\n`)
    }
  })
})

function linesOf(paths: Record<string, Record<string, Operation>>): string[] {
  const lines: string[] = []
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if ('x-scope' in operation) lines.push(`${method} ${path} ${operation['x-scope']}`)
    }
  }
  return lines.sort()
}
