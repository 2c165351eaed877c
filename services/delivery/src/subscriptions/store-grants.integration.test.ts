// Grants that changed, over the real table: each is taken once, whatever the planner believes.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { createEngine, type Engine, newId } from '../engine.fixture.ts'
import { insertChangedGrants, takeChangedGrant } from './store-grants.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

const insert = async (count: number): Promise<string[]> => {
  const grants = Array.from({ length: count }, (_, nth) => {
    return { workspaceId: newId('wsp'), eventId: newId('evt', 1_000 + nth), grantId: 'grt_a', scopes: null }
  })
  await insertChangedGrants(engine.worker, grants)
  return grants.map(({ eventId }) => eventId)
}
const take = () => withTransaction(engine.worker, { workspaceId: null }, (tx) => takeChangedGrant(tx))

test.each([0, 1, 100])('with statistics of %i rows, a take takes one, the oldest', async (believed) => {
  await insert(believed)
  await engine.admin.query('vacuum analyze delivery.changed_grants')
  await engine.admin.query('delete from delivery.changed_grants')
  const ids = await insert(5)
  const taken = []
  for (let grant = await take(); grant !== null; grant = await take()) taken.push(grant.eventId)
  expect(taken).toEqual(ids)
})
