// Rotation of the key-encryption key while the service runs (security.md XP03): no pause, no secret lost, the old key may go in the end.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEnvelopeEncryption, type KeyEncryptionKey } from '@wds/envelope-encryption/envelope-encryption'
import { checkKeyCanary } from '@wds/service-host/key-canary'
import { reencryptSecrets, sentenceOf } from '@wds/service-host/reencrypt-secrets'
import { newId, seedEvents } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { createClaimStore } from '../sending/store.ts'
import { secretColumn, storedSecrets } from './store.ts'

let routes: RoutesUnderTest
const keyOf = (kid: string): KeyEncryptionKey => ({ kid, key: randomBytes(32) })
const [oldKey, newKey] = [keyOf('old'), keyOf('new')]
beforeAll(async () => {
  routes = await startRoutes({ keys: [oldKey] })
})
afterAll(() => routes?.stop())

test('XP03: every secret is encrypted by the new key in batches, attempts under way open theirs, and the old key is forgotten a day later', async () => {
  const workspaceId = newId('wsp')
  const { worker, admin } = routes.engine
  const secrets: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const { body } = await routes.call(workspaceId, 'POST', '/v1/webhooks', { url: 'https://a.test/', events: ['*'] })
    secrets.push(
      body.secret,
      (await routes.call(workspaceId, 'POST', `/v1/webhooks/${body.id}/rotate-secret`)).body.secret,
    )
  }
  await checkKeyCanary(worker, { envelope: createEnvelopeEncryption([oldKey]), kid: 'old' })
  const both = createEnvelopeEncryption([newKey, oldKey])
  await checkKeyCanary(worker, { envelope: both, kid: 'new' })
  await seedEvents(routes.engine, { workspaceId, count: 1 })
  const fanOut = createFanOut({ pool: worker, onMade: () => undefined })
  while (await fanOut.turn());
  const store = createClaimStore({ pool: worker, disableGone: async () => undefined })
  const limits = { slots: 64, lanes: 32, leaseMs: -1, busy: [], share: 64, slowLanes: [], slowRoom: 64 }
  const claimed = await store.claim({ claimId: randomUUID(), ...limits })
  expect(claimed).toHaveLength(3)
  // A copy under another name than it was encrypted for, as a damaged value is.
  await admin.query(
    `insert into delivery.subscription_secrets
     select workspace_id, subscription_id, secret_id || 'x', 1000, ciphertext, hint, created, expires
       from (select * from delivery.subscription_secrets limit 1) s`,
  )
  const read: number[] = []
  const run = () =>
    reencryptSecrets({
      ...{ pool: routes.engine.http, worker, columns: [storedSecrets], envelope: both, kid: 'new', batch: 2 },
      progress: (count) => read.push(count.read),
    })
  // What no key opens is never passed over.
  await expect(run()).rejects.toThrow()
  read.length = 0
  await admin.query('delete from delivery.subscription_secrets where version = 1000')
  const first = await run()
  expect(first).toMatchObject({ read: 6, oldKeys: { forgotten: [] } })
  expect(sentenceOf(first)).toContain('run this again after')
  expect(read).toEqual([2, 4, 6, 6])
  const { rows } = await admin.query<{ id: string; ciphertext: string }>(
    'select secret_id as id, ciphertext from delivery.subscription_secrets order by secret_id',
  )
  const onlyNew = createEnvelopeEncryption([newKey])
  const opened = rows.map(({ id, ciphertext }) =>
    onlyNew.decrypt(ciphertext, { workspaceId, rowId: id, ...secretColumn }),
  )
  expect(opened.sort()).toEqual([...secrets].sort())
  // What was claimed before opens by a process that has both.
  for (const { secrets: live } of claimed)
    for (const { id, ciphertext } of live) both.decrypt(ciphertext, { workspaceId, rowId: id, ...secretColumn })
  expect(await run()).toMatchObject({ read: 6, changed: 0 })
  await expect(checkKeyCanary(worker, { envelope: onlyNew, kid: 'new' })).rejects.toThrow()
  await admin.query("update delivery.key_canaries set created = created - interval '26 hours'")
  const last = await run()
  expect(last.oldKeys).toEqual({ forgotten: ['old'], from: null })
  expect(sentenceOf(last)).toContain('nothing names the keys old any more')
  await checkKeyCanary(worker, { envelope: onlyNew, kid: 'new' })
})

test('regression: a key that no process of the service has started with encrypts nothing: the services could not open it', async () => {
  const { http: pool, worker, admin } = routes.engine
  const stored = async () => (await admin.query('select ciphertext from delivery.subscription_secrets')).rows
  const before = await stored()
  expect(before).toHaveLength(6)
  const current = { envelope: createEnvelopeEncryption([keyOf('strange'), newKey]), kid: 'strange' }
  const run = reencryptSecrets({ ...current, pool, worker, columns: [storedSecrets], progress: () => undefined })
  await expect(run).rejects.toThrow('no process of this service has started with it')
  expect(await stored()).toEqual(before)
})
