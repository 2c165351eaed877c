// What the published document says of If-Match is what the resources ask for.
import { expect, test } from '@jest/globals'
import { readOpenApi } from '@wds/http-service/openapi'
import { commissionPlans } from '../commission-plans/resource.ts'
import { invoices } from '../invoices/resource.ts'
import { payouts } from '../payouts/resource.ts'

test('C41: regression: If-Match is documented as required on every change of a resource that asks for it, and on no other', () => {
  const { operations } = readOpenApi(new URL('..', import.meta.url))
  const asking = [commissionPlans, invoices, payouts].map((resource) => {
    expect(resource.isMatchRequired).toBe(true)
    return `${resource.path}/{id}`
  })
  const changes = operations.filter(
    ({ method, path }) => method !== 'GET' && asking.some((one) => path.startsWith(one)),
  )
  const documented = operations.filter(({ requiredHeaders }) => requiredHeaders.includes('If-Match'))
  const named = (of: typeof operations) => of.map(({ method, path }) => `${method} ${path}`).sort()
  expect(named(documented)).toEqual(named(changes))
  expect(changes.length).toBeGreaterThan(10)
})
