/**
 * First: 200 uploads over 20 integrations in 10 workspaces, while every process in turn ends by kill -9, the supervisor and
 * Postgres and the broker included. Afterwards: exactly 200 sync.completed, each delivered, none invented, sums exact, projection = fold.
 * With WDS_FAULTS=full alone: all services at once, under a steady load: how long an acknowledged event waits.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { idTimeMs } from '@wds/contracts/ids'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { isFullRun } from '@wds/local-infra/test-size'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { Client } from '../../harness/client.ts'
import { type ReceiverAnswer, startReceiver } from '../../harness/receiver.ts'
import { eventually, makePlace, type Place, type Standalone, startStandalone } from '../../harness/standalone.ts'
import { databaseUrls, makeWorkspace, runServiceCommand } from '../../harness/workspaces.ts'
import { type KeyedCall, keyBreachesOf } from '../checkers/call-checker.ts'
import { report, writeWhile } from '../rig/load.ts'
import { dayOf, type Integration, importsOf, uploadSurely } from './keyed-uploads.ts'

const integrationsEach = 2
const uploadsEach = 10

const workspaces = 10

// On Kafka with WDS_FAULTS=full alone: the broker is the only process that is another one there.
const logs = ['Postgres']
if (isFullRun() && (await whyNoOwnBroker()) === null) logs.push('Kafka')

let place: Place
let standalone: Standalone
let receiver: Awaited<ReturnType<typeof startFakeReceiver>>

// The deadline is one that a receiver keeps on a busy machine too: six attempts that run into it would make a delivery dead.
const fast = {
  WDS_DELIVERY_DELAYS: '300ms,500ms,1s,2s,10s',
  WDS_DELIVERY_DEADLINE: '8s',
  WDS_DELIVERY_LEASE: '12s',
  WDS_SYNC_LEASE: '3s',
  WDS_SYNC_RETRY_DELAYS: '200ms,400ms,800ms',
  WDS_STATS_RESTATE_WAIT: '1s',
}

async function startOn(log: string, env: Record<string, string>): Promise<void> {
  place = await makePlace(env, { kafka: log === 'Kafka' })
  receiver = await startFakeReceiver({})
  standalone = await startStandalone(place)
}
afterEach(async () => {
  await standalone?.stop()
  await receiver?.close()
  place?.remove()
})

interface Workspace {
  client: Client
  webhookId: string
  integrations: Integration[]
}

async function prepareWorkspace(nth: number): Promise<Workspace> {
  const { client } = await makeWorkspace(standalone, `Workspace ${nth}`)
  const url = `${receiver.url}/hooks/${nth}`
  const webhook = await client('/v1/webhooks', { json: { url, events: ['sync.completed'] } })
  expect(webhook.status).toBe(201)
  const integrations: Integration[] = []
  for (let i = 0; i < integrationsEach; i += 1) {
    const json = {
      name: `i${i}`,
      provider: 'csv_upload',
      brand_slug: `brand-${i}`,
      currency: 'EUR',
      source_time_zone: 'UTC',
    }
    const made = await client('/v1/integrations', { json })
    expect(made.status).toBe(201)
    integrations.push({ client, id: made.body.id })
  }
  return { client, webhookId: webhook.body.id, integrations }
}

/** The supervisor's children by script, from the kernel's own list. */
function children(pid: number): { pid: number; script: string }[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  return ids.map((id) => ({ pid: id, script: readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\u0000', ' ') }))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself meanwhile
  }
}

async function killInTurn(log: string): Promise<string[]> {
  const killed: string[] = []
  for (const script of ['services/api', 'services/delivery', 'services/auth', 'services/catalog', 'router-main']) {
    const child = children(standalone.pid).find((candidate) => candidate.script.includes(script))
    if (child === undefined) throw new Error(`${script} does not run`)
    kill(child.pid)
    killed.push(script)
    await sleep(1_500)
  }
  kill(Number(readFileSync(join(place.dataDirectory, 'pg/postmaster.pid'), 'utf8').split('\n', 1)[0]))
  killed.push('postgres')
  await sleep(4_000)
  if (log === 'Kafka') {
    kill(JSON.parse(readFileSync(join(place.dataDirectory, 'broker/wds-broker.json'), 'utf8')).pid)
    killed.push('kafka')
    await sleep(8_000)
  }
  await standalone.kill()
  killed.push('supervisor')
  standalone = await startStandalone(place)
  return killed
}

test.each(logs)('F01, F02, I12, I18: 0 lost, 0 invented, sums exact, whatever is killed; log in %s', async (log) => {
  await startOn(log, fast)
  const all: Workspace[] = []
  for (let nth = 0; nth < workspaces; nth += 1) all.push(await prepareWorkspace(nth))

  const told: KeyedCall[] = []
  const uploads = all.flatMap(({ integrations }) =>
    integrations.map(async (integration) => {
      for (let nth = 0; nth < uploadsEach; nth += 1) await uploadSurely(integration, nth, told)
    }),
  )
  const [killed] = await Promise.all([killInTurn(log), ...uploads])
  expect(killed).toHaveLength(log === 'Kafka' ? 8 : 7)
  // Every process is another one now: what was answered before is known by them, too.
  for (const { integrations } of all)
    for (const integration of integrations)
      for (const nth of [0, uploadsEach - 1]) await uploadSurely(integration, nth, told)
  const effects = await Promise.all(all.flatMap(({ integrations }) => integrations.map((one) => importsOf(one, told))))
  expect(keyBreachesOf({ calls: told, effects: effects.flat() })).toEqual([])

  for (const { client, webhookId, integrations } of all) {
    const expected = integrations.length * uploadsEach
    const deliveries = await eventually(
      'all deliveries of a workspace are delivered',
      async () => {
        const { body } = await client(`/v1/webhooks/${webhookId}/deliveries?limit=100`)
        const open = body.data.filter(({ status }: { status: string }) => status !== 'delivered')
        if (body.data.length < expected) throw new Error(`${body.data.length} of ${expected} are there`)
        if (open.length > 0) throw new Error(`of ${expected} are open: ${JSON.stringify(open)}`)
        return body.data
      },
      120_000,
    )
    expect(deliveries).toHaveLength(expected)
    // A day that became final between two uploads shows the second one when it is restated.
    await eventually('the sums are exact', async () => {
      const stats = await client(`/v1/stats?from=${dayOf(0)}&to=${dayOf(uploadsEach - 1)}&metrics=clicks,ftds`)
      const clicks = (integrations.length * uploadsEach * (uploadsEach + 1)) / 2
      expect(stats.body.totals).toEqual([{ currency: 'EUR', clicks, ftds: expected }])
      return true
    })
  }

  const bodies = new Map(
    receiver.received.map(({ body }) => [JSON.parse(String(body)).id as string, JSON.parse(String(body))]),
  )
  expect(bodies.size).toBe(workspaces * integrationsEach * uploadsEach)
  const perIntegration = new Map<string, number>()
  for (const { data } of bodies.values()) {
    expect(data).toMatchObject({ status: 'success', rows_ingested: 1 })
    perIntegration.set(data.integration_id, (perIntegration.get(data.integration_id) ?? 0) + 1)
  }
  const ids = all.flatMap(({ integrations }) => integrations.map(({ id }) => id))
  expect([...perIntegration].sort()).toEqual(ids.map((id) => [id, uploadsEach] as [string, number]).sort())

  await expectFolds()
})

/** I12: every row is the fold of its stream, every delivery that of its log. */
async function expectFolds(): Promise<void> {
  expect(await runServiceCommand(place, 'delivery', 'check-projection')).toContain(', 0 differences')
  for (const service of ['api', 'delivery'] as const) {
    const told = await runServiceCommand(place, service, 'check-rows')
    expect(told).toMatch(/: [1-9]\d* events of [1-9]\d* rows read in .*, 0 differences\n$/)
  }
}

type Arrivals = ReceiverAnswer['arrivals']

const together = ['services/api', 'services/delivery', 'services/auth', 'services/catalog']

/** An event waits at most so long after kill -9 of every service, ms (reliability.md F05). */
const waitMaxMs = 10_000
/** What a start of all services takes on a machine of their own, ms. Where it takes twice as long here, so may the rest. */
const usualStartMs = 3_000

/** Kills all services in one moment; resolves with the milliseconds until each of them answers again. */
async function killTogether(client: Client): Promise<number> {
  const running = children(standalone.pid).filter(({ script }) => together.some((name) => script.includes(name)))
  expect(running).toHaveLength(together.length)
  const killedAt = performance.now()
  for (const { pid } of running) kill(pid)
  for (const path of ['/v1/integrations', '/v1/webhooks', '/v1/event-types', '/v1/workspace'])
    await eventually(`${path} answers again`, async () => (await client(path).catch(() => null))?.status === 200)
  return performance.now() - killedAt
}

/** How long each event of the workspace waited for its first request, ms, longest first. Its events: what the streams hold. */
async function waitsOf(pool: Pool, workspaceId: string, arrivals: Arrivals): Promise<number[]> {
  const { rows } = await withTransaction(pool, { workspaceId, readOnly: true }, (tx) =>
    tx.query<{ event_id: string }>(
      "select event_id from stream_events where stream_type = 'integration' and version > 1",
    ),
  )
  const first = new Map(arrivals.toReversed().map(([, eventId, , at]) => [eventId, at]))
  return rows
    .map(({ event_id }) => (first.get(event_id) ?? Number.POSITIVE_INFINITY) - idTimeMs(event_id))
    .sort((a, b) => b - a)
}

// It judges a time, so it decides about no change; all-killed judges in each run that nothing is lost.
if (isFullRun())
  test.each(logs)(
    'F05: kill -9 of all services at once, 100 events/s: what was acknowledged is delivered within 10 s; log in %s',
    async (log) => {
      await startOn(log, {})
      const steady = await startReceiver(1)
      const url = databaseUrls(place).services.api.http
      const pool = createPool({ connectionString: url, applicationName: 'test', max: 1 })
      try {
        const { client, id: workspaceId } = await makeWorkspace(standalone, 'Steady')
        const webhook = { url: `${steady.origins[0]}/hook`, events: ['integration.updated'] }
        expect((await client('/v1/webhooks', { json: webhook })).status).toBe(201)
        const integrations: string[] = []
        for (let nth = 0; nth < 10; nth += 1) {
          const json = { name: `i${nth}`, provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
          integrations.push((await client('/v1/integrations', { json })).body.id)
        }
        const starts: number[] = []
        const writes = await writeWhile(client, {
          integrations,
          paceMs: 100,
          during: async () => {
            for (let nth = 0; nth < 5; nth += 1) {
              await sleep(4_000)
              starts.push(await killTogether(client))
            }
            await sleep(2_000)
          },
        })
        const acknowledged = writes.filter(({ status }) => status === 200).length
        const waits = await eventually('every event has arrived', async () => {
          const found = await waitsOf(pool, workspaceId, await steady.arrivals())
          return found[0] !== Number.POSITIVE_INFINITY && found
        })
        expect(waits.length).toBeGreaterThanOrEqual(acknowledged)
        expect(acknowledged).toBeGreaterThan(50)
        const slowestStart = Math.max(...starts)
        const [longest = 0] = waits
        const after = waits.filter((ms) => ms > 1_000).length
        report(
          `kill -9 of all services at once, log in ${log}: longest wait ${(longest / 1_000).toFixed(1)} s, ${after} of ${waits.length} ` +
            `above 1 s; services back after ${starts.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s`,
        )
        expect(longest).toBeLessThan(waitMaxMs * Math.max(1, slowestStart / usualStartMs))
        await expectFolds()
      } finally {
        steady.stop()
        await pool.end()
      }
    },
  )
