// What the generated references must hold; that they are up to date is found by `npm run check`.
import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import { readOpenApiDocument } from '@wds/http-service/openapi-document'
import { configurationPage, envExample } from './configuration.ts'
import { postmanCollection } from './postman.ts'
import { type Program, readPrograms } from './programs.ts'
import { publicOpenApi } from './public-openapi.ts'

const root = new URL('../../../../', import.meta.url)
type Operation = { 'x-scope'?: string | null; 'x-session'?: string; security: object[] }
// biome-ignore lint/suspicious/noExplicitAny: a document of every shape
let document: any
let programs: Program[]
beforeAll(async () => {
  document = JSON.parse(publicOpenApi(root))
  programs = await readPrograms(root)
})

describe('the merged OpenAPI file', () => {
  test('C80: holds every public operation of every service with its scope, and no other', async () => {
    const wanted: string[] = []
    for (const service of await readdir(new URL('services/', root))) {
      const { paths } = readOpenApiDocument(new URL(`services/${service}/src/`, root))
      wanted.push(
        ...linesOf(paths as Record<string, Record<string, Operation>>).filter((line) => !line.includes(' /internal/')),
      )
    }
    expect(linesOf(document.paths)).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(20)
    expect(JSON.stringify(document)).not.toContain('CreateWorkspace')
  })

  test('C80: an operation asks for a token exactly where it has a scope, for a session exactly where it names a right', () => {
    for (const item of Object.values(document.paths as Record<string, Record<string, Operation>>)) {
      for (const operation of Object.values(item).filter(isOperation)) {
        const { 'x-scope': scope = null, 'x-session': right, security } = operation
        expect(security.some((one) => 'bearer' in one)).toBe(scope !== null)
        expect(security.some((one) => 'session' in one)).toBe(right !== undefined)
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

describe('the collection of Postman', () => {
  test('has a request for each operation that a token may call, at its address, and no value of a key', () => {
    const collection = JSON.parse(postmanCollection(document))
    const found = collection.item.flatMap(
      ({ item }: { item: { request: { method: string; url: { raw: string } } }[] }) =>
        item.map(({ request }) => `${request.method} ${request.url.raw}`),
    )
    const wanted = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => isOperation(operation) && operation['x-scope'])
        .map(([method]) => `${method.toUpperCase()} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(found.toSorted()).toEqual(wanted.toSorted())
    expect(wanted.length).toBeGreaterThan(100)
    expect(collection.variable.find(({ key }: { key: string }) => key === 'key').value).toBe('')
  })
})

const isOperation = (value: object) => 'x-scope' in value || 'x-session' in value

function linesOf(paths: Record<string, Record<string, Operation>>): string[] {
  const lines: string[] = []
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (isOperation(operation)) lines.push(`${method} ${path} ${operation['x-scope']} ${operation['x-session']}`)
    }
  }
  return lines.sort()
}
