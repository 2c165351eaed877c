import { expect, test } from '@jest/globals'
import { smallestBody } from './smallest-body.ts'

const document = { components: { schemas: { Amount: { type: 'integer', minimum: 3 } } } }
const schema = {
  type: 'object',
  required: ['name', 'kind', 'amount', 'days', 'tags', 'on', 'is', 'parent_id'],
  properties: {
    name: { type: 'string', minLength: 2 },
    kind: { enum: ['b', 'a'] },
    amount: { $ref: '#/components/schemas/Amount' },
    days: { type: 'array', minItems: 2, items: { type: 'string', format: 'date' } },
    tags: { type: 'array', items: { type: 'string' } },
    on: { oneOf: [{ type: 'object', required: ['type'], properties: { type: { const: 'x' } } }, { type: 'null' }] },
    is: { type: ['boolean', 'null'] },
    parent_id: { type: 'string', minLength: 1 },
    note: { type: 'string' },
  },
}

test('the smallest body has what is required and nothing else, and takes what is given by its name', () => {
  expect(smallestBody(document, schema, { parent_id: 'int_1', note: 'unasked' })).toEqual({
    name: 'xx',
    kind: 'b',
    amount: 3,
    days: ['2026-01-01', '2026-01-01'],
    tags: [],
    on: { type: 'x' },
    is: false,
    parent_id: 'int_1',
  })
})

test('regression: a text whose pattern takes any letter, as a name has it, need not be given', () => {
  const named = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', pattern: '^(?=.*[^\\s])\\P{Cc}*$' } },
  }
  expect(smallestBody(document, named)).toEqual({ name: 'x' })
})

test('a text that has another pattern is not guessed', () => {
  const code = { type: 'object', required: ['code'], properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' } } }
  expect(() => smallestBody(document, code)).toThrow('must be given')
  expect(smallestBody(document, code, { code: 'EUR' })).toEqual({ code: 'EUR' })
})
