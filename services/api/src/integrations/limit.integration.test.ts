// security.md 5: how many integrations a workspace may have.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const create = (as: 'a' | 'b' = 'a') =>
  fixture.call('POST', '/v1/integrations', { as, json: { name: 'One', brand_slug: 'acme', provider: 'csv_upload' } })

test('a workspace has at most 200 integrations, also where they are made at once; a deleted one makes room', async () => {
  const { id } = (await create()).body
  await fixture.adminPool.query(`insert into api.integrations
    select (jsonb_populate_record(i, jsonb_build_object('id', 'int_' || lpad(n::text, 26, '0')))).*
    from api.integrations i, generate_series(1, 189) n`)
  const last = await Promise.all(Array.from({ length: 15 }, () => create()))
  expect(last.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(5).fill(409)])
  expect(last.find(({ status }) => status === 409)?.body.code).toBe('limit_reached')
  expect((await create('b')).status).toBe(201)
  expect((await fixture.call('DELETE', `/v1/integrations/${id}`)).status).toBe(204)
  expect([(await create()).status, (await create()).status]).toEqual([201, 409])
})
