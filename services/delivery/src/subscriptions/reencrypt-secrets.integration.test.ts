// Rotation of the key-encryption key while the service runs (security.md XP03): no pause, no secret lost, the old key may go in the end.
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createEnvelopeEncryption,
  type KeyEncryptionKey,
  keyIdOf,
  readKeyFile,
} from '@wds/envelope-encryption/envelope-encryption'
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
      pool: routes.engine.http,
      worker,
      columns: [storedSecrets],
      envelope: both,
      kid: 'new',
      batch: 2,
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

/** Keys in files, as processes of the service get them. */
const folder = mkdtempSync(join(tmpdir(), 'reencrypt-'))
afterAll(() => rmSync(folder, { recursive: true }))

function keyFile(name: string): { file: string; key: KeyEncryptionKey } {
  const file = join(folder, name)
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  const key = readKeyFile(file)
  return { file, key: { kid: keyIdOf(key), key } }
}

/** The operator's command. */
function startCommand(current: { file: string }, old: { file: string }) {
  const { http, worker } = routes.engine.database.urls.services.delivery
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'reencrypt-secrets'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: http,
      WDS_WORKER_DATABASE_URL: worker,
      WDS_ENCRYPTION_KEY_FILE: current.file,
      WDS_ENCRYPTION_OLD_KEY_FILES: old.file,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  return { child, ended: once(child, 'close').then(() => output) }
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await sleep(10)
  }
}

/** Backends of the command, or those of them that wait for a lock. */
async function backends(o: { waiting: boolean }): Promise<number> {
  const { rows } = await routes.engine.admin.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'delivery-command' and (not $1 or wait_event_type = 'Lock')`,
    [o.waiting],
  )
  return rows[0]?.n ?? 0
}

describe('a run that is killed, and the way back', () => {
  const [a, b] = [keyFile('a'), keyFile('b')]
  const [onA, onB] = [createEnvelopeEncryption([a.key, b.key]), createEnvelopeEncryption([b.key, a.key])]
  const secrets = new Map<string, string>()
  const workspaceId = newId('wsp')
  const opens = async (keys: KeyEncryptionKey[]) => {
    const envelope = createEnvelopeEncryption(keys)
    const { rows } = await routes.engine.admin.query<{ id: string; ciphertext: string }>(
      'select secret_id as id, ciphertext from delivery.subscription_secrets',
    )
    const opened = rows.map(({ id, ciphertext }): [string, string] => {
      return [id, envelope.decrypt(ciphertext, { workspaceId, rowId: id, ...secretColumn })]
    })
    expect(new Map(opened)).toEqual(secrets)
    return rows.filter(({ ciphertext }) => onB.isOutdated(ciphertext)).length
  }
  const start = (envelope: typeof onA, { key: { kid } }: typeof a) =>
    checkKeyCanary(routes.engine.worker, { envelope, kid })
  const daysPass = (days: number) =>
    routes.engine.admin.query("update delivery.key_canaries set created = created - $1::int * interval '1 day'", [days])

  beforeAll(async () => {
    const { body } = await routes.call(workspaceId, 'POST', '/v1/webhooks', { url: 'https://a.test/', events: ['*'] })
    const { admin } = routes.engine
    await admin.query('delete from delivery.subscription_secrets')
    await admin.query('delete from delivery.key_canaries')
    for (let nth = 1; nth <= 450; nth += 1) secrets.set(`${body.id}.${1_000 + nth}`, randomBytes(24).toString('base64'))
    const rows = [...secrets].map(([rowId, text]) => [
      ...[rowId, onA.encrypt(text, { workspaceId, rowId, ...secretColumn })],
    ])
    await admin.query(
      `insert into delivery.subscription_secrets (workspace_id, subscription_id, secret_id, version, ciphertext, hint, created)
       select $1, $2, id, split_part(id, '.', 2)::int, text, 'abcd', now() from unnest($3::text[], $4::text[]) s(id, text)`,
      [...[workspaceId, body.id], rows.map(([id]) => id), rows.map(([, text]) => text)],
    )
    await start(onA, a)
    await daysPass(2)
    await start(onB, b)
  })

  test('XP03: a run killed in the middle of a batch keeps the batches before, loses no secret, and the next one does the rest', async () => {
    const blocker = await routes.engine.admin.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select from delivery.subscription_secrets where secret_id = $1 for update', [
        [...secrets.keys()][299],
      ])
      const { child, ended } = startCommand(b, a)
      await until('the command waits for the row', async () => (await backends({ waiting: true })) === 1)
      child.kill('SIGKILL')
      expect(await ended).toBe('')
      await blocker.query('commit')
    } finally {
      blocker.release()
    }
    await until('its backends are gone', async () => (await backends({ waiting: false })) === 0)
    expect(await opens([a.key, b.key])).toBe(250)
    expect(await startCommand(b, a).ended).toMatch(/450 secrets read, 250 encrypted anew; run this again after/)
    expect(await opens([b.key])).toBe(0)
  })

  test('XP03, regression: back to the key of before, the other one is not forgotten within a day of its last use', async () => {
    await daysPass(3)
    await start(onA, a)
    const run = () => {
      const { http: pool, worker } = routes.engine
      const current = { envelope: onA, kid: a.key.kid }
      return reencryptSecrets({ ...current, pool, worker, columns: [storedSecrets], progress: () => undefined })
    }
    expect(await run()).toMatchObject({ changed: 450, oldKeys: { forgotten: [], from: expect.any(Date) } })
    expect(await opens([a.key])).toBe(450)
    // Another start changes nothing: the 25 hours go on.
    await daysPass(1)
    await start(onA, a)
    expect((await run()).oldKeys.forgotten).toEqual([])
    await daysPass(1)
    expect(await run()).toMatchObject({ changed: 0, oldKeys: { forgotten: [b.key.kid], from: null } })
    await start(createEnvelopeEncryption([a.key]), a)
  })
})
