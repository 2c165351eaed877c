// The cases of RFC 7396, appendix A, beneath a member of the resource.
import { expect, test } from '@jest/globals'
import { Problem } from '@wds/http-service/problem'
import { mergePatch } from './merge-patch.ts'

test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('C22: %j patched with %j is %j', (target, patch, result) => {
  expect(mergePatch<{ settings: unknown }>({ settings: target }, { settings: patch }, {})).toEqual({ settings: result })
})

test('a member that is not in the patch is not in the result', () => {
  expect(mergePatch({ name: 'One', tags: ['x'] }, { name: 'Two' }, {})).toEqual({ name: 'Two' })
})

test('null goes back to the default; without one each is a fault', () => {
  const fields: { name: string | null; at: string | null } = { name: 'One', at: '06:00' }
  expect(mergePatch(fields, { at: null }, { at: '00:00' })).toEqual({ at: '00:00' })
  const patch = () => mergePatch(fields, { name: null, at: null }, {})
  expect(patch).toThrow(Problem)
  expect(patch).toThrow(
    expect.objectContaining({
      errors: [{ pointer: '/name' }, { pointer: '/at' }].map((fault) => expect.objectContaining(fault)),
    }),
  )
})

test('C08: __proto__ as a key is an ordinary key', () => {
  const patch = JSON.parse('{"metadata":{"__proto__":"x","a":{"__proto__":{"b":"c"}}}}')
  const { metadata } = mergePatch<{ metadata: object }>({ metadata: {} }, patch, {})
  expect(JSON.stringify(metadata)).toBe('{"__proto__":"x","a":{"__proto__":{"b":"c"}}}')
  expect(({} as { b?: string }).b).toBeUndefined()
})
