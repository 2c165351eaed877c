// A page has its first path segment in three tables; one that is missing shows only after a reload, or to another role.
import { expect, test } from '@jest/globals'
import { entryOf } from './navigation.ts'
import { optionalParamNames, paramNames } from './page-params.ts'
import { pageRoutes } from './page-routes.ts'
import { isConsolePath, pageNames } from './view-models/console-paths.ts'

const segments = new Set(pageRoutes.map(({ path }) => path.split('/')[0] as string))

test('the server hands out the document for every page, and for no segment without one', () => {
  expect(pageRoutes.filter(({ path }) => !isConsolePath(path === '/' ? path : `/${path}`))).toEqual([])
  expect(pageNames.filter((name) => !segments.has(name))).toEqual([])
})

test('every page belongs to an entry of the navigation, which says which role may open it', () => {
  expect([...segments].filter((segment) => entryOf(segment) === null)).toEqual([])
})

test('the parameters of the paths are those that pages can ask for, and each of these stands in a path', () => {
  const named = (pattern: RegExp) =>
    new Set(pageRoutes.flatMap(({ path }) => [...path.matchAll(pattern)].map(([, name]) => name)))
  expect(named(/\/\$(\w+)/g)).toEqual(new Set(paramNames.filter((name) => name !== 'workspace')))
  expect(named(/\{-\$(\w+)\}/g)).toEqual(new Set(optionalParamNames))
})
