// A page has its first path segment in three tables; one that is missing shows only after a reload, or to another role.
import { expect, test } from '@jest/globals'
import { entryOf } from './navigation.ts'
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
