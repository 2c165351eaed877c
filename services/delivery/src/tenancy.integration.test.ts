// Tenant isolation and append-only, proven over the catalog (security.md 4).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { idDay } from '@wds/contracts/ids'
import { isolatedTables } from '@wds/postgres/isolated-tables'
import { checkedInSchema, describeSchema } from '@wds/postgres/schema-description'
import { withTransaction } from '@wds/postgres/transaction'
import { tablesOfEveryService } from '@wds/service-host/tables-of-every-service'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from './engine.fixture.ts'
import { fanOut } from './fan-out/store.ts'
import { loadSubscriptionIndex } from './fan-out/store-index.ts'

/** Tables without tenant data, each with its reason. */
const globalTables: Record<string, string> = {
  ...tablesOfEveryService,
  suspended_apps: 'client ids of apps: an app may act in every workspace',
}

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

test('the migrations make the schema that is checked in', async () => {
  const described = await describeSchema(engine.admin, 'delivery')
  expect(described).toBe(await checkedInSchema(new URL('./migrations/schema.txt', import.meta.url), described))
})

describe('tenant tables', () => {
  test('every table is protected by forced row-level security, or is a listed exception', async () => {
    const { open } = await isolatedTables(engine.admin, 'delivery')
    expect(open).toEqual(Object.keys(globalTables).sort())
  })

  test('the workspace stands in every unique and foreign key of the protected tables', async () => {
    const { rows } = await engine.admin.query<{ name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'delivery'::regnamespace and c.relrowsecurity and i.indisunique
          and c.relname not in ('outbox', 'dead_letters')
          and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and a.attnum = any(i.indkey))
        union all
       select k.conname from pg_constraint k where k.connamespace = 'delivery'::regnamespace and k.contype = 'f'
          and not exists (select 1 from pg_attribute a where a.attrelid = k.conrelid and a.attname = 'workspace_id' and a.attnum = any(k.conkey))`,
    )
    expect(rows).toEqual([])
  })

  test('I10: the HTTP role sees nothing without a workspace and nothing of another one', async () => {
    const [mine, other] = [newId('wsp'), newId('wsp')]
    const subscription = await seedSubscription(engine, { workspaceId: mine })
    const [eventId = ''] = await seedEvents(engine, { workspaceId: mine, count: 1 })
    await deliver(mine, subscription, eventId)
    const tables = [
      'workspaces',
      'subscriptions',
      'subscription_secrets',
      'lanes',
      'events',
      'event_log_heads',
      'deliveries',
      'dead_deliveries',
      'delivery_log',
      'attempt_counts',
      'due',
      'leases',
      'replays',
    ]
    for (const workspaceId of [null, other, mine]) {
      for (const table of tables) {
        const rows = await withTransaction(engine.http, { workspaceId }, (tx) =>
          tx.query(`select workspace_id from ${table}`),
        )
        if (workspaceId !== mine) expect([table, rows.rowCount]).toEqual([table, 0])
        else expect(rows.rows.every((row) => row.workspace_id === mine)).toBe(true)
      }
      const changed = await withTransaction(engine.http, { workspaceId }, (tx) =>
        tx.query('update lanes set failures = 0 where subscription_id = $1', [subscription]),
      )
      expect(changed.rowCount).toBe(workspaceId === mine ? 1 : 0)
    }
    await expect(
      withTransaction(engine.http, { workspaceId: other }, (tx) =>
        tx.query('insert into workspaces (workspace_id) values ($1)', [newId('wsp')]),
      ),
    ).rejects.toThrow(/row-level security/)
  })

  test('partitions give no rights to anybody but through their parent', async () => {
    const name = `deliveries_${idDay(newId('evt')).replaceAll('-', '')}`
    for (const pool of [engine.http, engine.worker]) {
      await expect(pool.query(`select 1 from ${name}`)).rejects.toThrow(/permission denied/)
    }
  })
})

describe('delivery_log', () => {
  test('refuses update, delete and truncate from each role, also from a superuser', async () => {
    const workspaceId = newId('wsp')
    const subscription = await seedSubscription(engine, { workspaceId })
    const [eventId = ''] = await seedEvents(engine, { workspaceId, count: 1 })
    await deliver(workspaceId, subscription, eventId)
    for (const statement of [
      'update delivery.delivery_log set seq = 9',
      'delete from delivery.delivery_log',
      'truncate delivery.delivery_log',
    ]) {
      await expect(engine.worker.query(statement)).rejects.toThrow(/permission denied/)
      await expect(engine.http.query(statement)).rejects.toThrow(/permission denied/)
      await expect(engine.admin.query(statement)).rejects.toThrow(/append-only/)
    }
  })
})

async function deliver(workspaceId: string, subscriptionId: string, eventId: string): Promise<void> {
  const [index] = await loadSubscriptionIndex(engine.worker, [workspaceId])
  const turn = {
    workspaces: [{ workspaceId, version: index?.version ?? '0' }],
    events: [{ workspaceId, eventId, eventDay: idDay(eventId) }],
    pairs: [{ workspaceId, eventId, subscriptionId, deliveryId: newId('dlv') }],
  }
  await fanOut(engine.worker, turn, { laneWaitMs: 750 })
}
