// The password of a database role is exchanged while a service runs (kubernetes.md K70, security.md 3). The roles are of this test: those of the
// services are shared by all tests of a run.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { addressFiles, followPasswords } from './follow-passwords.ts'
import { readServiceSettings } from './read-settings.ts'
import { type RunningService, startService } from './start-service.ts'

const [first, second] = ['first-password-of-24-char', 'other-password:of/24-char']
let home: Awaited<ReturnType<typeof createGadgetHome>>
const roles: string[] = []
let running: RunningService | null = null
let stopping = new AbortController()
const steps: (() => unknown)[] = []

beforeAll(async () => {
  home = await createGadgetHome()
})
afterEach(async () => {
  stopping.abort()
  stopping = new AbortController()
  for (const step of steps.splice(0).reverse()) await step()
  await running?.stop()
  running = null
})
afterAll(async () => {
  for (const role of roles) await home?.admin.query(`drop role ${role}`)
  await home?.close()
})

/** A role with the rights of `url`'s, a file with its address, and both changed apart from each other. */
async function roleLike(url: string) {
  const { rows } = await home.admin.query<{ name: string }>('select current_database() as name')
  const name = `${rows[0]?.name}_${roles.length}`
  const address = new URL(url)
  const change = (password: string) => home.admin.query(`alter role ${name} login password '${password}'`)
  await home.admin.query(`create role ${name} in role ${address.username}; alter role ${name} set search_path = api`)
  roles.push(name)
  const file = join(home.folder, name)
  // As a mount does it: the old is there, then the new.
  const write = (text: string) => {
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const addressWith = (password: string) =>
    Object.assign(new URL(url), { username: name, password: encodeURIComponent(password) }).href
  const place = (password: string) => write(addressWith(password))
  await change(first)
  place(first)
  return { name, file, change, place, write, addressWith }
}

/** Follows the file of a role, with a pool that keeps no connection. */
async function follow(role: Awaited<ReturnType<typeof roleLike>>) {
  const log: { level: string; msg: string }[] = []
  const logger = createLogger({ service: 'gadgets', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const values = home.values({ DATABASE_URL: role.addressWith(first) })
  const onStop = (step: () => unknown) => void steps.push(step)
  const files = { DATABASE_URL: role.file }
  followPasswords({ values, files, logger, signal: stopping.signal, progress: createProgress(), onStop, everyMs: 10 })
  const connect = async (): Promise<string> => {
    const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'test', max: 1 })
    try {
      return (await pool.query<{ name: string }>('select session_user as name')).rows[0]?.name ?? ''
    } finally {
      await pool.end()
    }
  }
  const untilTold = async (message: string) => {
    const deadline = performance.now() + 60_000
    while (!log.some(({ msg }) => msg.startsWith(message))) {
      if (performance.now() > deadline) throw new Error(`never told: ${message}`)
      await new Promise((settle) => setTimeout(settle, 5))
    }
  }
  return { log, connect, untilTold }
}

test('XP03: file first, role later: every new connection is let in, before, between and after, and the log tells how far it is', async () => {
  const role = await roleLike(home.env.DATABASE_URL)
  const { log, connect, untilTold } = await follow(role)
  expect(await connect()).toBe(role.name)
  role.place(second)
  expect(await connect()).toBe(role.name)
  await untilTold('renewed password is not accepted by the server yet')
  await role.change(second)
  expect(await connect()).toBe(role.name)
  await untilTold('renewed password is in use')
  expect(log).toMatchObject([
    { level: 'warn', setting: 'DATABASE_URL' },
    { level: 'info', setting: 'DATABASE_URL' },
  ])
  expect(JSON.stringify(log)).not.toMatch(/password-of|password:of/)
})

test('role first, file later: who connects between is refused, and let in by the file at once', async () => {
  const role = await roleLike(home.env.DATABASE_URL)
  const { connect } = await follow(role)
  await role.change(second)
  await expect(connect()).rejects.toMatchObject({ code: '28P01' })
  role.place(second)
  expect(await connect()).toBe(role.name)
})

test('a file that names another role, or nothing, changes nothing, and the log says why once', async () => {
  const role = await roleLike(home.env.DATABASE_URL)
  const { log, connect, untilTold } = await follow(role)
  role.write(home.env.DATABASE_URL)
  await untilTold('renewed address cannot be used')
  for (let nth = 0; nth < 3; nth += 1) expect(await connect()).toBe(role.name)
  expect(log).toMatchObject([
    { level: 'error', faults: ['DATABASE_URL differs in more than its password, which takes a restart'] },
  ])
  role.write(role.addressWith(first).replace('-', '%zz'))
  expect(await connect()).toBe(role.name)
  role.write('')
  expect(await connect()).toBe(role.name)
  expect(log).toMatchObject([
    {},
    { faults: ['DATABASE_URL is no address'] },
    { faults: ['the file of DATABASE_URL_FILE is empty'] },
  ])
})

test('XP03: a service with both roles goes on over a rotation whose old connections are ended, its locks and the log included', async () => {
  const [http, worker] = [await roleLike(home.env.DATABASE_URL), await roleLike(home.env.WDS_WORKER_DATABASE_URL)]
  const { DATABASE_URL: _http, WDS_WORKER_DATABASE_URL: _worker, ...rest } = home.env
  const env = { ...rest, DATABASE_URL_FILE: http.file, WDS_WORKER_DATABASE_URL_FILE: worker.file }
  let pools: Pool[] = []
  const service = gadgetService({
    worker: (o) => void pools.push(o.pool),
    http: (o) => {
      pools = [...pools, o.pool]
      return gadgetService().http(o) as never
    },
  })
  const values = readServiceSettings(service, { env, execArgv: [] })
  running = await startService(service, { values, addressFiles: addressFiles(env), signal: stopping.signal })
  for (const role of [http, worker]) role.place(second)
  for (const role of [http, worker]) await role.change(second)
  const open = async () => {
    const { rows } = await home.admin.query<{ pid: number; application_name: string }>(
      'select pid, application_name from pg_stat_activity where usename = any($1)',
      [[http.name, worker.name]],
    )
    return rows
  }
  let before = await open()
  while (!before.some((row) => row.application_name.startsWith('leader '))) before = await open()
  await home.admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [before.map(({ pid }) => pid)])
  const names = (rows: typeof before) => [...new Set(rows.map((row) => row.application_name))].sort()
  // Each kind of connection that was there is there anew: pools, the relay's lock, the log's. The server ends those of before in its own time.
  const since = async () => (await open()).filter(({ pid }) => !before.some((one) => one.pid === pid))
  const deadline = performance.now() + 60_000
  let after = await since()
  while (names(before).some((name) => !names(after).includes(name)) && performance.now() < deadline) {
    await Promise.all(pools.map((pool) => pool.query('select 1').catch(() => undefined)))
    after = await since()
  }
  expect(names(after)).toEqual(expect.arrayContaining(names(before)))
})

test('regression: a start that is refused ends and says why, where it followed the file of an address already', async () => {
  const role = await roleLike(home.env.DATABASE_URL)
  // What holds no key.
  const values = home.values({ DATABASE_URL: role.addressWith(first), WDS_ENCRYPTION_KEY_FILE: role.file })
  const { signal } = stopping
  const start = startService(gadgetService(), { values, signal, addressFiles: { DATABASE_URL: role.file } })
  await expect(start).rejects.toThrow('the file of WDS_ENCRYPTION_KEY_FILE')
})
