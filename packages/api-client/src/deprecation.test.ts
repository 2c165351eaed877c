// An operation that will end is told to the program that calls it.
import { expect, test } from '@jest/globals'
import { type ApiClientOptions, createApiClient } from './client.ts'
import { ApiProblem } from './problem.ts'

const going = {
  deprecation: '@1801440000',
  sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
  link: '<https://docs.example/webhooks>; rel="deprecation"; type="text/html"',
}

function clientWith(answers: Response[], o: Partial<ApiClientOptions> = {}) {
  const fetch = async () => answers.shift() as Response
  return createApiClient({ baseUrl: 'https://api.example', fetch, ...o })
}

test('regression: once for each operation, from a refusal, too', async () => {
  const notices: unknown[] = []
  const refusal = Response.json({ code: 'not_found', detail: 'D' }, { status: 404, headers: going })
  const answers = [refusal, Response.json({}, { headers: going }), Response.json({})]
  const client = clientWith(answers, { onDeprecated: (notice) => notices.push(notice) })
  await expect(client.get('/v1/webhooks/{id}', { path: { id: 'a' } })).rejects.toThrow(ApiProblem)
  await client.get('/v1/webhooks/{id}', { path: { id: 'b' } })
  await client.get('/v1/event-types')
  expect(notices).toEqual([
    {
      operation: 'GET /v1/webhooks/{id}',
      since: new Date('2027-02-01T00:00:00Z'),
      sunset: new Date('2028-02-01T00:00:00Z'),
      link: 'https://docs.example/webhooks',
    },
  ])
})

test('where nobody listens, and what cannot be read, changes no answer', async () => {
  const client = clientWith([Response.json({ data: [] }, { headers: { deprecation: 'soon', sunset: 'never' } })])
  expect((await client.get('/v1/event-types')).status).toBe(200)
})
