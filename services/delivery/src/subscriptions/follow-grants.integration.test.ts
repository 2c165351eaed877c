// Grants that end are followed workspace by workspace: none waits for another.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../engine.fixture.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { createGrantsTurn } from './follow-grants.ts'
import { insertChangedGrants } from './store-grants.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

test('regression: a grant that cannot be followed keeps no other workspace from it, where all of them waited', async () => {
  const { worker, admin } = routes.engine
  const [broken, sound] = [newId('wsp'), newId('wsp')]
  const subscribed = []
  for (const [nth, workspaceId] of [broken, sound].entries()) {
    const grantId = `grt_${nth}`
    const scopes = new Set(['webhooks:manage'] as const)
    const app = routes.as(workspaceId, { kind: 'client', id: 'cli_1', userId: 'usr_1', grantId, scopes })
    const { body } = await routes.call(app, 'POST', '/v1/webhooks', { url: 'https://a.test/', events: ['sync.*'] })
    subscribed.push(body.id)
    await insertChangedGrants(worker, [{ workspaceId, eventId: newId('evt', 1_000 + nth), grantId, scopes: null }])
  }
  // An event of its stream has the next version already.
  await admin.query('update delivery.subscriptions set version = 0 where workspace_id = $1', [broken])
  const turn = createGrantsTurn(worker)
  await expect(turn()).rejects.toThrow('is not at version 0')
  expect(await turn()).toBe(true)
  const { rows } = await admin.query(
    'select workspace_id, status from delivery.subscriptions where subscription_id = any($1)',
    [subscribed],
  )
  expect(new Map(rows.map(({ workspace_id: id, status }) => [id, status]))).toEqual(
    new Map([
      [broken, 'enabled'],
      [sound, 'disabled'],
    ]),
  )
})
