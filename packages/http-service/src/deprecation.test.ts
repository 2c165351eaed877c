import { expect, test } from '@jest/globals'
import { readDeprecation } from './deprecation.ts'

const going = {
  deprecated: true,
  'x-deprecated-since': '2027-02-01',
  'x-sunset': '2028-02-01',
  'x-deprecation-link': 'https://docs.example.test/widgets',
}
const read = (operation: object) => readDeprecation(operation as never, 'GET /v1/x')

test('C83: the answers say since when it is deprecated (RFC 9745), until when it answers (RFC 8594) and what instead', () => {
  expect(read(going)).toEqual([
    ['Deprecation', '@1801440000'],
    ['Sunset', 'Tue, 01 Feb 2028 00:00:00 GMT'],
    ['Link', '<https://docs.example.test/widgets>; rel="deprecation"; type="text/html"'],
  ])
  expect(read({})).toEqual([])
})

test('C83: less than 12 months, no day, no page, or a day of what is not deprecated stop the start', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(going).filter(([key]) => key !== name))
  expect(() => read({ ...going, 'x-sunset': '2028-01-31' })).toThrow('GET /v1/x is deprecated for less than 12 months.')
  for (const name of ['x-deprecated-since', 'x-sunset'])
    expect(() => read(without(name))).toThrow('without the days x-deprecated-since and x-sunset')
  for (const day of ['next year', '2028-02-30'])
    expect(() => read({ ...going, 'x-sunset': day })).toThrow('without the days')
  expect(() => read(without('x-deprecation-link'))).toThrow('without an x-deprecation-link')
  expect(() => read(without('deprecated'))).toThrow('but not deprecated: true')
})
