/** What counts as missed by a client of an earlier release. */
import { expect, test } from '@jest/globals'
import { missedIn } from './replay-calls.ts'

const then = { status: 200, body: { object: 'list', data: [{ id: 'a', status: 'enabled', name: null }], next: null } }
const now = (body: object, status = 200) => missedIn(then, { status, body })

test('new members, other values and members that were null are none of it', () => {
  const data = [{ id: 'b', status: 'enabled', name: 'x', colour: 'red' }, { id: 'c' }]
  expect(now({ object: 'list', data, next: 'c1' })).toEqual([])
})

test.each([
  ['a status', 201, { object: 'list', data: [], next: null }, 'status 201 instead of 200'],
  [
    'a member',
    200,
    { object: 'list', data: [{ status: 'enabled' }], next: null },
    '/data/0/id is gone instead of string',
  ],
  ['its kind', 200, { object: 'list', data: [{ id: 7, status: 'enabled' }] }, '/data/0/id is number instead of string'],
  ['a word', 200, { object: 'list', data: [{ id: 'a', status: 'on' }] }, '/data/0/status is on instead of enabled'],
])('%s that is another one is told', (_, status, body, told) => expect(now(body, status)).toContain(told))
