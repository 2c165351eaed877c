// What the published document says of If-Match is what the resources ask for.
import { expect, test } from '@jest/globals'
import { readOpenApi } from '@wds/http-service/openapi'
import { concepts } from '../resources.ts'

/** What a concept declares of it, where it is a resource. */
type Declared = Partial<{ path: string; isMatchRequired: boolean; delete: unknown; patch: unknown }>

test('C41: regression: If-Match is documented as required on every change of a resource that asks for it, and on no other', () => {
  const { operations } = readOpenApi(new URL('..', import.meta.url))
  const asking = concepts.flatMap(({ aggregate }) => {
    const { path, isMatchRequired } = (aggregate ?? {}) as Declared
    return isMatchRequired === true ? [`${path}/{id}`] : []
  })
  expect(asking).toContain('/v1/invoices/{id}')
  const changes = operations.filter(
    ({ method, path }) => method !== 'GET' && asking.some((one) => path.startsWith(one)),
  )
  const documented = operations.filter(({ requiredHeaders }) => requiredHeaders.includes('If-Match'))
  const named = (of: typeof operations) => of.map(({ method, path }) => `${method} ${path}`).sort()
  expect(named(documented)).toEqual(named(changes))
  expect(changes.length).toBeGreaterThan(10)
})

test('C41: regression: If-Match is documented on every PATCH and DELETE of a resource', () => {
  const paths = readOpenApi(new URL('..', import.meta.url)).document.paths as Record<string, Record<string, unknown>>
  const changes = concepts.flatMap(({ aggregate }) => {
    const { path, ...declared } = (aggregate ?? {}) as Declared
    return (['patch', 'delete'] as const).filter((method) => declared[method]).map((method) => [`${path}/{id}`, method])
  })
  const unconditional = changes.filter(
    ([path, method]) => !/parameters\/if_match/.test(JSON.stringify(paths[path ?? '']?.[method ?? ''])),
  )
  expect(unconditional).toEqual([])
  expect(changes.length).toBeGreaterThan(5)
})
