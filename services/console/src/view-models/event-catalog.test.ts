import { expect, test } from '@jest/globals'
import { schemaRows } from './event-catalog.ts'
import { familiesOf, searchFamilies } from './event-patterns.ts'

const types = [
  { type: 'sync.started', meaning: 'The first attempt began.' },
  { type: 'invoice.paid', meaning: 'An invoice was paid.' },
  { type: 'sync.completed', meaning: 'A run finished.' },
]

test('types stand by family in the order of the catalog, and each word of a search counts', () => {
  const found = (search: string) =>
    searchFamilies(familiesOf(types), search).map((one) => [one.prefix, ...one.types.map(({ type }) => type)])
  expect(found('')).toEqual([
    ['sync', 'sync.started', 'sync.completed'],
    ['invoice', 'invoice.paid'],
  ])
  expect(found('SYNC finished')).toEqual([['sync', 'sync.completed']])
  expect(found('nothing')).toEqual([])
})

test('a schema becomes rows, inner fields behind their object, with what holds for each', () => {
  const schema = {
    properties: {
      id: { type: 'string', pattern: '^evt_' },
      created: { type: 'string', format: 'date-time', pattern: '^2' },
      data: {
        type: 'object',
        properties: {
          status: { enum: ['success', 'failed'] },
          rows: { type: 'integer', description: 'All of them.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          note: { type: ['string', 'null'], maxLength: 1000 },
          lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'integer' } } } },
          window: { anyOf: [{ type: 'object', properties: { from: { type: 'string' } } }, { type: 'null' }] },
        },
        required: ['status'],
      },
    },
    required: ['id', 'data'],
  }
  expect(schemaRows(schema).map(({ path, kind, isRequired, rules }) => [path, kind, isRequired, rules])).toEqual([
    ['id', 'string', true, 'matches ^evt_'],
    ['created', 'string', false, 'date-time'],
    ['data', 'object', true, ''],
    ['data.status', 'string', true, 'one of success, failed'],
    ['data.rows', 'integer', false, 'All of them; at least 0'],
    ['data.note', 'string or null', false, 'at most 1,000 characters'],
    ['data.lines', 'list of object', false, ''],
    ['data.lines[].amount', 'integer', false, ''],
    ['data.window', 'object or null', false, ''],
    ['data.window.from', 'string', false, ''],
  ])
})
