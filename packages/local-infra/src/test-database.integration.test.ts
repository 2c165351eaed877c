// The cluster of a test run must be gone afterwards, however the run ends.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import pg from 'pg'
import { isAlive } from './process-liveness.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const moduleUrl = JSON.stringify(new URL('./test-database.ts', import.meta.url).href)

async function clusterInChild(then = '') {
  const program = `
    const { startTestCluster } = await import(${moduleUrl})
    const cluster = await startTestCluster()
    process.stdout.write(cluster.url + '\\n')
    ${then}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const folder = readdirSync(tmpdir()).find((name) => name.startsWith(`wds-test-${child.pid}-`))
  const directory = join(tmpdir(), folder ?? 'missing')
  return { child, exited, directory, postmaster: postmasterOf(directory) }
}

function postmasterOf(directory: string): number {
  const path = join(directory, 'pg', 'postmaster.pid')
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n', 1)[0]) : 0
  return pid > 0 && isAlive(pid) ? pid : 0
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s leaves no process and no folder behind', async (signal, code) => {
  const { child, exited, directory, postmaster } = await clusterInChild()
  expect(isAlive(postmaster)).toBe(true)
  child.kill(signal)
  expect(await exited).toBe(code)
  expect(isAlive(postmaster)).toBe(false)
  expect(existsSync(directory)).toBe(false)
})

test('regression: a signal that comes twice, from the terminal and from who passes it on, leaves nothing behind either', async () => {
  const { child, exited, directory, postmaster } = await clusterInChild()
  const again = setInterval(() => child.kill('SIGINT'), 1)
  expect(await exited.finally(() => clearInterval(again))).toBe(130)
  expect([isAlive(postmaster), existsSync(directory)]).toEqual([false, false])
})

test('an exit without a stop leaves no process and no folder behind', async () => {
  const { exited, directory, postmaster } = await clusterInChild('setImmediate(() => process.exit(3))')
  expect(await exited).toBe(3)
  expect(postmaster === 0 || !isAlive(postmaster)).toBe(true)
  expect(existsSync(directory)).toBe(false)
})

test('what a run that was killed hard left behind goes with the next run', async () => {
  const first = await clusterInChild()
  first.child.kill('SIGKILL')
  await first.exited
  const second = await clusterInChild('await cluster.stop()')
  expect(await second.exited).toBe(0)
  const end = performance.now() + 60_000
  while (isAlive(first.postmaster) && performance.now() < end) await sleep(20)
  expect(isAlive(first.postmaster)).toBe(false)
  expect(existsSync(first.directory)).toBe(false)
})

test('databases of one run share roles and passwords, not data, and go away under open connections', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
  expect(first.name).not.toBe(second.name)
  const url = (text: string) => new URL(text)
  expect(url(first.urls.services.api.http).password).toBe(url(second.urls.services.api.http).password)
  const client = new pg.Client({ connectionString: first.urls.services.api.owner })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table only_here (n integer)')
  const other = new pg.Client({ connectionString: second.adminUrl })
  await other.connect()
  expect((await other.query("select to_regclass('api.only_here') as found")).rows).toEqual([{ found: null }])
  await first.drop()
  await first.drop()
  expect((await other.query('select 1 from pg_database where datname = $1', [first.name])).rowCount).toBe(0)
  await other.end()
  await second.drop()
})

test('a schema is made once, and each caller has a copy of its own, with the rights of every role', async () => {
  let made = 0
  const make = async ({ urls }: TestDatabase) => {
    made += 1
    await ask(urls.services.api.owner, 'create table things (n integer); grant select on things to wds_api')
  }
  const template = { name: `trial_${process.pid}`, make }
  const databases = await Promise.all(Array.from({ length: 3 }, () => createTestDatabase(template)))
  const [first, ...others] = databases as [TestDatabase, TestDatabase, TestDatabase]
  await ask(first.urls.services.api.owner, 'insert into things values (1)')
  const counts = others.map(({ urls }) => ask(urls.services.api.http, 'select count(*)::int as n from things'))
  expect(await Promise.all(counts)).toEqual([[{ n: 0 }], [{ n: 0 }]])
  expect(made).toBe(1)
  await Promise.all(databases.map(({ drop }) => drop()))
})

async function ask(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
