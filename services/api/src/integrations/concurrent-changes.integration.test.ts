// Changes of integrations that arrive together.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

test('changes that arrive together, of two workspaces, on one and on several integrations, good and bad: each is as if it came alone', async () => {
  const make = async (as: 'a' | 'b', provider = 'csv_upload') => {
    const json = { name: 'One', brand_slug: 'acme', schedule: null, provider }
    const { body } = await fixture.call('POST', '/v1/integrations', { as, json })
    return String(body.id)
  }
  const [hot, demo] = [await make('a'), await make('a', 'demo')]
  const [a1, a2, b1, b2] = [await make('a'), await make('a'), await make('b'), await make('b')]
  const patch = (as: 'a' | 'b', id: string, json: object, headers = {}) =>
    fixture.call('PATCH', `/v1/integrations/${id}`, { as, json, headers })
  const changes = Array.from({ length: 20 }, (_, n) => [
    patch('a', hot, { name: `hot ${n}` }),
    patch('a', a1, { name: `a1 ${n}` }),
    patch('b', b1, { name: `b1 ${n}` }),
    // Somebody else's, out of date, wrong, without effect, and one that writes more than the integration.
    patch('b', a2, { name: `stolen ${n}` }),
    patch('a', a2, { name: `stale ${n}` }, { 'if-match': '"v7"' }),
    patch('b', b2, { name: '' }),
    patch('b', b2, { name: 'One' }),
    patch('a', demo, { schedule: { every_minutes: 60 + (n % 2) * 60 } }),
  ])
  const answers = await Promise.all(changes.flat())
  const statuses = answers.map(({ status }) => status)
  const each = [200, 200, 200, 404, 412, 422, 200, 200]
  expect(statuses).toEqual(Array.from({ length: 20 }, () => each).flat())
  const { rows } = await fixture.adminPool.query<{
    id: string
    mine: boolean
    row: number
    facts: number
    told: number
  }>(
    `select i.id, i.version as row, max(e.version) as facts, count(o.id)::integer as told,
       bool_and(e.workspace_id = i.workspace_id and o.workspace_id = i.workspace_id) as mine
     from api.integrations i join api.stream_events e on e.stream_id = i.id left join api.outbox o on o.event_id = e.event_id
     where i.id = any($1) group by i.id, i.version`,
    [[hot, demo, a1, a2, b1, b2]],
  )
  const stand = Object.fromEntries(rows.map(({ id, mine, row, facts, told }) => [id, [mine, row, facts, told]]))
  const [changed, untouched] = [
    [true, 21, 21, 21],
    [true, 1, 1, 1],
  ]
  // Some of its changes had no effect: it had that schedule.
  const version = stand[demo]?.[1]
  expect(stand).toEqual({
    [demo]: [true, version, version, version],
    [hot]: changed,
    [a1]: changed,
    [b1]: changed,
    [a2]: untouched,
    [b2]: untouched,
  })
  const { rows: schedules } = await fixture.adminPool.query('select from api.schedules where integration_id = $1', [
    demo,
  ])
  expect(schedules).toHaveLength(1)
  // Each of them answered with a version of its own.
  const tags = answers.flatMap(({ body, headers }) => (body.id === hot ? [headers.get('etag')] : []))
  expect(new Set(tags).size).toBe(20)
})
