// Whoever repeats a figure pastes the call that stands beside it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parseOptions } from './options.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pathsOf = (pattern: string) => globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })

const measures = pathsOf('test-e2e/bench/src/measures/*.ts')
  .flatMap((path) => [...read(path).matchAll(/^ {2}name: '([\w-]+)',\n {2}meaning/gm)])
  .map(([, name = '']) => ({ name, meaning: '', run: async () => [] }))

test('regression: every call of the benchmark that a page tells is one that it understands', () => {
  const pages = ['packages/docs', 'test-e2e', 'services', '.github'].flatMap((folder) => pathsOf(`${folder}/**/*.md`))
  const told = pages.flatMap((page) =>
    [...read(page).matchAll(/`(?:\w+=\S+ )?npm run bench -- ([^`]+)`/g)].map(([, words = '']) => ({ page, words })),
  )
  expect(told.length).toBeGreaterThan(20)
  const refused = told.flatMap(({ page, words }) => {
    try {
      parseOptions(words.split(' '), measures)
      return []
    } catch (error) {
      return [`${page}: ${words}: ${(error as Error).message}`]
    }
  })
  expect(refused).toEqual([])
})
