// The numbers that explanations tell are those of the code, each of them.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from '@jest/globals'
import { readPrograms } from '../generate/programs.ts'
import { faultsOfNumbers, type Told, toldNumbers } from './told-numbers.ts'

const root = new URL('../../../../', import.meta.url)
const folder = join(fileURLToPath(root), 'packages/docs/explanation')
const pages = globSync('*.md', { cwd: folder }).map((file) => basename(file, '.md'))

let told: Told[]
beforeAll(async () => {
  told = toldNumbers(root, await readPrograms(root))
})

test.each(pages)('%s tells what the code holds to', (page) => {
  const markdown = readFileSync(join(folder, `${page}.md`), 'utf8')
  const own = told.filter((one) => one.page === page)
  expect(faultsOfNumbers(markdown, own)).toEqual([])
})

test('no row is about a page that is gone', () => {
  expect(told.map(({ page }) => page).filter((page) => !pages.includes(page))).toEqual([])
})

test('a number that is another one in the code, and one that no row is about, are told', () => {
  const row = { page: 'a', text: 'kept for {} days', number: 32 }
  expect(faultsOfNumbers('It is kept for 32   days.', [row])).toEqual([])
  expect(faultsOfNumbers('It is kept for 30 days.', [row])).toEqual([
    'it does not say: kept for 32 days',
    'nothing compares with the code: 30 days',
  ])
  expect(faultsOfNumbers('Twelve hours later.', [])).toEqual(['nothing compares with the code: Twelve hours'])
})
