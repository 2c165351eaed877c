// Which subscriptions get an event (decisions.md 26, domain.md 5, Loop rule).
import { describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import fc from 'fast-check'
import { aboutOf, createMatchIndex, wantsEvent } from './matching.ts'

const types = eventTypes.map((entry) => entry.type)
const pattern = fc.oneof(
  fc.constantFrom(...types),
  fc.constantFrom(...types).map((type) => `${type.slice(0, type.indexOf('.'))}.*`),
  fc.constant('*'),
)
const subscriptions = fc
  .array(fc.array(pattern, { minLength: 1, maxLength: 5 }), { maxLength: 12 })
  .map((list) => list.map((events, i) => ({ subscriptionId: `whk_${i}`, events })))

describe('createMatchIndex', () => {
  test('gives exactly the subscriptions with a pattern that means the type, each once, the first time and every time', () => {
    fc.assert(
      fc.property(subscriptions, fc.constantFrom(...types), (list, type) => {
        const index = createMatchIndex(list)
        const expected = list.filter((s) => wantsEvent(s, type)).map((s) => s.subscriptionId)
        expect(index.match(type, null)).toEqual(expected)
        expect(index.match(type, null)).toEqual(expected)
      }),
    )
  })

  test('a webhook event about a subscription goes to the others, never to it', () => {
    const index = createMatchIndex([
      { subscriptionId: 'whk_1', events: ['*'] },
      { subscriptionId: 'whk_2', events: ['webhook.*'] },
    ])
    expect(index.match('webhook.tested', aboutOf('webhook.tested', { webhook_id: 'whk_1' }))).toEqual(['whk_2'])
    expect(index.match('webhook.tested', aboutOf('webhook.tested', { webhook_id: 'whk_9' }))).toEqual([
      'whk_1',
      'whk_2',
    ])
  })

  test('a prefix ends at its period', () => {
    const index = createMatchIndex([{ subscriptionId: 'whk_1', events: ['sync.*'] }])
    expect([index.match('sync.completed', null), index.match('synchrony.x', null), index.match('sync', null)]).toEqual([
      ['whk_1'],
      [],
      [],
    ])
  })

  test('only webhook events speak of a subscription', () => {
    expect(aboutOf('sync.completed', { webhook_id: 'whk_1' })).toBeNull()
    for (const data of [null, 'x', {}, { webhook_id: 7 }]) expect(aboutOf('webhook.tested', data)).toBeNull()
  })
})
