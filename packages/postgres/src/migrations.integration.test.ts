// The migration runner against a real Postgres.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import pg from 'pg'
import { migrate, pendingMigrations } from './migrations.ts'

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
  directories: [pathToFileURL(`${folder}/`)],
})
const base = ['functions/app-now.sql', 'functions/refuse-change.sql']
const put = (name: string, sql: string) => writeFile(join(folder, name), sql)
async function putFunction(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, 'functions'), { recursive: true })
  await put(`functions/${name}.sql`, sql)
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('two parallel runners apply each file once: migrations in the order of names, then functions', async () => {
  await put('0102-b.sql', "-- breaking: no\ninsert into things (name) values ('b');")
  await put('0101-a.sql', '-- breaking: no\ncreate table things (name text);\nselect pg_sleep(0.2);')
  await putFunction('size', 'create or replace function size() returns int language sql as $$ select 1 $$;')
  const applied = await Promise.all([migrate(options()), migrate(options())])
  expect(applied.flat()).toEqual([...base, '0101-a.sql', '0102-b.sql', 'functions/size.sql'])
  expect(await query('select name from api.things')).toEqual([{ name: 'b' }])
  expect(await query('select name from api.migrations order by id')).toHaveLength(2)
  expect(await query('select name from api.applied_functions order by id')).toHaveLength(3)
})

test('what is pending is told without changing anything', async () => {
  expect(await pendingMigrations(options())).toEqual(base)
  expect(await query("select to_regclass('api.migrations') as found")).toEqual([{ found: null }])
  await migrate(options())
  await put('0101-a.sql', '-- breaking: no\nselect 1;')
  expect(await pendingMigrations(options())).toEqual(['0101-a.sql'])
  expect(await migrate(options())).toEqual(['0101-a.sql'])
  expect(await pendingMigrations(options())).toEqual([])
})

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
  await putFunction('app-now', '')
  await expect(migrate(options())).rejects.toThrow('Two files are named functions/app-now.sql.')
})

test('a number that two migrations of a folder have is refused: they would run in the order of their names', async () => {
  await put('0101-a.sql', '-- breaking: no')
  await put('0101-b.sql', '-- breaking: no')
  await expect(migrate(options())).rejects.toThrow(/Two migrations of .* have the number 0101\./)
})

test('a migration that fails leaves nothing of itself, and the next run goes on from there', async () => {
  await put('0101-a.sql', '-- breaking: no\ncreate table things (n integer);')
  await put('0102-b.sql', '-- breaking: no\ncreate table others (n integer);\nselect 1 / 0;')
  await expect(migrate(options())).rejects.toThrow(/division by zero/)
  expect(await query("select to_regclass('api.others') as others")).toEqual([{ others: null }])
  await put('0102-b.sql', '-- breaking: no\ncreate table others (n integer);')
  expect(await migrate(options())).toContain('0102-b.sql')
})

test('F52: a migration that waits for a lock lets others pass, and is applied once the lock is free, or fails after a while', async () => {
  await put('0101-a.sql', '-- breaking: no\ncreate table things (n integer);')
  await migrate(options())
  await put('0102-b.sql', '-- breaking: no\nalter table things add column m integer;')
  await put('0103-c.sql', '-- breaking: no\ncreate table others (n integer);')
  const reader = new pg.Client({ connectionString: database.adminUrl })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select * from api.things')
  await expect(migrate({ ...options(), lockWaitMs: 20, lockRetryMs: 0 })).rejects.toThrow(/lock timeout/)
  const migrating = migrate({ ...options(), lockWaitMs: 20 })
  // Behind a migration that waited on they would wait, too.
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  await client.query(`set lock_timeout = '5s'`)
  for (let nth = 0; nth < 20; nth += 1) {
    await client.query('select * from api.things')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await client.end()
  await reader.query('commit')
  await reader.end()
  expect(await migrating).toEqual(['0102-b.sql', '0103-c.sql'])
})

const size = (n: number, more = '') =>
  `create or replace function size(${more}) returns int language sql as $$ select ${n} $$;`
const sizes = async () => (await query('select api.size() as n')).map((row) => row.n)

test('a function is applied again when its file changed, back to an earlier text too, and else left alone', async () => {
  await putFunction('size', size(1))
  expect(await migrate(options())).toEqual([...base, 'functions/size.sql'])
  expect(await migrate(options())).toEqual([])
  await putFunction('size', size(2))
  expect(await pendingMigrations(options())).toEqual(['functions/size.sql'])
  expect(await Promise.all([migrate(options()), migrate(options())])).toContainEqual(['functions/size.sql'])
  expect(await sizes()).toEqual([2])
  await putFunction('size', size(1))
  expect(await pendingMigrations(options())).toEqual([])
  expect(await migrate(options())).toEqual(['functions/size.sql'])
  expect(await sizes()).toEqual([1])
  expect(await query("select hash from api.applied_functions where name = 'functions/size.sql'")).toHaveLength(3)
})

test('functions come after all migrations, so that they may use the tables of these', async () => {
  await put('0101-a.sql', '-- breaking: no\ncreate table things (n integer);')
  await putFunction('size', 'create function size() returns bigint language sql as $$ select count(*) from things $$;')
  expect(await migrate(options())).toEqual([...base, '0101-a.sql', 'functions/size.sql'])
})

test('a function that fails is named, leaves nothing of itself or of the others, and the next run goes on', async () => {
  await putFunction('area', 'create or replace function area() returns int language sql as $$ select 1 $$;')
  await putFunction('size', `${size(1)} select 1 / 0;`)
  await expect(migrate(options())).rejects.toThrow('functions/size.sql: division by zero')
  expect(await query("select to_regproc('api.area') as area, to_regproc('api.size') as size")).toEqual([
    { area: null, size: null },
  ])
  await putFunction('size', size(1))
  expect(await migrate(options())).toEqual(['functions/area.sql', 'functions/size.sql'])
})

test('a new signature needs the drop of the old one, and what depends on that is named', async () => {
  await putFunction('size', size(1))
  await migrate(options())
  await putFunction('size', size(2, 'n int default 0'))
  await expect(migrate(options())).rejects.toThrow(
    /^functions\/size\.sql: one function size is expected, and there are size\(\) and size\(integer\): begin the file with/,
  )
  await putFunction('size', size(2).replace('returns int', 'returns text'))
  await expect(migrate(options())).rejects.toThrow(
    /^functions\/size\.sql: cannot change return type.*: begin the file with/,
  )
  await query('create view api.uses as select api.size() as n')
  await putFunction('size', `drop function if exists size();\n${size(2, 'n int default 0')}`)
  await expect(migrate(options())).rejects.toThrow(
    /^functions\/size\.sql: cannot drop function size\(\) because other objects/,
  )
  await query('drop view api.uses')
  expect(await migrate(options())).toEqual(['functions/size.sql'])
  expect(await sizes()).toEqual([2])
})

test('a file below functions that makes another function than its name says is refused', async () => {
  await putFunction('the-size', size(1))
  await expect(migrate(options())).rejects.toThrow(
    'functions/the-size.sql: one function the_size is expected, and it makes none',
  )
})

test('a schema that another version made is refused before anything is touched', async () => {
  await put('0101-a.sql', '-- breaking: no\nselect 1;')
  await put('0102-b.sql', '-- breaking: no\nselect 1;')
  await migrate(options())
  await rm(join(folder, '0101-a.sql'))
  await rm(join(folder, '0102-b.sql'))
  await put('0001-all.sql', '-- breaking: no\ncreate table things (n integer);')
  await putFunction('size', size(1))
  await expect(migrate(options())).rejects.toThrow(
    /the schema api was made by another version, whose migration 0101-a\.sql and 1 more this one does not have; nothing was changed/,
  )
  expect(await query("select to_regclass('api.things') as things, to_regproc('api.size') as size")).toEqual([
    { things: null, size: null },
  ])
})

test('a lock row left over by a killed runner does not stop the next one', async () => {
  await put('0101-a.sql', '-- breaking: no\nselect 1;')
  await migrate(options())
  await query('update api.migrations_lock set is_locked = 1')
  await put('0102-b.sql', '-- breaking: no\nselect 1;')
  expect(await migrate(options())).toEqual(['0102-b.sql'])
})

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
})

test('in the log, the role to grant to is the one of its clients', async () => {
  await put(
    '0101-a.sql',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the runner
    '-- breaking: no\ncreate table records (n integer); grant select on records to ${client_role};',
  )
  expect(await migrate(options('log'))).toEqual([...base, '0101-a.sql'])
  expect(
    await query("select tableowner as owner from pg_tables where schemaname = 'log' and tablename = 'records'"),
  ).toEqual([{ owner: 'wds_log_owner' }])
})

test('app_now() is STABLE, follows the running clock and moves by the offset that a test sets', async () => {
  await migrate(options())
  expect(await query("select provolatile as v, proparallel as p from pg_proc where proname = 'app_now'")).toEqual([
    { v: 's', p: 's' },
  ])
  const client = new pg.Client({ connectionString: database.urls.services.api.worker })
  await client.connect()
  /** Whether it lies between two looks at the running clock in the same statement, moved by so many seconds. */
  const isOffBy = async (seconds: number) => {
    const { rows } = await client.query(
      `select clock_timestamp() + $1 * interval '1 second' <= app_now() as after,
              app_now() <= clock_timestamp() + $1 * interval '1 second' as before`,
      [seconds],
    )
    return rows[0]?.after === true && rows[0]?.before === true
  }
  expect(await isOffBy(0)).toBe(true)
  await client.query('begin')
  await client.query("set local app.clock_offset_ms = '3600000'")
  expect(await isOffBy(3_600)).toBe(true)
  expect(await isOffBy(0)).toBe(false)
  await client.query('commit')
  expect(await isOffBy(0)).toBe(true)
  await client.end()
})
