import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
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
  worker = createPool({ connectionString, applicationName: 'test', max: 2 })
}, 30_000)
afterAll(async () => {
  await worker?.end()
  await database?.drop()
})

const service = {
  name: 'api',
  callers: 'known',
  republish: fromStreams((event) => [
    { topic: 'workspace.events', key: 'k', type: event.type, payload: Buffer.from(event.eventId) },
  ]),
} as Partial<Service<ServiceValues>> as Service<ServiceValues>

/** Exit code and what was told. */
async function run(word: string, args: string[]): Promise<[number | undefined, string]> {
  let told = ''
  const commands = logCommands(service, {
    args,
    tell: (line) => {
      told += line
    },
  })
  const code = await commands[word]?.({ WDS_WORKER_DATABASE_URL: database.urls.services.api.worker })
  return [code, told]
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
      values ('c', 't', 0, 5, 'evt_1'), ('c', 't', 1, 6, 'evt_2'), ('c', 'u', 0, 7, 'evt_3')`)
    const names = ['--consumer', 'c', '--topic', 't']
    expect(await run('read-again', [...names, '--partition', '1'])).toEqual([0, 'c reads 1 partitions of t again'])
    expect(await positions()).toEqual(['t/0 5 evt_1', 't/1 -1 null', 'u/0 7 evt_3'])
    expect(await run('read-again', names)).toEqual([0, 'c reads 2 partitions of t again'])
    expect(await positions()).toEqual(['t/0 -1 null', 't/1 -1 null', 'u/0 7 evt_3'])
    expect((await run('read-again', ['--topic', 't']))[0]).toBe(2)
  })

  test('a service that neither announces nor consumes has neither command', () => {
    const { republish: _, ...silent } = { ...service, callers: 'anyone' as const }
    expect(Object.keys(logCommands(silent, { args: [], tell: () => undefined }))).toEqual([])
  })
})
