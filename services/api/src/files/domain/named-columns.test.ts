// Which columns a file may have.
import { expect, test } from '@jest/globals'
import { columnFaults } from './named-columns.ts'

const columns = { required: ['date', 'rate'], optional: ['note'] }

test.each([[['rate', 'date']], [['note', 'date', 'rate']]])('%j fit, in any order', (found) => {
  expect(columnFaults(found, columns)).toEqual([])
})

test.each([
  [['date'], [{ column: 'rate', fault: 'missing' }]],
  [['date', 'rate', 'more'], [{ column: 'more', fault: 'unknown' }]],
  [['date', 'rate', 'rate'], [{ column: 'rate', fault: 'duplicate' }]],
  [['note', 'date', 'note', 'rate'], [{ column: 'note', fault: 'duplicate' }]],
  [
    ['date', 'Rate'],
    [
      { column: 'Rate', fault: 'unknown' },
      { column: 'rate', fault: 'missing' },
    ],
  ],
])('%j do not', (found, wanted) => {
  expect(columnFaults(found, columns)).toEqual(wanted)
})
