// The migration runner against a real Postgres.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import pg from 'pg'
import { baseMigrationsDirectory, migrate, pendingMigrations } from './migrations.ts'

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'wds migrations '))
})
afterEach(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const options = (schema: 'api' | 'log' = 'api') => ({
  connectionString: schema === 'log' ? database.urls.log.owner : database.urls.services.api.owner,
  schema,
  directories: [baseMigrationsDirectory, pathToFileURL(`${folder}/`)],
})
const put = (name: string, sql: string) => writeFile(join(folder, name), sql)

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('two parallel runners apply each migration once, in the order of names', async () => {
  await put('0102-b.sql', "-- breaking: no\ninsert into things (name) values ('b');")
  await put('0101-a.sql', '-- breaking: no\ncreate table things (name text);\nselect pg_sleep(0.2);')
  const applied = await Promise.all([migrate(options()), migrate(options())])
  expect(applied.flat()).toEqual(['0001-app-now.sql', '0007-app-now-plan.sql', '0101-a.sql', '0102-b.sql'])
  expect(await query('select name from api.things')).toEqual([{ name: 'b' }])
  expect(await query('select name from api.migrations order by id')).toHaveLength(4)
}, 20_000)

test('what is pending is told without changing anything', async () => {
  expect(await pendingMigrations(options())).toEqual(['0001-app-now.sql', '0007-app-now-plan.sql'])
  expect(await query("select to_regclass('api.migrations') as found")).toEqual([{ found: null }])
  await migrate(options())
  await put('0101-a.sql', '-- breaking: no\nselect 1;')
  expect(await pendingMigrations(options())).toEqual(['0101-a.sql'])
  expect(await migrate(options())).toEqual(['0101-a.sql'])
  expect(await pendingMigrations(options())).toEqual([])
}, 20_000)

test.each([
  ['no first line', 'select 1;'],
  ['yes without a reason', '-- breaking: yes\nselect 1;'],
  ['an empty file', ''],
])('a file with %s is refused by name and nothing is applied', async (_, sql) => {
  await put('0101-a.sql', sql)
  await expect(migrate(options())).rejects.toThrow(/0101-a\.sql: the first line must be/)
  expect(await query("select to_regclass('api.migrations') as found")).toEqual([{ found: null }])
})

test('an unknown placeholder and a name used twice are refused', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the runner
  await put('0101-a.sql', '-- breaking: no\nselect ${nobody};')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
  await expect(migrate(options())).rejects.toThrow('0101-a.sql: unknown placeholder ${nobody}.')
  await put('0101-a.sql', '-- breaking: no')
  await put('0001-app-now.sql', '-- breaking: no')
  await expect(migrate(options())).rejects.toThrow('Two migrations are named 0001-app-now.sql.')
})

test('a migration that fails leaves nothing of itself, and the next run goes on from there', async () => {
  await put('0101-a.sql', '-- breaking: no\ncreate table things (n integer);')
  await put('0102-b.sql', '-- breaking: no\ncreate table others (n integer);\nselect 1 / 0;')
  await expect(migrate(options())).rejects.toThrow(/division by zero/)
  expect(await query("select to_regclass('api.others') as others")).toEqual([{ others: null }])
  await put('0102-b.sql', '-- breaking: no\ncreate table others (n integer);')
  expect(await migrate(options())).toContain('0102-b.sql')
}, 20_000)

test('a lock row left over by a killed runner does not stop the next one', async () => {
  await migrate(options())
  await query('update api.migrations_lock set is_locked = 1')
  await put('0101-a.sql', '-- breaking: no\nselect 1;')
  expect(await migrate(options())).toEqual(['0101-a.sql'])
}, 20_000)

test('placeholders name the schema and its roles; question marks stay what they are', async () => {
  await put(
    '0101-a.sql',
    `-- breaking: no
     create table \${schema}.docs as select '{"a": 1}'::jsonb ? 'a' as has_a, 'why?' as text;
     grant select on docs to \${http_role}, \${worker_role};`,
  )
  await migrate(options())
  expect(await query('select * from api.docs')).toEqual([{ has_a: true, text: 'why?' }])
  expect(
    await query(
      "select r, has_table_privilege(r, 'api.docs', 'select') as ok from unnest('{wds_api,wds_api_worker,wds_auth}'::text[]) r",
    ),
  ).toEqual([
    { r: 'wds_api', ok: true },
    { r: 'wds_api_worker', ok: true },
    { r: 'wds_auth', ok: false },
  ])
}, 20_000)

test('in the log, the role to grant to is the one of its clients', async () => {
  await put(
    '0101-a.sql',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the runner
    '-- breaking: no\ncreate table records (n integer); grant select on records to ${client_role};',
  )
  expect(await migrate(options('log'))).toEqual(['0001-app-now.sql', '0007-app-now-plan.sql', '0101-a.sql'])
  expect(
    await query("select tableowner as owner from pg_tables where schemaname = 'log' and tablename = 'records'"),
  ).toEqual([{ owner: 'wds_log_owner' }])
}, 20_000)

test('app_now() is STABLE, follows the running clock and moves by the offset that a test sets', async () => {
  await migrate(options())
  expect(await query("select provolatile as v, proparallel as p from pg_proc where proname = 'app_now'")).toEqual([
    { v: 's', p: 's' },
  ])
  const client = new pg.Client({ connectionString: database.urls.services.api.worker })
  await client.connect()
  const offset = async () =>
    Number((await client.query('select extract(epoch from app_now() - clock_timestamp()) as s')).rows[0]?.s)
  expect(Math.abs(await offset())).toBeLessThan(0.1)
  await client.query('begin')
  await client.query("set local app.clock_offset_ms = '3600000'")
  expect(Math.round(await offset())).toBe(3_600)
  await client.query('commit')
  expect(Math.abs(await offset())).toBeLessThan(0.1)
  await client.end()
}, 20_000)
