// Readers, the search and llms.txt know a page by its first sentence (docs.md 2).
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const folder = join(import.meta.dirname, '../..')
const pages = globSync('{tutorials,how-to}/*.md', { cwd: folder }).sort()

test('regression: a tutorial or a how-to says first what its reader can do after it', () => {
  expect(pages.length).toBeGreaterThan(30)
  const firstLine = (page: string) => /^# .+\n\n(.+)/.exec(readFileSync(join(folder, page), 'utf8'))?.[1] ?? ''
  expect(pages.filter((page) => !firstLine(page).startsWith('After this page '))).toEqual([])
})
