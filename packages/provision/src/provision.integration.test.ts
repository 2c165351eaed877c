// Roles, schemas and rights in a real cluster.
import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { type ProvisionedUrls, provision, serviceNames } from './provision.ts'

const clusterUrl = new URL(process.env.WDS_TEST_POSTGRES_URL ?? '')
const name = `test_${randomBytes(8).toString('hex')}`
const adminUrl = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href
// The same passwords as every other database of the run has: roles belong to the cluster.
const passwordOf = (role: string) => createHmac('sha256', clusterUrl.password).update(role).digest('hex')

let database: { adminUrl: string; urls: ProvisionedUrls }
beforeAll(async () => {
  await query(clusterUrl.href, `create database ${name}`)
  database = { adminUrl, urls: await provision({ adminUrl, passwordOf }) }
})
afterAll(async () => {
  await query(clusterUrl.href, `drop database if exists ${name} with (force)`)
})

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const catalogue = `
  select (select json_agg(json_build_array(nspname, nspowner::regrole, nspacl) order by nspname) from pg_namespace
            where nspname in (${['log', 'public', ...serviceNames].map((name) => `'${name}'`).join()})) as schemas,
    (select json_agg(json_build_array(rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication) order by rolname)
       from pg_roles where rolname like 'wds\\_%') as roles,
    (select json_agg(json_build_array(roleid::regrole, member::regrole) order by member::regrole::text) from pg_auth_members
       where roleid = 'wds_log_client'::regrole) as members,
    (select datacl::text from pg_database where datname = current_database()) as database`

test('provisioning again changes nothing, also when two do it at once', async () => {
  const before = await query(database.adminUrl, catalogue)
  const both = await Promise.all([
    provision({ adminUrl: database.adminUrl, passwordOf }),
    provision({ adminUrl: database.adminUrl, passwordOf }),
  ])
  expect(both).toEqual([database.urls, database.urls])
  expect(await query(database.adminUrl, catalogue)).toEqual(before)
})

test('no role but the admin is superuser, passes row-level security or makes roles or databases', async () => {
  const rows = await query(
    database.adminUrl,
    "select rolname from pg_roles where rolname like 'wds\\_%' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)",
  )
  expect(rows).toEqual([])
})

test('each role logs in with its own password and lands in its own schema', async () => {
  for (const name of serviceNames) {
    for (const url of Object.values(database.urls.services[name])) {
      const [row] = await query(url, 'select current_user::text as role, current_schemas(false)::text[] as path')
      expect(row).toEqual({ role: new URL(url).username, path: [name] })
    }
  }
  expect(await query(database.urls.log.owner, 'select current_schema::text as schema')).toEqual([{ schema: 'log' }])
})

test('only the owner makes tables in a schema, nobody in public, and nobody sees a foreign schema', async () => {
  const { owner, http, worker } = database.urls.services.api
  await query(owner, 'create table api.made (n integer)')
  for (const url of [http, worker]) {
    await expect(query(url, 'create table api.refused (n integer)')).rejects.toThrow(/permission denied/)
    await expect(query(url, 'select * from api.made')).rejects.toThrow(/permission denied for table/)
  }
  for (const url of [owner, http, worker, database.urls.log.owner]) {
    await expect(query(url, 'create table public.refused (n integer)')).rejects.toThrow(/permission denied/)
    await expect(query(url, 'create temporary table refused (n integer)')).rejects.toThrow(/permission denied/)
    await expect(query(url, 'create table auth.refused (n integer)')).rejects.toThrow(/permission denied/)
  }
  await query(owner, 'drop table api.made')
})

test('workers are clients of the log, HTTP roles and owners are not', async () => {
  const rows = await query(
    database.adminUrl,
    "select rolname::text as role from pg_roles where rolname like 'wds\\_%' and has_schema_privilege(oid, 'log', 'usage') order by 1",
  )
  const workers = serviceNames.map((name) => `wds_${name}_worker`)
  expect(rows.map((row) => row.role)).toEqual([...workers, 'wds_log_client', 'wds_log_owner'].sort())
})

test('a role without a right to connect is turned away', async () => {
  const rows = await query(
    database.adminUrl,
    `select has_database_privilege('wds_api', current_database(), 'connect') as service,
       has_database_privilege('wds_log_client', current_database(), 'connect') as other`,
  )
  expect(rows).toEqual([{ service: true, other: false }])
})
