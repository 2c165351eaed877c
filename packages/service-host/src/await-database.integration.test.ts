// Start-up refusal, security.md 7: what only the database and the files tell.
import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool } from '@wds/postgres/pool'
import { createGadgetHome, gadgetService } from './fixtures/gadget-service.ts'
import { readTokens } from './secret-files.ts'
import { readServerState, type ServerState, serverFaults } from './server-refusals.ts'
import { startService } from './start-service.ts'

let home: Awaited<ReturnType<typeof createGadgetHome>>
const signal = new AbortController().signal
beforeAll(async () => {
  home = await createGadgetHome()
})
afterAll(() => home?.close())

const start = (o: Record<string, string> = {}) => startService(gadgetService(), { values: home.values(o), signal })

async function stateOf(connectionString: string): Promise<ServerState> {
  const pool = createPool({ connectionString, applicationName: 'test', max: 1 })
  try {
    return await readServerState(pool)
  } finally {
    await pool.end()
  }
}

describe('connections', () => {
  test('regression: a server that cannot hold what the process may open is refused, with what to change', async () => {
    const needy = gadgetService({ connections: { http: 550, worker: () => 80, loops: 3 } })
    const whyRefused = async (role: string) => {
      const starting = startService(needy, { values: home.values({ WDS_ROLE: role }), signal })
      return starting.then(
        (running) => running.stop(),
        (error: Error) => error.message,
      )
    }
    expect(await whyRefused('all')).toBe(
      'this process may open 642 connections (http 550, worker 80, loops 6, log 6), and the server of ' +
        'WDS_WORKER_DATABASE_URL has room for 597: raise its max_connections from 600 to 645 or more',
    )
    expect(await whyRefused('http')).toBeUndefined()
  })

  test('regression: the connections of a worker do not grow with the partitions', async () => {
    const many = await createGadgetHome({ partitions: 48 })
    try {
      // Each partition asks the log what stands at its position, and tells that it is not there.
      await many.admin.query(`insert into api.positions (consumer, topic, partition, off)
        select 'api.keys', 'auth.events', partition, 0 from generate_series(0, 47) partition`)
      let asked = 0
      const service = gadgetService({
        shared: ({ logger }) => {
          logger.error = () => {
            asked += 1
          }
        },
      })
      const running = await startService(service, { values: many.values({ WDS_ROLE: 'worker' }), signal })
      const deadline = Date.now() + 60_000
      while (asked < 48 && Date.now() < deadline) await new Promise(setImmediate)
      expect(asked).toBe(48)
      const { rows } = await many.admin.query<{ name: string; open: number }>(
        `select application_name as name, count(*)::int as open from pg_stat_activity
         where datname = current_database() and usename = 'wds_api_worker' group by 1`,
      )
      await running.stop()
      const open = Object.fromEntries(rows.map((row) => [row.name, row.open]))
      expect(open['api-log']).toBeLessThanOrEqual(6)
      expect(rows.reduce((sum, row) => sum + row.open, 0)).toBeLessThanOrEqual(2 + 2 + 6)
    } finally {
      await many.close()
    }
  })
})

describe('the database of the production profile', () => {
  test('is refused where fsync and synchronous_commit are off, as on this test server', async () => {
    const refused =
      'configuration refused: DATABASE_URL leads to a server with fsync off; DATABASE_URL leads to a server with synchronous_commit off'
    await expect(start({ WDS_PROFILE: 'production', WDS_ROLE: 'http' })).rejects.toThrow(refused)
    await expect(start({ WDS_PROFILE: 'production', WDS_ROLE: 'worker' })).rejects.toThrow(
      'WDS_WORKER_DATABASE_URL leads to',
    )
  })

  test('sees what the roles of the service may: neither owns a table nor escapes row-level security', async () => {
    for (const url of [home.env.DATABASE_URL, home.env.WDS_WORKER_DATABASE_URL]) {
      expect(await stateOf(url)).toMatchObject({ unbound: false, owns: false, clock_offset: null })
    }
  })

  test('is refused for the owner of the tables, and for a member of it', async () => {
    expect(serverFaults('DATABASE_URL', await stateOf(home.owner))).toContain(
      'DATABASE_URL names a role that owns tables',
    )
    await home.admin.query('grant wds_api_owner to wds_api')
    try {
      expect((await stateOf(home.env.DATABASE_URL)).owns).toBe(true)
    } finally {
      await home.admin.query('revoke wds_api_owner from wds_api')
    }
  })

  test('is refused for a superuser, and for a role with BYPASSRLS', async () => {
    const { rows } = await home.admin.query<{ database: string }>('select current_database() as database')
    const database = rows[0]?.database
    const unbound = 'DATABASE_URL names a role that row-level security does not bind'
    expect(serverFaults('DATABASE_URL', await readServerState(home.admin))).toContain(unbound)
    // A role of this test alone: the cluster's are shared by the tests of a run.
    const role = `bypass_${database}`
    await home.admin.query(
      `create role ${role} login bypassrls password 'x'; grant connect on database ${database} to ${role}`,
    )
    try {
      const url = new URL(home.env.DATABASE_URL)
      url.username = role
      url.password = 'x'
      expect(serverFaults('DATABASE_URL', await stateOf(url.href))).toContain(unbound)
    } finally {
      await home.admin.query(`drop owned by ${role}; drop role ${role}`)
    }
  })

  test('is refused when its clock is moved', async () => {
    const moved = `${home.env.DATABASE_URL}?options=${encodeURIComponent('-c app.clock_offset_ms=60000')}`
    const faults = serverFaults('DATABASE_URL', await stateOf(moved))
    expect(faults).toContain('DATABASE_URL leads to a server whose clock is moved (app.clock_offset_ms)')
  })

  test('is taken when all is well', () => {
    const state = { fsync: 'on', synchronous_commit: 'on', unbound: false, owns: false, clock_offset: null }
    expect(serverFaults('DATABASE_URL', state)).toEqual([])
    expect(serverFaults('DATABASE_URL', { ...state, synchronous_commit: 'remote_apply' })).toEqual([])
  })
})

describe('the key canary', () => {
  const refused =
    'configuration refused: WDS_ENCRYPTION_KEY_FILE does not hold the key that stored secrets are encrypted with'
  const canaries = async () =>
    (await home.admin.query<{ kid: string; envelope: string }>('select kid, envelope from api.key_canaries')).rows

  test.each(['http', 'worker'])(
    'XP04: the role %s stores one at its first start and refuses another key',
    async (role) => {
      await home.admin.query('delete from api.key_canaries')
      await (await start({ WDS_ROLE: role })).stop()
      const stored = await canaries()
      expect(stored).toHaveLength(1)
      await (await start({ WDS_ROLE: role })).stop()
      await expect(start({ WDS_ROLE: role, WDS_ENCRYPTION_KEY_FILE: home.keyFile('other') })).rejects.toThrow(refused)
      expect(await canaries()).toEqual(stored)
    },
  )

  test('a canary that was changed, or moved to another kid, does not open', async () => {
    await home.admin.query('delete from api.key_canaries')
    await (await start()).stop()
    const [stored] = await canaries()
    await home.admin.query("insert into api.key_canaries (kid, envelope) values ('moved', $1)", [stored?.envelope])
    await expect(start()).rejects.toThrow(refused)
    await home.admin.query("delete from api.key_canaries where kid = 'moved'")
    await (await start()).stop()
  })
})

describe('a key file', () => {
  test.each([
    ['is missing', null, 0o600],
    ['is empty', '', 0o600],
    ['is too short', Buffer.alloc(16, 'ab').toString('base64'), 0o600],
    ['is one byte repeated', Buffer.alloc(32, 1).toString('base64'), 0o600],
    ['is readable by others', Buffer.from('0123456789abcdef0123456789abcdef').toString('base64'), 0o644],
  ])('that %s is told by the name of the setting, never by its path', async (_what, text, mode) => {
    const file = join(home.folder, 'bad-key')
    if (text !== null) {
      writeFileSync(file, text)
      chmodSync(file, mode)
    }
    const path = text === null ? `${file}-missing` : file
    for (const setting of ['WDS_ENCRYPTION_KEY_FILE', 'WDS_CURSOR_KEY_FILE']) {
      const message = await start({ [setting]: path }).then(
        () => 'not refused',
        (error: Error) => error.message,
      )
      expect(message).toMatch(new RegExp(`^configuration refused: the file of ${setting} `))
      expect(message).not.toContain(home.folder)
    }
  })
})

describe('a token file', () => {
  const token = 'b3bTqJ9nYx0sLw2cVf7kRz4mHd8gPa1e'
  const write = (text: string, mode = 0o600) => {
    const file = join(home.folder, 'token')
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }

  test('is read without its line end; its group may read it, as a mounted secret asks for', () => {
    expect(readTokens('WDS_INTERNAL_TOKEN_FILE', write(`${token}\n`))).toEqual([token])
    expect(readTokens('WDS_INTERNAL_TOKEN_FILE', write(token, 0o440))).toEqual([token])
  })

  test.each([
    ['empty', '', 0o600],
    ['too short', token.slice(1), 0o600],
    ['two words', `${token} ${token}`, 0o600],
    ['three lines', `${token}\n${token}\n${token}`, 0o600],
    ['a good line and a short one', `${token}\nshort`, 0o600],
    ['one character repeated', 'a'.repeat(64), 0o600],
    ['readable by others', token, 0o604],
    ['writable by its group', token, 0o660],
  ])('is refused when it is %s', (_what, text, mode) => {
    const file = write(text, mode)
    expect(() => readTokens('WDS_INTERNAL_TOKEN_FILE', file)).toThrow(
      /^configuration refused: the file of WDS_INTERNAL_TOKEN_FILE /,
    )
  })
})

test('a process that is refused ends with 1 and one line on standard error', async () => {
  const program = fileURLToPath(new URL('./fixtures/gadget-program.ts', import.meta.url))
  const env = {
    PATH: process.env.PATH,
    ...home.env,
    WDS_BASE_URL: 'http://api.example',
    WDS_TRUSTED_PROXIES: '10.0.0.1',
  }
  const stderr = expect.stringMatching(
    /^api: configuration refused: WDS_BASE_URL must begin with https:\/\/ in production[^\n]*\n$/,
  )
  await expect(promisify(execFile)(process.execPath, [program], { env })).rejects.toMatchObject({
    code: 1,
    stderr,
    stdout: '',
  })
})
