// I12: the rows of subscriptions and replays are the fold of their streams; one that is not is found, and written anew (F53).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { aggregatesOf } from '@wds/aggregate/concept'
import { checkRows, type RowDifference } from '@wds/aggregate/row-check'
import { seedEvents } from './engine.fixture.ts'
import { createFanOut } from './fan-out/fan-out.ts'
import { period, type ReplaysUnderTest, startReplays, type Workspace } from './replays/replays.fixture.ts'
import { replaysKeptMs } from './replays/store.ts'
import { concepts } from './resources.ts'

let replays: ReplaysUnderTest
let workspace: Workspace
let webhookId: string
beforeAll(async () => {
  replays = await startReplays()
  workspace = replays.newWorkspace()
  const { call } = workspace
  webhookId = await workspace.withDead(2, { events: ['invoice.paid'], type: 'invoice.paid' })
  const gone = await call('POST', '/v1/webhooks', { url: 'https://b.test/', events: ['*'] })
  await call('DELETE', `/v1/webhooks/${gone.body.id}`)
  const replay = await call('POST', `/v1/webhooks/${webhookId}/replays`, period())
  await workspace.untilEnded(replay.body.id)
  await workspace.attempt()
  await replays.countOutcomes()
})
afterAll(() => replays?.stop())

const aggregates = aggregatesOf(concepts)

async function run(rebuild: boolean): Promise<RowDifference[]> {
  const found: RowDifference[] = []
  const report = (difference: RowDifference) => void found.push(difference)
  await checkRows({ pool: replays.engine.worker, aggregates, rebuild, report })
  return found
}

async function stored(): Promise<unknown[]> {
  const { admin } = replays.engine
  const tables = ['subscriptions', 'replays'].map((table) =>
    admin.query(`select * from delivery.${table} order by 1, 2`),
  )
  return (await Promise.all(tables)).flatMap(({ rows }) => rows)
}

/** As the one whom no constraint stops. */
async function spoil(...statements: string[]): Promise<void> {
  const client = await replays.engine.admin.connect()
  for (const text of ['begin', `set local session_replication_role = 'replica'`, ...statements, 'commit'])
    await client.query(text)
  client.release(true)
}

test('I12: every row is the fold of its stream', async () => {
  expect(await run(false)).toEqual([])
  expect((await stored()).length).toBe(3)
})

test('F53: a subscription spoilt by hand is found, and mended; events are matched by it from then on', async () => {
  const before = await stored()
  await spoil(
    `update delivery.subscriptions set events = '{sync.failed}' where subscription_id = '${webhookId}'`,
    `update delivery.replays set status = 'running', open_epochs = 5, next_turn = next_turn + interval '1 h'`,
  )
  const { engine } = replays
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  const publish = async (type: string): Promise<void> => {
    await seedEvents(engine, { workspaceId: workspace.id, count: 1, type })
    while (await fanOut.turn());
  }
  // From now on the index in memory is that of the spoilt row.
  await spoil(`update delivery.workspaces set subscriptions_version = subscriptions_version + 1`)
  await publish('sync.failed')
  const columns = (found: RowDifference[]) => found.map(({ streamType, columns }) => [streamType, columns])
  const differences = [
    ['webhook', ['events']],
    ['replay', ['status', 'next_turn', 'open_epochs']],
  ]
  expect(columns(await run(false))).toEqual(differences)
  expect(columns(await run(true))).toEqual(differences)
  expect(await stored()).toEqual(before)
  const deliveries = async () => {
    const { body } = await workspace.call('GET', `/v1/webhooks/${webhookId}/deliveries`)
    return body.data as unknown as { event_type: string }[]
  }
  const types = async () => (await deliveries()).map(({ event_type }) => event_type).sort()
  expect(await types()).toEqual(['invoice.paid', 'invoice.paid', 'sync.failed'])
  await publish('sync.failed')
  await publish('invoice.paid')
  expect(await types()).toEqual(['invoice.paid', 'invoice.paid', 'invoice.paid', 'sync.failed'])
})

test('F53: lost rows are made of their streams; what was removed with age stays away', async () => {
  const before = await stored()
  await spoil('delete from delivery.subscriptions', 'delete from delivery.replays')
  expect((await run(true)).map(({ kind, unmended }) => [kind, unmended])).toEqual([
    ['missing', null],
    ['missing', null],
    ['missing', null],
  ])
  expect(await stored()).toEqual(before)
  await spoil(
    `update delivery.stream_events set created = created - ${replaysKeptMs + 60_000} * interval '1 ms'
      where stream_type = 'replay' or stream_id <> '${webhookId}'`,
    'delete from delivery.replays',
    `delete from delivery.subscriptions where subscription_id <> '${webhookId}'`,
  )
  expect(await run(false)).toEqual([])
})
