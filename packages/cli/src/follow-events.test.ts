// No event is skipped and none comes twice, whatever the API does in between.
import { expect, test } from '@jest/globals'
import { createApiClient } from '@wds/api-client/client'
import { followEvents } from './follow-events.ts'

const since = '2026-01-01T00:00:00.000Z'
const page =
  (ids: string[], next_cursor: string, has_more = false) =>
  () =>
    Response.json({ object: 'list', data: ids.map((id) => ({ id })), has_more, next_cursor })
const refusal =
  (status: number, code: string, headers = {}) =>
  () =>
    new Response(JSON.stringify({ type: 't', title: 't', status, detail: 'why', code }), {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    })
const away = () => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
}

/** Follows until `wanted` events came, or it ends by itself. */
async function follow(answers: (() => Response)[], o: { wanted: number; types?: string[] }) {
  const asked: string[] = []
  const calls: string[] = []
  const ending = new AbortController()
  const fetch = async (url: string) => {
    asked.push(new URL(url).search)
    const answer = answers.shift()
    if (answer === undefined) throw new Error('nobody should ask any more')
    return answer()
  }
  const client = createApiClient({ baseUrl: 'http://api.test', fetch })
  const events = followEvents({
    client,
    types: o.types ?? [],
    since,
    signal: ending.signal,
    pauseMs: 1,
    onDisconnected: (reason) => calls.push(`disconnected: ${reason}`),
    onReconnected: () => calls.push('reconnected'),
  })
  const ids: string[] = []
  try {
    for await (const { id } of events) if (ids.push(id) === o.wanted) ending.abort()
  } catch (error) {
    calls.push(`ended: ${(error as { code: string }).code}`)
  }
  return { ids, asked, calls }
}

test('each page is asked for behind the one before, with the same filters, also when the API was away', async () => {
  const answers = [page(['a', 'b'], 'c1', true), away, refusal(503, 'unavailable'), page([], 'c2'), page(['c'], 'c3')]
  const { ids, asked, calls } = await follow(answers, { wanted: 3, types: ['sync.*', 'invoice.paid'] })
  expect(ids).toEqual(['a', 'b', 'c'])
  const filter = '?since=2026-01-01T00%3A00%3A00.000Z&limit=100&type=sync.*%2Cinvoice.paid'
  expect(asked).toEqual([filter, ...['c1', 'c1', 'c1', 'c2'].map((cursor) => `${filter}&cursor=${cursor}`)])
  expect(calls).toEqual(['disconnected: no answer (connect ECONNREFUSED)', 'reconnected'])
})

test('a first answer that does not come is asked for again from the same instant', async () => {
  const { ids, asked } = await follow([away, page(['a'], 'c1')], { wanted: 1 })
  expect([ids, new Set(asked).size, asked.length]).toEqual([['a'], 1, 2])
})

test.each([
  [401, 'invalid_token'],
  [403, 'insufficient_scope'],
  [409, 'event_expired'],
  [400, 'invalid_parameter'],
])('%i %s ends it: trying again mends nothing', async (status, code) => {
  const { ids, calls } = await follow([page(['a'], 'c1'), refusal(status, code)], { wanted: 2 })
  expect([ids, calls]).toEqual([['a'], [`ended: ${code}`]])
})
