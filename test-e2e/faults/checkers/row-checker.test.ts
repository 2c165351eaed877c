import { describe, expect, test } from '@jest/globals'
import {
  type CommandVerdict,
  commandBreachesOf,
  type EventData,
  type RowHistory,
  rowBreachesOf,
} from './row-checker.ts'

const event = (streamId: string, version: number, type: string, data: EventData = {}) => ({
  streamId,
  version,
  type: `Integration${type}`,
  data,
})
const fields = { name: 'a', tags: ['old'], settings: { url: 'x', page: 1 } }
const good: RowHistory = {
  events: [
    event('i1', 1, 'Created', { fields }),
    event('i1', 2, 'Updated', { patch: { name: 'b', tags: ['new'] } }),
    event('i1', 3, 'Paused'),
    event('i2', 1, 'Created', { fields }),
    event('i2', 2, 'Paused'),
    event('i2', 3, 'Resumed', { status: 'pending' }),
    event('i2', 4, 'Deleted'),
  ],
  rows: [
    // A database keeps the names of an object in an order of its own.
    {
      id: 'i1',
      version: 3,
      status: 'paused',
      tags: ['new'],
      fields: { settings: { page: 1, url: 'x' }, tags: ['new'], name: 'b' },
    },
    { id: 'i2', version: 4, status: 'deleted', tags: ['old'], fields },
  ],
}
const [first, second] = good.rows as [RowHistory['rows'][number], RowHistory['rows'][number]]
const altered = (change: Partial<RowHistory['rows'][number]>): Partial<RowHistory> => ({
  rows: [{ ...first, ...change }, second],
})

describe('the checker of rows', () => {
  test('finds nothing where each row is the fold of its stream', () => {
    expect(rowBreachesOf(good)).toEqual([])
    const resumed = { ...second, version: 3, status: 'pending' }
    expect(rowBreachesOf({ events: good.events.slice(0, -1), rows: [first, resumed] })).toEqual([])
  })

  test.each<[string, string, Partial<RowHistory>]>([
    ['I12', 'an altered row', altered({ fields: { ...first.fields, name: 'c' } })],
    ['I12', 'a row that is one change behind', { rows: [{ ...first, version: 2, status: 'pending' }, second] }],
    ['I12', 'a row ahead of its stream', altered({ version: 4 })],
    ['I12', 'a column that does not follow the state', altered({ tags: ['old'] })],
    ['I12', 'another status', altered({ status: 'pending' })],
    ['I12', 'a row of a deleted one that stands as alive', { rows: [first, { ...second, status: 'pending' }] }],
    ['I12', 'a field more', altered({ fields: { ...first.fields, more: 1 } })],
    ['I12', 'a row that is missing', { rows: good.rows.slice(1) }],
    ['I12', 'a row that is there twice', { rows: [...good.rows, first] }],
    ['I12', 'a row without a stream', { events: good.events.slice(3) }],
    ['I12', 'a stream whose last change is lost', { events: good.events.slice(0, -1) }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(rowBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named]).toEqual([wanted])
  })
})

describe('the checker of what check-rows and check-projection say', () => {
  const rows: CommandVerdict = {
    service: 'api',
    command: 'check-rows',
    code: 0,
    output: 'api: 9 events of 3 rows read in 0.1 s (90/s), 0 differences\n',
  }
  const deliveries: CommandVerdict = {
    service: 'delivery',
    command: 'check-projection',
    code: 0,
    output: 'delivery: 5 deliveries read, 0 differences\ndelivery: 5 deliveries read, 0 differences, at 2026-01-01\n',
  }

  test('finds nothing where all was read and is right', () => {
    expect([...commandBreachesOf(rows), ...commandBreachesOf(deliveries)]).toEqual([])
  })

  test.each<[string, string, CommandVerdict]>([
    ['I12', 'a difference', { ...rows, code: 1, output: rows.output.replace(', 0 d', ', 1 d') }],
    ['I12', 'a command that ended without a word', { ...rows, output: '' }],
    ['I12', 'a command that read nothing', { ...rows, output: rows.output.replace('9 events of 3', '0 events of 0') }],
    ['I12', 'a command that failed behind its verdict', { ...rows, code: null }],
    [
      'I12',
      'deliveries that are right only up to a day',
      { ...deliveries, output: deliveries.output.replace(', 0 differences\n', ', 1 differences\n') },
    ],
    ['I12', 'no deliveries', { ...deliveries, output: deliveries.output.replaceAll('5 del', '0 del') }],
  ])('%s: names %s', (wanted, _, verdict) => {
    expect(commandBreachesOf(verdict).map((breach) => breach.split(':', 1)[0])).toEqual([wanted])
  })
})
