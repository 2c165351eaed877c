// The supervisor with real processes that are killed for it. stack.md 10.4.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { eventually, inChild, moduleUrl } from './child-program.fixture.ts'
import {
  LocalInfraError,
  type PostgresCrash,
  type PostgresServer,
  removePostgres,
  startPostgres,
} from './postgres-server.ts'
import { stopStepMs } from './postmaster.ts'
import { isAlive } from './process-liveness.ts'
import { takeTestPorts } from './test-ports.ts'

// A space, as a clone's folder may have one.
let folder: string
const servers: PostgresServer[] = []
const quick = { fsync: 'off' }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wds supervisor '))
  // Passable, whatever mkdtemp says: the unreachable parent is a test of its own.
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

async function start(options: Partial<Parameters<typeof startPostgres>[0]> = {}): Promise<PostgresServer> {
  const server = await startPostgres({
    dataDirectory: join(folder, 'main', 'pg'),
    port: 19_000,
    settings: quick,
    ...options,
  })
  servers.push(server)
  return server
}

async function query(server: { adminUrl: string }, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.adminUrl, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

function postmasterOf(directory: string): number {
  const path = join(directory, 'postmaster.pid')
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8').split('\n', 1)[0]) : 0
  return pid > 0 && isAlive(pid) ? pid : 0
}

const answers = (server: PostgresServer) => () =>
  query(server, 'select 1').then(
    () => true,
    () => false,
  )

describe('a first start', () => {
  test('makes a cluster of UTF-8 in the folder and keeps the password to itself', async () => {
    const server = await start()
    expect(server.adopted).toBe(false)
    expect(server.port).toBeLessThan(32_768)
    const [row] = await query(
      server,
      `select current_setting('server_encoding') as encoding, datlocprovider as provider, datlocale as locale,
         current_setting('listen_addresses') as listen, current_setting('unix_socket_permissions') as socket,
         current_setting('shared_buffers') as buffers
       from pg_database where datname = 'postgres'`,
    )
    expect(row).toEqual({
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      listen: '127.0.0.1',
      socket: '0700',
      buffers: '128MB',
    })
    const password = new URL(server.adminUrl).password
    expect(statSync(server.dataDirectory).mode & 0o777).toBe(0o700)
    expect(statSync(join(server.dataDirectory, 'wds-admin-password')).mode & 0o777).toBe(0o600)
    for (const name of readdirSync(join(server.dataDirectory, 'log'))) {
      expect(readFileSync(join(server.dataDirectory, 'log', name), 'utf8')).not.toContain(password)
    }
    const wrong = server.adminUrl.replace(password, 'wrong')
    await expect(query({ adminUrl: wrong }, 'select 1')).rejects.toThrow(/password authentication failed/)
  })

  test('is followed by starts with the same data and the same password', async () => {
    const first = await start()
    await query(first, 'create table kept (n integer)')
    await first.stop()
    const second = await start()
    expect(new URL(second.adminUrl).password).toBe(new URL(first.adminUrl).password)
    expect(await query(second, 'select count(*) from kept')).toEqual([{ count: '0' }])
    await query(second, 'drop table kept')
  })
})

describe('a stop', () => {
  test('may come twice, at once and after one another, and leaves no process', async () => {
    const server = await start()
    const pid = postmasterOf(server.dataDirectory)
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(server.dataDirectory, 'postmaster.pid'))).toBe(false)
  })

  test('after a crash ends what was started in its place', async () => {
    const server = await start()
    const crashed = new Promise<PostgresCrash>((resolve) => server.onCrash(resolve))
    process.kill(postmasterOf(server.dataDirectory), 'SIGKILL')
    await crashed
    await server.stop()
    const pid = postmasterOf(server.dataDirectory)
    expect(pid).toBe(0)
  })
})

describe('hard kills', () => {
  test('of the parent: the next start adopts the running Postgres with its port, password and connections', async () => {
    const { child, line, exited } = await inChild(`
      const { startPostgres } = await import(${moduleUrl('./postgres-server.ts')})
      const server = await startPostgres({ dataDirectory: ${JSON.stringify(join(folder, 'main', 'pg'))}, port: 19_000, settings: { fsync: 'off' } })
      process.stdout.write(server.adminUrl + '\\n')`)
    const client = new pg.Client({ connectionString: line })
    await client.connect()
    child.kill('SIGKILL')
    await exited
    const server = await start()
    expect(server.adopted).toBe(true)
    expect(server.adminUrl).toBe(line)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    const pid = postmasterOf(server.dataDirectory)
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('of the postmaster: a crash is told with signal and log, and Postgres comes back on its port with what was committed', async () => {
    const server = await start({ settings: {} })
    await query(server, 'create table committed as select 1 as n')
    const crashed = new Promise<PostgresCrash>((resolve) => server.onCrash(resolve))
    process.kill(postmasterOf(server.dataDirectory), 'SIGKILL')
    const crash = await crashed
    expect(crash).toMatchObject({ code: null, signal: 'SIGKILL', restarting: true })
    expect(crash.lastLines.length).toBeGreaterThan(0)
    expect(crash.lastLines.length).toBeLessThanOrEqual(50)
    await eventually(answers(server), 60_000, 'it answers again')
    expect(await query(server, 'select n from committed')).toEqual([{ n: 1 }])
    await query(server, 'drop table committed')
  })

  test('regression: of the parent while Postgres replays its log: the next start waits, however long that takes', async () => {
    const directory = (await start()).dataDirectory
    await servers.pop()?.stop()
    // A standby that serves nobody answers as one that replays its log does, until it is promoted.
    writeFileSync(join(directory, 'standby.signal'), '')
    chownSync(join(directory, 'standby.signal'), statSync(directory).uid, statSync(directory).gid)
    const { child, exited } = await inChild(`
      const { startPostgres } = await import(${moduleUrl('./postgres-server.ts')})
      startPostgres({ dataDirectory: ${JSON.stringify(directory)}, port: 19_000, settings: { hot_standby: 'off' } })
      process.stdout.write('starting\\n')`)
    const said = () => readFileSync(join(directory, 'postmaster.pid'), 'utf8')
    await eventually(
      () => postmasterOf(directory) > 0 && said().split('\n')[7]?.trim() === 'standby',
      60_000,
      'it is up',
    )
    child.kill('SIGKILL')
    await exited
    const pid = postmasterOf(directory)
    const starting = start()
    // Longer than a start waits for one that does not answer at all.
    expect(await Promise.race([starting, sleep(3_000, 'it waits')])).toBe('it waits')
    writeFileSync(join(directory, 'promote'), '')
    process.kill(pid, 'SIGUSR1')
    const server = await starting
    expect([server.adopted, postmasterOf(directory)]).toEqual([true, pid])
  })

  test('of the postmaster while nobody watches: the next start recovers', async () => {
    const { child, line, exited } = await inChild(`
      const { startPostgres } = await import(${moduleUrl('./postgres-server.ts')})
      const server = await startPostgres({ dataDirectory: ${JSON.stringify(join(folder, 'main', 'pg'))}, port: 19_000 })
      process.stdout.write(server.adminUrl + '\\n')`)
    await query({ adminUrl: line }, 'create table committed as select 1 as n')
    child.kill('SIGKILL')
    await exited
    process.kill(postmasterOf(join(folder, 'main', 'pg')), 'SIGKILL')
    const server = await start()
    expect(server.adopted).toBe(false)
    expect(await query(server, 'select n from committed')).toEqual([{ n: 1 }])
    await query(server, 'drop table committed')
  })

  test('three within a minute end it', async () => {
    const server = await start()
    const crashes: PostgresCrash[] = []
    server.onCrash((crash) => crashes.push(crash))
    for (const round of [1, 2, 3]) {
      process.kill(postmasterOf(server.dataDirectory), 'SIGKILL')
      await eventually(() => crashes.length === round, 60_000, `crash ${round} is told`)
      if (round < 3) await eventually(answers(server), 60_000, 'it answers again')
    }
    expect(crashes.map((crash) => crash.restarting)).toEqual([true, true, false])
    await server.stop()
  })
})

describe('a removal', () => {
  test('takes data that do not start, and ends first what a killed parent left on them, even when it is stopped', async () => {
    const directory = join(folder, 'removed', 'pg')
    const { child, line, exited } = await inChild(`
      const { startPostgres } = await import(${moduleUrl('./postgres-server.ts')})
      const server = await startPostgres({ dataDirectory: ${JSON.stringify(directory)}, port: 19_000, settings: { fsync: 'off' } })
      process.stdout.write(server.adminUrl + '\\n')`)
    expect(line).toMatch(/^postgres:/)
    await expect(removePostgres(directory)).rejects.toThrow(`Process ${child.pid} already runs the Postgres`)
    child.kill('SIGKILL')
    await exited
    const pid = postmasterOf(directory)
    process.kill(pid, 'SIGSTOP')
    writeFileSync(join(directory, 'PG_VERSION'), '9\n')
    rmSync(join(directory, 'global'), { recursive: true })
    expect(stopStepMs).toBe(10_000)
    await removePostgres(directory, { stopStepMs: 500 })
    expect([isAlive(pid), existsSync(directory)]).toEqual([false, false])
    await removePostgres(directory)
  })

  test('leaves a folder alone that holds no Postgres data', async () => {
    const directory = join(folder, 'letters')
    mkdirSync(directory)
    writeFileSync(join(directory, 'letter.txt'), 'dear')
    await expect(removePostgres(directory)).rejects.toThrow(/holds files but no Postgres data/)
    expect(readdirSync(directory)).toEqual(['letter.txt'])
  })
})

describe('a start that cannot succeed is one sentence and leaves nothing running', () => {
  const refused = async (options: Partial<Parameters<typeof startPostgres>[0]>, sentence: RegExp) => {
    const error = await start(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(LocalInfraError)
    const { message } = error as LocalInfraError
    expect(message).toMatch(sentence)
    expect(message.split('\n')).toHaveLength(1)
  }

  test('port taken: a demanded port is refused, another one is found otherwise', async () => {
    const port = await (await takeTestPorts()).next()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    try {
      await refused({ port, portDemanded: true }, new RegExp(`^Port ${port} is taken by another program`))
      expect(postmasterOf(join(folder, 'main', 'pg'))).toBe(0)
      const server = await start({ port })
      expect(server.port).toBeGreaterThan(port)
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  test('Postgres that does not start: its own reason is told', async () => {
    await refused({ settings: { shared_buffers: 'banana' } }, /did not start.*shared_buffers/)
    await refused({ settings: { wal_compression: 'lz4' } }, /did not start.*wal_compression/)
    expect(postmasterOf(join(folder, 'main', 'pg'))).toBe(0)
  })

  test('data of another major are named and not touched', async () => {
    const directory = join(folder, 'old', 'pg')
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'PG_VERSION'), '12\n')
    await refused({ dataDirectory: directory }, /belongs to Postgres 12 and this is 17/)
    expect(readdirSync(directory)).toEqual(['PG_VERSION'])
  })

  test('a folder with other files is not taken for a data folder', async () => {
    const directory = join(folder, 'documents')
    mkdirSync(directory)
    writeFileSync(join(directory, 'letter.txt'), 'dear')
    await refused({ dataDirectory: directory }, /holds files but no Postgres data/)
    expect(readdirSync(directory)).toEqual(['letter.txt'])
  })

  test('a data folder that cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    await refused({ dataDirectory: join(folder, 'file', 'pg') }, /data folder .* cannot be used/)
  })

  test('a second supervisor of the same data, while the first lives', async () => {
    const { child, exited } = await inChild(`
      const { startPostgres } = await import(${moduleUrl('./postgres-server.ts')})
      const server = await startPostgres({ dataDirectory: ${JSON.stringify(join(folder, 'main', 'pg'))}, port: 19_000 })
      process.once('SIGTERM', () => server.stop())
      process.stdout.write('up\\n')`)
    await refused({}, new RegExp(`^Process ${child.pid} already runs the Postgres`))
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    expect(postmasterOf(join(folder, 'main', 'pg'))).toBe(0)
  })
})

const asRoot = process.getuid?.() === 0
;(asRoot ? test : test.skip)(
  'a parent that uid 65534 cannot enter: data go elsewhere, and a line says so',
  async () => {
    const parent = join(folder, 'closed')
    mkdirSync(parent, { mode: 0o700 })
    const lines: string[] = []
    const server = await start({ dataDirectory: join(parent, 'pg'), onNotice: (line) => lines.push(line) })
    try {
      expect(server.dataDirectory).toMatch(/^\/var\/lib\/wds-local\/[0-9a-f]{12}\/pg$/)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(server.dataDirectory)
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.stop()
    } finally {
      rmSync(dirname(server.dataDirectory), { recursive: true, force: true })
    }
  },
)

;(asRoot ? test : test.skip)('data that root has copied are handed to the account that Postgres runs as', async () => {
  const server = await start()
  await server.stop()
  const copied = join(folder, 'copied', 'pg')
  cpSync(server.dataDirectory, copied, { recursive: true })
  chmodSync(dirname(copied), 0o755)
  chmodSync(copied, 0o700)
  expect(statSync(copied).uid).toBe(0)
  const second = await start({ dataDirectory: copied })
  expect(second.dataDirectory).toBe(copied)
  expect(new URL(second.adminUrl).password).toBe(new URL(server.adminUrl).password)
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
})
