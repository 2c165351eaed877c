import { describe, expect, test } from '@jest/globals'
import { requireMatch } from './conditional.ts'
import { accepts } from './dispatch.ts'
import { etagOf, etagWith, matchesWeakly, parseEntityTags } from './etag.ts'

describe('entity tags', () => {
  test('C42: a version has one plain form; other parts give another tag', () => {
    expect(etagOf(7)).toBe('"v7"')
    expect(etagWith(7, { expand: 'brand', versions: [3] })).toMatch(/^"v7\.[\w-]{22}"$/)
    expect(etagWith(7, { versions: [3], expand: 'brand' })).toBe(etagWith(7, { expand: 'brand', versions: [3] }))
    expect(etagWith(7, { expand: 'brand', versions: [4] })).not.toBe(etagWith(7, { expand: 'brand', versions: [3] }))
  })

  test.each([
    ['*', '*'],
    ['"v1"', ['"v1"']],
    [' W/"a" ,"b,c" , "d"', ['W/"a"', '"b,c"', '"d"']],
    ['v1', null],
    ['"v1', null],
    ['"a" "b"', null],
    ['', null],
  ])('reads %s', (header, expected) => {
    expect(parseEntityTags(header)).toEqual(expected)
  })

  test('C40: If-None-Match compares weakly', () => {
    expect([matchesWeakly(['W/"v1"'], '"v1"'), matchesWeakly(['"v2"'], '"v1"'), matchesWeakly('*', '"v1"')]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('C41: If-Match compares strongly, takes the plain form only, and is 428 where required and absent', () => {
    expect(() => requireMatch({ ifMatch: ['"v1"', '"v2"'] }, 2)).not.toThrow()
    expect(() => requireMatch({ ifMatch: '*' }, 2)).not.toThrow()
    expect(() => requireMatch({ ifMatch: null }, 2)).not.toThrow()
    expect(() => requireMatch({ ifMatch: ['W/"v2"', '"v2.abc"', '"v1"'] }, 2)).toThrow('precondition_failed')
    expect(() => requireMatch({ ifMatch: null }, 2, { required: true })).toThrow('precondition_required')
  })
})

describe('Accept', () => {
  test.each([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/json', true],
    ['text/html, */*;q=0.1', true],
    ['application/*', true],
    ['application/json; charset=utf-8', true],
    ['text/html', false],
    ['application/json;q=0, */*', false],
    ['*/*;q=0', false],
  ])('%s is acceptable: %s', (header, expected) => {
    expect(accepts(header, ['application/json'])).toBe(expected)
  })
})
