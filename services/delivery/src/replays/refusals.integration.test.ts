// What a bulk replay is refused for: each its own problem, and nothing stored.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { edgeId } from '@wds/contracts/ids'
import { newId } from '../engine.fixture.ts'
import { period, type ReplaysUnderTest, startReplays, type Workspace } from './replays.fixture.ts'

let replays: ReplaysUnderTest
let mine: Workspace
let webhook: string
let deliveryIds: string[]
beforeAll(async () => {
  replays = await startReplays()
  mine = replays.newWorkspace()
  webhook = await mine.withDead(2)
  deliveryIds = (await mine.call('GET', '/v1/dead-letters')).body.data.map(({ id }) => id)
})
afterAll(() => replays?.stop())

const dayMs = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function refusal(path: string, body: object, { call } = mine) {
  const answers = [await call('POST', path, body), await call('POST', path, { ...body, dry_run: true })]
  const { data } = (await call('GET', '/v1/replays')).body
  return {
    answers: answers.map(({ status, body: b }) => [status, b.code, b.errors?.[0]?.pointer]),
    stored: data.length,
  }
}
const twice = (...answer: unknown[]) => ({ answers: [answer, answer], stored: 0 })

describe('a period', () => {
  test.each([
    ['neither a period nor deliveries', {}, [422, 'required', '/since']],
    [
      'too long: it begins before the days that are kept',
      { since: ago(31 * dayMs) },
      [422, 'period_too_old', '/since'],
    ],
    ['too old', { since: ago(90 * dayMs), until: ago(80 * dayMs) }, [422, 'period_too_old', '/since']],
    ['that begins in the future', { since: ago(-dayMs) }, [422, 'out_of_range', '/since']],
    ['in the future', { since: ago(dayMs), until: ago(-dayMs) }, [422, 'out_of_range', '/until']],
    ['that ends before it begins', { since: ago(dayMs), until: ago(2 * dayMs) }, [422, 'out_of_range', '/until']],
    [
      'of a type that does not exist',
      { since: ago(dayMs), types: ['no.such'] },
      [422, 'unknown_event_type', '/types/0'],
    ],
    [
      'of a state that cannot be replayed',
      { since: ago(dayMs), status: ['pending'] },
      [422, 'invalid_value', '/status/0'],
    ],
    ['faster than allowed', { since: ago(dayMs), rate: 1_001 }, [422, 'out_of_range', '/rate']],
    ['with a filter of dead letters', { since: ago(dayMs), reason: 'gone' }, [422, 'unknown_field', '/reason']],
  ])('%s', async (_name, body, answer) => {
    expect(await refusal(`/v1/webhooks/${webhook}/replays`, body)).toEqual(twice(...answer))
  })

  test('in which nothing matches is refused, and counted by a dry run', async () => {
    const nothing = { since: ago(2 * dayMs), until: ago(dayMs) }
    expect(await refusal(`/v1/webhooks/${webhook}/replays`, nothing)).toEqual({
      answers: [
        [422, 'nothing_matched', undefined],
        [200, undefined, undefined],
      ],
      stored: 0,
    })
  })

  test('of a subscription that is missing, another workspace’s, or disabled, or of dead letters of no type', async () => {
    const path = (id: string) => `/v1/webhooks/${id}/replays`
    expect(await refusal(path(newId('whk')), period())).toEqual(twice(404, 'not_found', undefined))
    expect(await refusal(path(webhook), period(), replays.newWorkspace())).toEqual(twice(404, 'not_found', undefined))
    const disabled = await mine.subscribe(['invoice.paid'])
    await mine.call('POST', `/v1/webhooks/${disabled}/disable`)
    expect(await refusal(path(disabled), period())).toEqual(twice(409, 'webhook_disabled', undefined))
    expect(await refusal('/v1/replays', { type: 'invoice.*' })).toEqual(twice(422, 'unknown_event_type', '/type'))
    expect(await refusal('/v1/replays', { until: ago(-dayMs) })).toEqual(twice(422, 'out_of_range', '/until'))
    expect(await refusal('/v1/replays', { webhook_id: newId('whk') })).toEqual(twice(404, 'not_found', '/webhook_id'))
    expect(await refusal('/v1/replays', { webhook_id: disabled })).toEqual(twice(409, 'webhook_disabled', undefined))
  })
})

describe('a selection', () => {
  const selected = (delivery_ids: string[]) =>
    [`/v1/webhooks/${webhook}/replays`, '/v1/replays'].map((path) => refusal(path, { delivery_ids }))

  test('XB07: with an id that is missing or another workspace’s is 404, with the same body', async () => {
    const other = replays.newWorkspace()
    await other.withDead(1)
    const [foreign = ''] = (await other.call('GET', '/v1/dead-letters')).body.data.map(({ id }) => id)
    for (const id of [foreign, newId('dlv')]) {
      for (const answer of selected([...deliveryIds, id]))
        expect(await answer).toEqual(twice(404, 'not_found', '/delivery_ids'))
      const { body } = await mine.call('POST', '/v1/replays', { delivery_ids: [id] })
      expect(body.errors).toEqual([
        { pointer: '/delivery_ids', code: 'not_found', detail: `There is no delivery ${id}.` },
      ])
    }
  })

  test('with a delivery of another subscription of the same workspace', async () => {
    const second = await mine.withDead(1, { events: ['invoice.paid'], type: 'invoice.paid' })
    const [theirs = ''] = (await mine.call('GET', `/v1/dead-letters?webhook_id=${second}`)).body.data.map(
      ({ id }) => id,
    )
    const path = `/v1/webhooks/${webhook}/replays`
    expect(await refusal(path, { delivery_ids: [theirs] })).toEqual(twice(404, 'not_found', '/delivery_ids'))
  })

  test('with an event that has expired', async () => {
    const expired = edgeId('dlv', Date.now() - 31 * dayMs, 'first')
    for (const answer of selected([...deliveryIds, expired]))
      expect(await answer).toEqual(twice(409, 'event_expired', undefined))
  })

  test('of more than 100, of one twice, of none, of other ids, or together with a period', async () => {
    const many = Array.from({ length: 101 }, () => newId('dlv'))
    const bodies = [many, [deliveryIds[0], deliveryIds[0]], [], [newId('evt')]].map((delivery_ids) => ({
      delivery_ids,
    }))
    for (const body of [...bodies, { delivery_ids: deliveryIds, since: ago(dayMs) }]) {
      const { answers, stored } = await refusal(`/v1/webhooks/${webhook}/replays`, body)
      expect([answers.map(([status]) => status), stored]).toEqual([[422, 422], 0])
    }
  })

  test('in which every delivery is open already', async () => {
    const { call, subscribe, publish } = replays.newWorkspace()
    await subscribe(['invoice.paid'])
    await publish({ type: 'invoice.paid' })
    const { data } = (
      await call('GET', `/v1/webhooks/${(await call('GET', '/v1/webhooks')).body.data[0]?.id}/deliveries`)
    ).body
    const asked = await call('POST', '/v1/replays', { delivery_ids: data.map(({ id }) => id) })
    expect([asked.status, asked.body.code]).toEqual([422, 'nothing_matched'])
  })
})

describe('a second one', () => {
  test('while one of the same subscription is open, paused included, is 409 with the id of that one; a selection is not', async () => {
    const { call, withDead, untilEnded } = replays.newWorkspace()
    const [first, second] = [await withDead(3, { events: ['invoice.paid'], type: 'invoice.paid' }), await withDead(1)]
    const ask = (id: string | null) =>
      call('POST', id === null ? '/v1/replays' : `/v1/webhooks/${id}/replays`, id === null ? {} : period())
    const open = await ask(first)
    expect(open.status).toBe(202)
    await call('POST', `/v1/replays/${open.body.id}/pause`)
    const running = { status: 409, code: 'replay_already_running', replay_id: open.body.id }
    expect((await ask(first)).body).toMatchObject(running)
    // One over all subscriptions overlaps with each of them.
    expect((await ask(null)).body).toMatchObject(running)
    const beside = await ask(second)
    expect(beside.status).toBe(202)
    await call('POST', `/v1/replays/${beside.body.id}/cancel`)
    const [named = ''] = (await call('GET', `/v1/dead-letters?webhook_id=${first}`)).body.data.map(({ id }) => id)
    const selection = await call('POST', '/v1/replays', { delivery_ids: [named] })
    expect(await untilEnded(selection.body.id)).toMatchObject({ status: 'completed', opened: 1 })
    // What was retried by hand meanwhile is skipped when its turn comes.
    await call('POST', `/v1/replays/${open.body.id}/resume`)
    expect(await untilEnded(open.body.id)).toMatchObject({ status: 'completed', matched: 3, opened: 2, skipped: 1 })
    expect((await ask(first)).body.code).toBe('nothing_matched')
  })

  test('C30: asked for 10 times at once, exactly one is made', async () => {
    const { call, withDead } = replays.newWorkspace()
    const id = await withDead(2)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', `/v1/webhooks/${id}/replays`, period())),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)])
    expect((await call('GET', '/v1/replays')).body.data).toHaveLength(1)
  })
})

test('XB07: another workspace’s replay is 404, read or acted upon', async () => {
  const { call, withDead } = replays.newWorkspace()
  const id = await withDead(1)
  const { body } = await call('POST', `/v1/webhooks/${id}/replays`, period())
  const calls = [['GET', ''], ...['pause', 'resume', 'cancel'].map((action) => ['POST', `/${action}`])] as const
  for (const [method = '', action] of calls) {
    const answer = await mine.call(method, `/v1/replays/${body.id}${action}`)
    expect([action, answer.status]).toEqual([action, 404])
  }
  expect((await call('GET', `/v1/replays/${body.id}`)).body).toMatchObject({ status: 'queued', version: 1 })
})
