import { expect, test } from '@jest/globals'
import { createConsoleApi } from './api.ts'

interface Seen {
  url: string
  method: string
  token: string | null
  csrf: string | null
  key: string | null
}

/** Answers each call with what `answer` says; tokens are counted. */
function start(answer: (seen: Seen) => { status: number; body?: object } = () => ({ status: 200, body: {} })) {
  const calls: Seen[] = []
  let tokens = 0
  let nowMs = 0
  let ends = 0
  const api = createConsoleApi({
    baseUrl: 'https://api.example.test',
    now: () => nowMs,
    onSessionEnd: () => {
      ends += 1
    },
    fetch: async (url, init) => {
      const headers = new Headers(init.headers)
      const [token, csrf, key] = ['authorization', 'x-csrf-token', 'idempotency-key'].map((name) => headers.get(name))
      const seen = { url, method: String(init.method), token: token ?? null, csrf: csrf ?? null, key: key ?? null }
      calls.push(seen)
      const made = {
        access_token: `token-${url.endsWith('/token') ? ++tokens : 0}`,
        token_type: 'Bearer',
        expires_in: 300,
        scope: '',
      }
      const { status, body } = url.endsWith('/v1/session/token')
        ? { status: 200, body: made, ...tokenAnswer() }
        : answer(seen)
      const type = status < 400 ? 'application/json' : 'application/problem+json'
      return new Response(JSON.stringify(body ?? { code: 'x', detail: 'x', title: 'x', type: 'x', status }), {
        status,
        headers: { 'content-type': type },
      })
    },
  })
  let tokenAnswer = (): { status?: number; body?: object } => ({})
  return {
    api,
    calls,
    pass: (ms: number) => {
      nowMs += ms
    },
    refuseTokens: (status: number, code = 'unauthenticated') => {
      tokenAnswer = () => ({ status, body: { code, detail: 'x', title: 'x', type: 'x', status } })
    },
    ends: () => ends,
  }
}

const rest = (calls: readonly Seen[]) => calls.filter(({ url }) => !url.endsWith('/v1/session/token'))

test('one token is fetched by one call at a time, kept, and renewed after four minutes', async () => {
  const { api, calls, pass } = start()
  await Promise.all([api.get('/v1/webhooks'), api.get('/v1/webhooks'), api.get('/v1/event-types')])
  pass(239_000)
  await api.get('/v1/webhooks')
  expect(rest(calls).map(({ token }) => token)).toEqual(Array(4).fill('Bearer token-1'))
  pass(2_000)
  await api.get('/v1/webhooks')
  expect(calls.at(-1)?.token).toBe('Bearer token-2')
})

test('a token that is refused is renewed once, and a write goes out again with its key', async () => {
  const { api, calls, ends } = start(({ token }) => ({ status: token === 'Bearer token-1' ? 401 : 200 }))
  await api.post('/v1/webhooks/{id}/enable', { path: { id: 'whk_1' } })
  const [first, second, ...more] = rest(calls)
  expect([first?.token, second?.token, more.length, ends()]).toEqual(['Bearer token-1', 'Bearer token-2', 0, 0])
  expect(second?.key).toBe(first?.key)
})

test('an answer that stays 401 is told as the end of the session', async () => {
  const { api, refuseTokens, ends, pass } = start()
  await api.get('/v1/webhooks')
  pass(300_000)
  refuseTokens(401)
  await expect(api.get('/v1/webhooks')).rejects.toMatchObject({ status: 401 })
  expect(ends()).toBe(1)
})

test('regression: a session that was begun anew in another tab is told as the end of this one, of reading and of writing', async () => {
  const csrfFailed = { status: 403, body: { code: 'csrf_failed', detail: 'x', title: 'x', type: 'x', status: 403 } }
  const { api, refuseTokens, ends, pass } = start(({ csrf }) => (csrf === 'csrf-1' ? csrfFailed : { status: 200 }))
  api.takeSession('csrf-1')
  await api.get('/v1/webhooks')
  pass(300_000)
  refuseTokens(403, 'csrf_failed')
  await expect(api.get('/v1/webhooks')).rejects.toMatchObject({ code: 'csrf_failed' })
  expect(ends()).toBe(1)
  await expect(api.delete('/v1/api-keys/{id}', { path: { id: 'key_1' } })).rejects.toMatchObject({ status: 403 })
  expect(ends()).toBe(2)
  api.takeSession('csrf-2')
  await api.delete('/v1/api-keys/{id}', { path: { id: 'key_1' } })
  expect(ends()).toBe(2)
})

test('a write that takes a new sign-in is told as the end of the session: its note leads there', async () => {
  const asks = { code: 'recent_sign_in_required', detail: 'x', title: 'x', type: 'x', status: 403 }
  const { api, ends } = start(() => ({ status: 403, body: asks }))
  await expect(api.delete('/v1/api-keys/{id}', { path: { id: 'key_1' } })).rejects.toMatchObject({ code: asks.code })
  expect(ends()).toBe(1)
})

test('a switch in another tab, which has its own note, is not told as the end of the session', async () => {
  const { api, refuseTokens, ends } = start()
  api.stopWrites()
  refuseTokens(403, 'csrf_failed')
  await expect(api.get('/v1/webhooks')).rejects.toMatchObject({ code: 'csrf_failed' })
  expect(ends()).toBe(0)
})

test('settings routes go to the own origin with the CSRF token, which only writes carry', async () => {
  const { api, calls } = start()
  api.takeSession('csrf-1')
  await api.get('/v1/api-keys')
  await api.delete('/v1/api-keys/{id}', { path: { id: 'key_1' } })
  expect(calls.map(({ url, csrf, token }) => [url, csrf, token])).toEqual([
    ['/v1/api-keys', null, null],
    ['/v1/api-keys/key_1', 'csrf-1', null],
  ])
})

test('the session of another workspace forgets the token', async () => {
  const { api, calls } = start()
  api.takeSession('csrf-1')
  await api.get('/v1/webhooks')
  api.takeSession('csrf-2')
  await api.get('/v1/webhooks')
  expect(rest(calls).map(({ token }) => token)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('after a switch in another tab nothing is written any more, and reading goes on', async () => {
  const { api, calls } = start()
  api.stopWrites()
  await expect(api.post('/v1/webhooks/{id}/enable', { path: { id: 'whk_1' } })).rejects.toMatchObject({
    name: 'WritesStopped',
  })
  await api.get('/v1/webhooks')
  expect(rest(calls).map(({ method }) => method)).toEqual(['GET'])
})

test('regression: after a switch in another tab, signing out ends the session, by the CSRF token of the workspace that is current now', async () => {
  const { api, calls } = start(({ method }) => ({
    status: 200,
    body: method === 'GET' ? { csrf_token: 'csrf-2' } : {},
  }))
  api.takeSession('csrf-1')
  api.stopWrites()
  await api.endSession()
  expect(calls.map(({ method, url, csrf }) => [method, url, csrf])).toEqual([
    ['GET', '/v1/session', null],
    ['POST', '/v1/session/end', 'csrf-2'],
  ])
  await expect(api.delete('/v1/api-keys/{id}', { path: { id: 'key_1' } })).rejects.toMatchObject({
    name: 'WritesStopped',
  })
})
