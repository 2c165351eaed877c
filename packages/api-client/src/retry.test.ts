// What is sent again, with which key, and after how long.
import { describe, expect, test } from '@jest/globals'
import { createApiClient } from './client.ts'

const ok = () => Response.json({ id: 'whk_1' })
const problem =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify({ type: 'x', title: 'T', status, detail: 'D', code }), {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    })
const page = (status: number) => () => new Response('<h1>Bad gateway</h1>', { status })
const lost = () => {
  throw new TypeError('fetch failed')
}

/** A client whose calls get these answers, what it sent, and how long it waited. */
function clientWith(answers: (() => Response)[], times = 3) {
  const keys: (string | undefined)[] = []
  const waits: number[] = []
  const client = createApiClient({
    baseUrl: 'https://api.example',
    retries: { times, wait: async (ms) => void waits.push(ms) },
    fetch: async (_, { headers }) => {
      keys.push((headers as Record<string, string>)['idempotency-key'])
      return (answers.shift() ?? lost)()
    },
  })
  return { client, keys, waits }
}
const body = { url: 'https://a.example', events: ['*'] }
const path = { id: 'whk_1' }

describe('retries', () => {
  test('a POST whose answers are lost is sent again with the key of the first try', async () => {
    const { client, keys, waits } = clientWith([lost, page(502), ok])
    expect((await client.post('/v1/webhooks', { body })).status).toBe(200)
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect(keys[0]).toMatch(/^"\w{32}"$/)
    expect(waits.map((ms, nth) => ms >= 250 * 2 ** nth && ms <= 500 * 2 ** nth)).toEqual([true, true])
  })

  test('two calls have two keys', async () => {
    const { client, keys } = clientWith([ok, ok])
    for (const _ of [1, 2]) await client.post('/v1/webhooks', { body })
    expect(new Set(keys).size).toBe(2)
  })

  test('a refusal that says when to come again is waited for', async () => {
    const { client, waits } = clientWith([
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      problem(409, 'idempotency_in_progress', { 'retry-after': '1' }),
      problem(503, 'unavailable', { 'retry-after': '2' }),
      ok,
    ])
    await client.post('/v1/webhooks', { body })
    expect(waits).toEqual([7000, 1000, 2000])
  })

  test.each([
    ['a quota that is over for longer than a minute', problem(429, 'quota_exceeded', { 'retry-after': '3600' })],
    ['a fault of the request', problem(422, 'unknown_field')],
    ['a conflict', problem(409, 'invalid_state')],
  ])('%s is thrown at once', async (_, answer) => {
    const { client, keys } = clientWith([answer, ok])
    await expect(client.post('/v1/webhooks', { body })).rejects.toMatchObject({ name: 'ApiProblem' })
    expect(keys).toHaveLength(1)
  })

  test('PATCH and DELETE are sent again only where they were refused before they had an effect', async () => {
    const refused = clientWith([problem(503, 'unavailable'), ok])
    await refused.client.patch('/v1/webhooks/{id}', { path, body: { description: 'x' } })
    expect(refused.keys).toHaveLength(2)
    for (const answer of [lost, page(503), problem(500, 'internal')]) {
      const { client, keys } = clientWith([answer, ok])
      await expect(client.delete('/v1/webhooks/{id}', { path })).rejects.toThrow()
      expect(keys).toHaveLength(1)
    }
  })

  test('after the last one the last error is thrown, with its key', async () => {
    const { client, keys } = clientWith([], 2)
    const error = await client.post('/v1/webhooks', { body }).catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'NoAnswer' })
    expect(keys).toEqual(Array(3).fill(`"${error.idempotencyKey}"`))
  })

  test('without the option nothing is sent again', async () => {
    let sent = 0
    const fetch = async () => {
      sent += 1
      return lost()
    }
    await expect(createApiClient({ baseUrl: '', fetch }).get('/v1/webhooks')).rejects.toThrow('no answer')
    expect(sent).toBe(1)
  })

  test('a signal ends the wait', async () => {
    const abort = new AbortController()
    const client = createApiClient({
      baseUrl: '',
      retries: { times: 1 },
      fetch: async () => {
        queueMicrotask(() => setImmediate(() => abort.abort(new Error('the page was left'))))
        return problem(503, 'unavailable', { 'retry-after': '50' })()
      },
    })
    await expect(client.get('/v1/webhooks', { signal: abort.signal })).rejects.toThrow('the page was left')
  })
})
