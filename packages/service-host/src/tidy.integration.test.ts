// What goes by itself after its time, and that a failing step of a service keeps none of it.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { createGadgetHome } from './fixtures/gadget-service.ts'
import { keepTidy } from './tidy.ts'

let home: Awaited<ReturnType<typeof createGadgetHome>>
const logger = createLogger({ service: 'gadgets', level: 'silent' })

beforeAll(async () => {
  home = await createGadgetHome()
})
afterAll(() => home?.close())

test('old idempotency keys go, more than one purge takes, and young ones stay; so do dead letters and revoked keys', async () => {
  const insert = (count: number, age: string) =>
    home.admin.query(
      `insert into api.idempotency_keys (workspace_id, key_hash, fingerprint, status, headers, secret, created)
       select 'wsp_1', $2::text || n, 'f', 201, '{}', false, now() - $2::interval from generate_series(1, $1::int) n`,
      [count, age],
    )
  await insert(2_500, '25 hours')
  await insert(3, '23 hours')
  await home.admin.query(
    `insert into api.dead_letters (workspace_id, consumer, topic, partition, off, key, event_id, headers, reason, tries, died_at)
     select '', 'c', 't', 0, days, 'k', 'evt_1', '{}', 'r', 3, now() - days * interval '1 day' from unnest('{29, 31}'::int[]) days`,
  )
  await home.admin.query(
    `insert into api.access_ends (id, ended_at) values ('key_30', now() - interval '30 days'), ('key_32', now() - interval '32 days')`,
  )
  const count = async () =>
    Number((await home.admin.query<{ count: string }>('select count(*) from api.idempotency_keys')).rows[0]?.count)
  const others = async () => {
    const { rows } = await home.admin.query<{ what: string }>(
      'select off::text as what from api.dead_letters union all select id from api.access_ends order by 1',
    )
    return rows.map(({ what }) => what)
  }
  expect(await count()).toBe(2_503)
  const ended = new AbortController()
  const pool = createPool({ connectionString: home.env.WDS_WORKER_DATABASE_URL, applicationName: 'test', max: 1 })
  let tidied = 0
  const tidy = async () => {
    tidied += 1
    throw new Error('a failing step stops neither the loop nor the purge')
  }
  const loop = keepTidy(
    { callers: 'known', tidy },
    {
      pool,
      logger,
      progress: createProgress(),
      signal: ended.signal,
      everyMs: 5,
    },
  )
  const deadline = Date.now() + 60_000
  while (((await count()) > 3 || (await others()).length > 2 || tidied < 2) && Date.now() < deadline);
  ended.abort()
  await loop
  await pool.end()
  expect([await count(), await others(), tidied >= 2]).toEqual([3, ['29', 'key_30'], true])
})
