// What the pages for contributors name of the code is there.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { faultsOfNames, readCode } from './named-in-how-tos.ts'

const root = join(import.meta.dirname, '../../../..')
const code = readCode(root)
const folder = 'packages/docs/how-to'
const pages = globSync('{add,change}-*.md', { cwd: join(root, folder) }).sort()

test.each(pages)('%s names what the code has', (file) => {
  const page = `${folder}/${file}`
  expect(faultsOfNames(code, page, readFileSync(join(root, page), 'utf8'))).toEqual([])
})

const block = (language: string, ...lines: string[]) => ['```'.concat(language), ...lines, '```', ''].join('\n')

test.each([
  [block('ts', "import { type Pool, nowhere } from '@wds/postgres/pool'"), '@wds/postgres/pool exports no nowhere'],
  [block('ts', "import { createPool } from '@wds/postgres/gone'"), '@wds/postgres/gone exports no createPool'],
  [block('ts', "import { checkRow, gone } from './domain/check-row.ts'"), './domain/check-row.ts exports no gone'],
  [block('ts', "import { gone } from './not-there.ts'"), './not-there.ts exports no gone'],
  ['Add it to `gone` of [pool.ts](../../postgres/src/pool.ts).', 'packages/postgres/src/pool.ts has no gone'],
  ['It is `whatNobodyHas`.', 'nothing has whatNobodyHas'],
  [block('sh', "npm test -- packages/docs packages/gone -t 'x y'"), 'no suite begins with packages/gone'],
])('%j is told', (markdown, fault) => {
  expect(faultsOfNames(code, `${folder}/a.md`, markdown)).toEqual([fault])
})

test('what the page makes itself, what is generated of it, and what another one publishes are not asked for', () => {
  const markdown = [
    block('ts', 'export const bookmarks: Resource<Bookmark> = {}'),
    block('ts', "import { test } from '@jest/globals'", "import { bookmarks } from './resource.ts'"),
    block('ts', "import type { Bookmark, paths } from '../openapi.generated.ts'"),
    block('sh', 'npm test -- services/<name>'),
    'It is `bookmarkRoutes`; `npm`.',
    block('ts', 'export const bookmarkRoutes = []'),
    'Name it in `createPool` of [pool.ts](../../postgres/src/pool.ts).',
  ].join('\n')
  expect(faultsOfNames(code, `${folder}/a.md`, markdown)).toEqual([])
})
