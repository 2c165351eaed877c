import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Aggregate, AnyAggregate } from '@wds/aggregate/aggregate'
import { accept } from '@wds/decider/decider'
import { appendEvents } from '@wds/event-store/event-store'
import { fromStreams } from '@wds/event-store/republish'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { logCommands } from './log-commands.ts'
import { serviceMigrations } from './migrations.ts'
import type { Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'

let database: TestDatabase
let worker: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, worker: connectionString } = database.urls.services.api
  // An empty folder of its own would do: `fixtures` holds programs only.
  const directories = serviceMigrations({ callers: 'known', own: new URL('./fixtures/', import.meta.url) })
  await migrate({ connectionString: owner, schema: 'api', directories })
  const ownerPool = createPool({ connectionString: owner, applicationName: 'test', max: 1 })
  await ownerPool.query(`create table things (workspace_id text, id text, version integer, status text, state jsonb,
    created timestamptz(3), updated timestamptz(3), primary key (workspace_id, id))`)
  await ownerPool.query('grant select, insert, update, delete on things to wds_api_worker')
  await ownerPool.end()
  worker = createPool({ connectionString, applicationName: 'test', max: 2 })
})
afterAll(async () => {
  await worker?.end()
  await database?.drop()
})

/** Their row counts their events. */
const things: Aggregate<{ status: string; n: number }, never, { type: string; data: object }, never> = {
  streamType: 'thing',
  idPrefix: 'int',
  table: 'things',
  decider: {
    initialState: { status: 'none', n: 0 },
    evolve: ({ n }) => ({ status: 'made', n: n + 1 }),
    decide: () => accept(),
  },
  columns: ({ status }) => ({ status }),
}

const service = {
  name: 'api',
  callers: 'known',
  consumers: [
    {
      name: 'api.things',
      topics: ['workspace.events'],
      dedupe: 'natural',
      handleBatch: async (tx, [record]) => {
        if (record?.key === 'bad') throw new Error('still\nbad')
        await tx.query(`insert into key_canaries (kid, envelope) values ($1, '')`, [record?.eventId])
      },
    },
  ],
  aggregates: [things as unknown as AnyAggregate],
  republish: fromStreams((event) => [
    { topic: 'workspace.events', key: 'k', type: event.type, payload: Buffer.from(event.eventId) },
  ]),
} as Partial<Service<ServiceValues>> as Service<ServiceValues>

const unknown = 'there is no consumer of this name, only api.keys, api.things'

/** Exit code and what was told. */
async function run(word: string, args: string[]): Promise<[number | undefined, string]> {
  const lines: string[] = []
  const commands = logCommands(service, { args, print: (line) => lines.push(line) })
  const code = await commands[word]?.({ WDS_WORKER_DATABASE_URL: database.urls.services.api.worker })
  return [code, lines.join('\n')]
}

describe('after the log lost records', () => {
  test('republish puts what streams hold into the outbox once more', async () => {
    await withTransaction(worker, { workspaceId: 'wsp_1' }, (tx) =>
      appendEvents(tx, {
        context: {
          workspaceId: 'wsp_1',
          actor: { type: 'system', id: 's' },
          correlation: 'c',
          trace: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
        },
        streamType: 'thing',
        streamId: 'one',
        expectedVersion: 0,
        nowMs: Date.now(),
        lastCreatedMs: null,
        events: [{ type: 'Made', data: {} }],
      }),
    )
    const range = ['--from', '2020-01-01T00:00:00Z', '--to', '2199-01-01T00:00:00Z']
    const [code, told] = await run('republish', ['--topic', 'workspace.events', ...range])
    expect([code, told]).toEqual([0, 'republished 1 records of workspace.events from 1 events of 1 workspaces'])
    expect((await worker.query('select from outbox')).rowCount).toBe(1)
    expect((await run('republish', []))[0]).toBe(2)
  })

  test('read-again moves a consumer before the oldest record of a topic, or of one partition', async () => {
    const positions = async () => {
      const { rows } = await worker.query('select topic, partition, off, event_id from positions order by 1, 2')
      return rows.map((row) => `${row.topic}/${row.partition} ${row.off} ${row.event_id}`)
    }
    await worker.query(`insert into positions (consumer, topic, partition, off, event_id)
      values ('api.keys', 'auth.events', 0, 5, 'evt_1'), ('api.keys', 'auth.events', 1, 6, 'evt_2'), ('api.keys', 'u', 0, 7, 'evt_3')`)
    const names = ['--consumer', 'api.keys', '--topic', 'auth.events']
    const one = await run('read-again', [...names, '--partition', '1'])
    expect(one).toEqual([0, 'api.keys reads 1 partitions of auth.events again'])
    expect(await positions()).toEqual(['auth.events/0 5 evt_1', 'auth.events/1 -1 null', 'u/0 7 evt_3'])
    expect(await run('read-again', names)).toEqual([0, 'api.keys reads 2 partitions of auth.events again'])
    expect(await positions()).toEqual(['auth.events/0 -1 null', 'auth.events/1 -1 null', 'u/0 7 evt_3'])
    expect((await run('read-again', ['--topic', 't']))[0]).toBe(2)
  })

  test('regression: read-again refuses a consumer that there is not, and a topic that it does not read: it told of 0 partitions', async () => {
    const [code, told] = await run('read-again', ['--consumer', 'api.key', '--topic', 'auth.events'])
    expect([code, told.split('\n', 1)]).toEqual([2, [unknown]])
    const [, otherTopic] = await run('read-again', ['--consumer', 'api.things', '--topic', 'auth.events'])
    expect(otherTopic).toMatch(/^api.things does not read this topic, only workspace.events\n/)
  })

  test('a service that neither announces nor consumes nor has aggregates has none of these commands', () => {
    const { republish: _, aggregates: __, ...silent } = { ...service, callers: 'anyone' as const }
    expect(Object.keys(logCommands(silent, { args: [], print: () => undefined }))).toEqual([])
  })
})

describe('read rows', () => {
  const workspace = 'wsp_01JZZZZZZZZZZZZZZZZZZZZZZZ'
  const append = (streamId: string) =>
    withTransaction(worker, { workspaceId: workspace }, (tx) =>
      appendEvents(tx, {
        context: {
          workspaceId: workspace,
          correlation: 'c',
          actor: { type: 'system', id: 's' },
          trace: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
        },
        streamType: 'thing',
        streamId,
        expectedVersion: 0,
        nowMs: Date.now(),
        lastCreatedMs: null,
        events: [{ type: 'Made', data: {} }],
      }),
    )
  const numbers = (told: string) => told.replace(/in \S+ s \(\d+\/s\)/, 'in … s (…/s)')

  test('I12: a check tells each row that differs, exit code 1; a rebuild writes it anew, and then there is none', async () => {
    await append('a')
    await append('b')
    await withTransaction(worker, { workspaceId: workspace }, (tx) =>
      tx.query(
        `insert into things select workspace_id, stream_id, 1, 'made', '{"n": 1, "status": "made"}', created, created
           from stream_events where stream_id = 'b'`,
      ),
    )
    const only = ['--workspace', workspace]
    const line = (unmended: string | null) =>
      JSON.stringify({
        workspace_id: workspace,
        type: 'thing',
        id: 'a',
        kind: 'missing',
        columns: [],
        stored_version: null,
        folded_version: 1,
        unmended,
      })
    const read = 'api: 2 events of 2 rows read in … s (…/s)'
    const [found, told] = await run('check-rows', only)
    expect([found, numbers(told)]).toEqual([1, `${line('not asked for')}\n${read}, 1 differences`])
    const [mended, said] = await run('rebuild-rows', only)
    expect([mended, numbers(said)]).toEqual([0, `${line(null)}\n${read}, 1 differences, 1 written anew`])
    const [sound, nothing] = await run('check-rows', only)
    expect([sound, numbers(nothing)]).toEqual([0, `${read}, 0 differences`])
    const [, behind] = await run('check-rows', [...only, '--from', `${workspace}/thing/a`])
    expect(behind).toContain('1 events of 1 rows')
    const wrong = await run('check-rows', ['--from', `${workspace}/nothing`])
    expect(wrong).toEqual([2, expect.stringContaining('there are no rows of this type, only thing')])
  })

  test('one that ends by a fault says from where to go on', async () => {
    const lines: string[] = []
    const broken = { ...things, table: 'no_such_table' } as unknown as AnyAggregate
    const options = { args: ['--from', workspace], print: () => undefined, say: (line: string) => lines.push(line) }
    const commands = logCommands({ ...service, aggregates: [broken] }, options)
    const env = { WDS_WORKER_DATABASE_URL: database.urls.services.api.worker }
    await expect(commands['check-rows']?.(env)).rejects.toThrow('no_such_table')
    expect(lines).toEqual([`api: ended early, to go on: --from ${workspace}`])
  })
})

describe('dead letters', () => {
  const put = async (consumer: string, key: string, eventId: string) => {
    const { rows } = await worker.query<{ id: string }>(
      `insert into dead_letters (workspace_id, consumer, topic, partition, off, key, event_id, headers, payload, reason, tries)
        values ('wsp_1', $1, 't', 3, 7, $2, $3, '{"a": "b"}', '{}', 'PoisonRecord: no' || chr(27) || '[2Jsuch thing', 1) returning id`,
      [consumer, key, eventId],
    )
    return rows[0]?.id ?? ''
  }

  test('are listed for people and for programs, and replayed: what fails again stays', async () => {
    expect(await run('dead-letters', ['list'])).toEqual([0, 'api: 0 dead letters'])
    const good = await put('api.things', 'good', 'evt_1')
    const bad = await put('api.things', 'bad', 'evt_2')
    const other = await put('gone.consumer', 'k', 'evt_3')
    const [, told] = await run('dead-letters', ['list', '--limit', '1'])
    expect(told).toMatch(
      new RegExp(
        `^${good}  \\S+Z  api\\.things  t/3@7  evt_1  wsp_1  1 try  PoisonRecord: no \\[2Jsuch thing\n` +
          'api: 3 dead letters, of which the oldest 1 are listed$',
      ),
    )
    const [, json] = await run('dead-letters', ['list', '--json', '--consumer', 'gone.consumer'])
    const place = { consumer: 'gone.consumer', topic: 't', partition: 3, offset: '7', key: 'k', event_id: 'evt_3' }
    expect(JSON.parse(json)).toMatchObject({
      id: other,
      ...place,
      workspace_id: 'wsp_1',
      tries: 1,
      headers: { a: 'b' },
    })

    const failed = `${bad} failed again: still bad`
    const replayed = await run('dead-letters', ['replay'])
    expect(replayed).toEqual([1, `${failed}\napi: 1 replayed, 1 failed again, 2 dead letters left`])
    const again = await run('dead-letters', ['replay', '--id', bad])
    expect(again).toEqual([1, `${failed}\napi: 0 replayed, 1 failed again, 2 dead letters left`])
    expect(await run('dead-letters', ['replay', '--id', good])).toEqual([1, expect.stringContaining('no dead letter')])
    expect((await worker.query(`select from key_canaries where kid = 'evt_1'`)).rowCount).toBe(1)
  })

  test('are dismissed, one or all of a consumer: off the list, and out of what is replayed but by its id', async () => {
    const first = await put('given.up', 'k', 'e1')
    const second = await put('given.up', 'k', 'e2')
    const things = await put('api.things', 'good', 'evt_dismissed')
    const one = await run('dead-letters', ['dismiss', '--id', first])
    expect(one).toEqual([0, expect.stringMatching(/^api: 1 dismissed, \d+ dead letters? left$/)])
    const again = await run('dead-letters', ['dismiss', '--id', first])
    expect(again).toEqual([1, `api keeps no dead letter ${first} that could be dismissed`])
    const listed = async (consumer: string) => (await run('dead-letters', ['list', '--consumer', consumer]))[1]
    expect(await listed('given.up')).toMatch(new RegExp(`^${second}  .*\napi: 1 dead letter$`))
    const rest = await run('dead-letters', ['dismiss', '--consumer', 'given.up'])
    expect(rest).toEqual([0, 'api: 1 dismissed, 0 dead letters left'])

    await run('dead-letters', ['dismiss', '--id', things])
    expect((await run('dead-letters', ['replay', '--consumer', 'api.things']))[1]).toContain('api: 0 replayed')
    expect((await run('dead-letters', ['replay', '--id', things]))[1]).toContain('api: 1 replayed')
  })

  test('regression: of a consumer that there is not, and that left none, nothing is told as if all were well', async () => {
    for (const word of ['list', 'dismiss'])
      expect(await run('dead-letters', [word, '--consumer', 'api.thing'])).toEqual([2, unknown])
    expect(await run('dead-letters', ['list', '--consumer', 'api.keys'])).toEqual([0, 'api: 0 dead letters'])
  })

  test('a command tells how it is called, and what is wrong with its arguments, without any setting', async () => {
    const usages = {
      republish: ['--from', 'x'],
      'read-again': ['--nonsense'],
      'dead-letters': ['list', '--limit', 'x'],
      'check-rows': ['--from', 'here'],
      'rebuild-rows': ['--workspace', 'x'],
    }
    for (const [word, wrong] of Object.entries(usages)) {
      for (const [args, code] of [
        [['--help'], 0],
        [['-h'], 0],
        [wrong, 2],
      ] as const) {
        const lines: string[] = []
        const print = (line: string) => void lines.push(line)
        expect(await logCommands(service, { args: [...args], print })[word]?.({})).toBe(code)
        expect(lines.join('\n')).toContain(`usage: ${word} `)
      }
    }
  })

  test('the command says what is wrong with its arguments', async () => {
    const wrong = [
      [],
      ['drop'],
      ['list', '--id', '1'],
      ['replay', '--json'],
      ['dismiss'],
      ['dismiss', '--limit', '5'],
      ['list', '--limit', '0'],
      ['list', '--nonsense'],
    ]
    for (const args of [...wrong, ['replay', '--consumer', 'no.such'], ['replay', '--id', 'one']]) {
      expect(await run('dead-letters', args)).toEqual([2, expect.stringContaining('usage: dead-letters list')])
    }
  })
})
