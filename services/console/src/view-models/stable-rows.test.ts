import { expect, test } from '@jest/globals'
import { mergeRows } from './stable-rows.ts'

const row = (key: string, state = 'pending') => ({ key, state })
const merge = (shown: { key: string; state: string }[], fresh: { key: string; state: string }[]) => {
  const { rows, waiting } = mergeRows(shown, fresh, ({ key }) => key)
  return { rows: rows.map(({ key, state }) => `${key} ${state}`), waiting }
}

test('the first list is shown as it is', () => {
  expect(merge([], [row('b'), row('a')])).toEqual({ rows: ['b pending', 'a pending'], waiting: 0 })
})

test('U09: new rows wait, shown ones keep their place and change in it', () => {
  const fresh = [row('d'), row('c'), row('b', 'delivered'), row('a')]
  expect(merge([row('b'), row('a')], fresh)).toEqual({ rows: ['b delivered', 'a pending'], waiting: 2 })
})

test('more of the list joins below, and what has left the list stays', () => {
  expect(merge([row('c'), row('b')], [row('c'), row('a')])).toEqual({
    rows: ['c pending', 'b pending', 'a pending'],
    waiting: 0,
  })
})

test('a list of which no row is shown waits as a whole', () => {
  expect(merge([row('b')], [row('d'), row('c')])).toEqual({ rows: ['b pending'], waiting: 2 })
})
