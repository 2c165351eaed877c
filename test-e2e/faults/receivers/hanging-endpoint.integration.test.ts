/** L7, F31 in small: one endpoint that hangs, with a backlog of 1,000 (5,000 with WDS_FAULTS=full), while 100 others get all of theirs. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serializeEnvelope } from '@wds/contracts/envelope'
import { exampleOf } from '@wds/contracts/event-schemas'
import { makeId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import type { NewLogRecord } from '@wds/event-log/port'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { isFullRun } from '@wds/local-infra/test-size'
import { createPool, type Pool } from '@wds/postgres/pool'
import { eventually, makePlace, type Place, type Standalone, startStandalone } from '../../harness/standalone.ts'
import { databaseUrls, makeWorkspace, type TestWorkspace } from '../../harness/workspaces.ts'

const backlog = isFullRun() ? 5_000 : 1_000
const goodWorkspaces = 2
const subscriptionsEach = 50
const eventsEach = 20
const healthy = goodWorkspaces * subscriptionsEach * eventsEach

let place: Place
let standalone: Standalone
let pool: Pool
let hanging: Awaited<ReturnType<typeof startFakeReceiver>>
let answering: Awaited<ReturnType<typeof startFakeReceiver>>

beforeAll(async () => {
  place = await makePlace({ WDS_DELIVERY_SLOTS: '64' })
  hanging = await startFakeReceiver({ mode: 'hang' })
  answering = await startFakeReceiver({})
  standalone = await startStandalone(place)
  pool = createPool({ connectionString: databaseUrls(place).services.api.worker, applicationName: 'test', max: 2 })
})
afterAll(async () => {
  await pool?.end()
  await hanging?.close()
  await answering?.close()
  await standalone?.stop()
  place?.remove()
})

/** Events at the log port, as the relay of a producer would put them there. */
async function publish(workspace: TestWorkspace, count: number): Promise<void> {
  const log = createPostgresLog({ pool, partitions: 12 })
  const records = Array.from({ length: count }, (): NewLogRecord => {
    const id = makeId('evt', Date.now(), randomBytes(10))
    const payload = serializeEnvelope({ ...exampleOf('integration.updated'), id, created: new Date().toISOString() })
    const headers = {
      event_id: id,
      event_type: 'integration.updated',
      schema_version: '1',
      workspace_id: workspace.id,
      actor: 'system:test',
      correlation: id,
      traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`,
    }
    return { topic: topics.workspaceEvents, key: workspace.id, eventId: id, headers, payload }
  })
  for (let from = 0; from < count; from += 500) await log.publish(records.slice(from, from + 500))
  await log.close()
}

async function subscribe(workspace: TestWorkspace, url: string): Promise<string> {
  const answer = await workspace.client('/v1/webhooks', { json: { url, events: ['integration.*'] } })
  expect([answer.status, answer.body.status]).toEqual([201, 'enabled'])
  return answer.body.id
}

test('F31: 100 healthy endpoints get all of theirs while one hangs on a backlog', async () => {
  const bad = await makeWorkspace(standalone, 'bad')
  const badId = await subscribe(bad, `${hanging.url}/hooks/bad`)
  const good: TestWorkspace[] = []
  for (let nth = 0; nth < goodWorkspaces; nth += 1) {
    const workspace = await makeWorkspace(standalone, `good ${nth}`)
    for (let i = 0; i < subscriptionsEach; i += 1) await subscribe(workspace, `${answering.url}/hooks/${nth}/${i}`)
    good.push(workspace)
  }
  await publish(bad, backlog)
  await eventually('the bad endpoint is called', async () => hanging.received.length > 0)
  for (const workspace of good) await publish(workspace, eventsEach)

  const seen = () => new Set(answering.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`))
  await eventually(`all ${healthy} healthy deliveries arrived`, async () => seen().size === healthy)
  expect(seen().size).toBe(healthy)
  expect(answering.received).toHaveLength(healthy)

  const { body } = await bad.client(`/v1/webhooks/${badId}/deliveries?status=delivered`)
  expect(body.data).toEqual([])
})
