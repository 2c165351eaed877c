// What a validator costs and finds where the library's own keyword was replaced.
import { expect, test } from '@jest/globals'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import { createSchemas } from './schemas.ts'
import { valuesMax } from './strict-json.ts'

const { compile } = createSchemas({ components: { schemas: { Scope: { enum: ['a', 'b'] } } } })
const validate = compile({
  type: 'array',
  maxItems: 8,
  uniqueItems: true,
  items: { $ref: '#/components/schemas/Scope' },
})
const codes = (value: unknown) => validate(value).map(({ pointer, code }) => [pointer, code])

test('entries that stand twice are a fault, whatever their type', () => {
  expect(codes(['a', 'b'])).toEqual([])
  expect(codes(['a', 'a'])).toEqual([['', 'invalid_value']])
  expect(validate(['a', 'a'])[0]?.detail).toBe('Must not name an entry twice.')
  const any = compile({ type: 'array', uniqueItems: true })
  expect(any([1, '1', null, { a: 1, b: 2 }])).toEqual([])
  expect(
    any([
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ]),
  ).toHaveLength(1)
})

test('what must not be empty is called so', () => {
  const named = compile({ type: 'object', properties: { name: { minLength: 1 }, key: { minLength: 2 } } })
  expect(named({ name: '', key: '' }).map(({ detail }) => detail)).toEqual([
    'Must not be empty.',
    'Must have at least 2 characters.',
  ])
})

test('regression: as many different entries as a body may hold do not hold the event loop', async () => {
  const items = Array.from({ length: valuesMax }, (_, at) => `x${at}`)
  expect((await holdsLoopAtMost(150, () => validate(items))).length).toBeGreaterThan(valuesMax)
})
