// Which subscriptions get an event (settled-points.md 26, domain.md 5, Loop rule).
import { describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import fc from 'fast-check'
import { aboutOf, createMatchIndex, type Matchable, wantsType } from './matching.ts'

const types = eventTypes.map((entry) => entry.type)
const pattern = fc.oneof(
  fc.constantFrom(...types),
  fc.constantFrom(...types).map((type) => `${type.slice(0, type.indexOf('.'))}.*`),
  fc.constant('*'),
)
const subscriptions = fc
  .array(fc.array(pattern, { minLength: 1, maxLength: 5 }), { maxLength: 12 })
  .map((list) => list.map((events, i) => wanting(`whk_${i}`, events)))

function wanting(subscriptionId: string, events: string[], o: Partial<Matchable> = {}): Matchable {
  return { subscriptionId, events, filter: null, scopes: null, ...o }
}

/** An event whose body nobody may ask for. */
const bare = (type: string, about: string | null = null) => ({
  type,
  about,
  body() {
    throw new Error('no filter judges it')
  },
})

describe('createMatchIndex', () => {
  test('I11: gives exactly the subscriptions with a pattern that means the type, each once, the first time and every time', () => {
    fc.assert(
      fc.property(subscriptions, fc.constantFrom(...types), (list, type) => {
        const index = createMatchIndex(list)
        const expected = list.filter((s) => wantsType(s, type)).map((s) => s.subscriptionId)
        expect(index.match(bare(type))).toEqual(expected)
        expect(index.match(bare(type))).toEqual(expected)
      }),
    )
  })

  test('a webhook event about a subscription goes to the others, never to it', () => {
    const index = createMatchIndex([wanting('whk_1', ['*']), wanting('whk_2', ['webhook.*'])])
    expect(index.match(bare('webhook.tested', aboutOf('webhook.tested', { webhook_id: 'whk_1' })))).toEqual(['whk_2'])
    expect(index.match(bare('webhook.tested', aboutOf('webhook.tested', { webhook_id: 'whk_9' })))).toEqual([
      'whk_1',
      'whk_2',
    ])
  })

  test('a prefix ends at its period', () => {
    const index = createMatchIndex([wanting('whk_1', ['sync.*'])])
    expect(['sync.completed', 'synchrony.x', 'sync'].map((type) => index.match(bare(type)))).toEqual([
      ['whk_1'],
      [],
      [],
    ])
  })

  test('a filter judges the body, once it is asked for, and only where the type is wanted', () => {
    const filter = { all: [{ pointer: '/data/status', op: 'eq' as const, value: 'failed' }] }
    const index = createMatchIndex([wanting('whk_1', ['sync.*'], { filter }), wanting('whk_2', ['*'])])
    const sync = (status: string) => ({ type: 'sync.completed', about: null, body: () => ({ data: { status } }) })
    expect(index.match(sync('failed'))).toEqual(['whk_1', 'whk_2'])
    expect(index.match(sync('success'))).toEqual(['whk_2'])
    expect(index.match({ ...sync('failed'), body: () => undefined })).toEqual(['whk_2'])
    expect(index.match(bare('invoice.paid'))).toEqual(['whk_2'])
    expect([index.needsBody('sync.completed'), index.needsBody('invoice.paid')]).toEqual([true, false])
  })

  test('XB08: with strict scopes a type goes where all its read scopes are held, an unknown one nowhere', () => {
    const index = createMatchIndex([
      wanting('whk_1', ['*'], { scopes: ['webhooks:manage', 'integrations:read'] }),
      wanting('whk_2', ['*'], { scopes: ['webhooks:manage', 'integrations:read', 'campaigns:read', 'invoices:read'] }),
      wanting('whk_3', ['*'], { scopes: [] }),
      wanting('whk_4', ['*']),
    ])
    const to = (type: string) => index.match(bare(type))
    expect(to('sync.completed')).toEqual(['whk_1', 'whk_2', 'whk_4'])
    expect(to('import.completed')).toEqual(['whk_2', 'whk_4'])
    expect(to('webhook.disabled')).toEqual(['whk_1', 'whk_2', 'whk_3', 'whk_4'])
    expect(to('later.type')).toEqual(['whk_4'])
  })

  test('only webhook events speak of a subscription', () => {
    expect(aboutOf('sync.completed', { webhook_id: 'whk_1' })).toBeNull()
    for (const data of [null, 'x', {}, { webhook_id: 7 }]) expect(aboutOf('webhook.tested', data)).toBeNull()
  })
})
