import { expect, test } from '@jest/globals'
import type { AggregateEvent, AnyAggregate } from './aggregate.ts'
import { foldEvents } from './fold-streams.ts'

interface Named {
  status: string
  name: string
}

/** As every decider of the services is written: a switch over the types, without a default. */
function evolve(state: Named, event: { type: 'Named'; data: object } | { type: 'Ended'; data: object }): Named {
  switch (event.type) {
    case 'Named':
      return { ...state, status: 'live', ...event.data }
    case 'Ended':
      return { ...state, status: 'ended' }
  }
}

const aggregate = {
  decider: { initialState: { status: 'none', name: '' }, evolve, decide: () => ({ ok: true, events: [] }) },
  columns: ({ status }: Named) => ({ status }),
} as unknown as AnyAggregate

const rowsOf = (events: AggregateEvent[]) =>
  events.map(({ type, data }, nth) => ({
    stream_id: 'id 1',
    version: nth + 1,
    event_type: type,
    data,
    created_ms: '0',
  }))

const named = { type: 'Named', data: { name: 'one' } }

test('a stream folds to the state after its last event', () => {
  const { complete } = foldEvents(aggregate, rowsOf([named, { type: 'Ended', data: {} }]), { open: null, isLast: true })
  expect(complete).toMatchObject([{ version: 2, state: { status: 'ended', name: 'one' }, fault: null }])
})

test.each([
  ['last', [named, { type: 'OfALaterRelease', data: {} }]],
  ['followed by one that is known', [named, { type: 'OfALaterRelease', data: {} }, { type: 'Ended', data: {} }]],
])('regression: F51: an event of a later release is named, and no row is made without it: it is %s', (_, events) => {
  const { complete } = foldEvents(aggregate, rowsOf(events), { open: null, isLast: true })
  expect(complete).toMatchObject([
    { fault: 'cannot be folded at version 2 (OfALaterRelease): this type is not known here' },
  ])
})
