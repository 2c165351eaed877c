/**
 * 200 uploads over 20 integrations in 10 workspaces, while every process in turn ends by kill -9, the supervisor and
 * Postgres and the broker included. Afterwards: exactly 200 sync.completed, each delivered, none invented, sums exact, projection = fold.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, jest, test } from '@jest/globals'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { whyNoOwnBroker } from '@wds/local-infra/test-broker'
import { type Client, uploadStats } from '../harness/client.ts'
import { eventually, makePlace, type Place, type Standalone, startStandalone } from '../harness/standalone.ts'
import { makeWorkspace, runServiceCommand } from '../harness/workspaces.ts'

jest.setTimeout(400_000)

const workspaces = 10
const integrationsEach = 2
const uploadsEach = 10
const total = workspaces * integrationsEach * uploadsEach

const logs = (await whyNoOwnBroker()) === null ? ['Postgres', 'Kafka'] : ['Postgres']

let place: Place
let standalone: Standalone
let receiver: Awaited<ReturnType<typeof startFakeReceiver>>

async function startOn(log: string): Promise<void> {
  place = await makePlace(
    {
      WDS_DELIVERY_DELAYS: '300ms,500ms,1s,2s,4s',
      WDS_DELIVERY_DEADLINE: '1s',
      WDS_DELIVERY_LEASE: '4s',
      WDS_SYNC_LEASE: '3s',
      WDS_SYNC_RETRY_DELAYS: '200ms,400ms,800ms',
    },
    { kafka: log === 'Kafka' },
  )
  receiver = await startFakeReceiver({})
  standalone = await startStandalone(place)
}
afterEach(async () => {
  await standalone?.stop()
  await receiver?.close()
  place?.remove()
})

interface Integration {
  client: Client
  id: string
}

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

const dayOf = (nth: number) => `2026-10-${String(nth + 1).padStart(2, '0')}`

/** Repeats one upload under one key until it was accepted: what a careful client does. */
async function uploadSurely(integration: Integration, nth: number): Promise<void> {
  const csv = `date,clicks,ftds\n${dayOf(nth)},${nth + 1},1\n`
  const client: Client = (path, o) =>
    integration.client(path, { ...o, headers: { ...o?.headers, 'idempotency-key': `upload-${integration.id}-${nth}` } })
  await eventually(
    'the upload is accepted',
    async () => {
      const { status, body } = await uploadStats(client, integration.id, csv)
      if (status === 202) return true
      if (![409, 429, 503].includes(status)) throw new Error(`refused: ${status} ${JSON.stringify(body)}`)
      return false
    },
    120_000,
  )
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

test.each(logs)('0 lost, 0 invented, sums exact, whatever is killed; log in %s', async (log) => {
  await startOn(log)
  const all: Workspace[] = []
  for (let nth = 0; nth < workspaces; nth += 1) all.push(await prepareWorkspace(nth))

  const uploads = all.flatMap(({ integrations }) =>
    integrations.map(async (integration) => {
      for (let nth = 0; nth < uploadsEach; nth += 1) await uploadSurely(integration, nth)
    }),
  )
  const [killed] = await Promise.all([killInTurn(log), ...uploads])
  expect(killed).toHaveLength(log === 'Kafka' ? 8 : 7)

  for (const { client, webhookId, integrations } of all) {
    const expected = integrations.length * uploadsEach
    const deliveries = await eventually(
      'all deliveries of a workspace are delivered',
      async () => {
        const { body } = await client(`/v1/webhooks/${webhookId}/deliveries?limit=100`)
        const open = body.data.filter(({ status }: { status: string }) => status !== 'delivered')
        return body.data.length >= expected && open.length === 0 && body.data
      },
      120_000,
    )
    expect(deliveries).toHaveLength(expected)
    const stats = await client(`/v1/stats?from=${dayOf(0)}&to=${dayOf(uploadsEach - 1)}&metrics=clicks,ftds`)
    const clicks = (integrations.length * uploadsEach * (uploadsEach + 1)) / 2
    expect(stats.body.totals).toEqual([{ currency: 'EUR', clicks, ftds: expected }])
  }

  const bodies = new Map(
    receiver.received.map(({ body }) => [JSON.parse(String(body)).id as string, JSON.parse(String(body))]),
  )
  expect(bodies.size).toBe(total)
  const perIntegration = new Map<string, number>()
  for (const { data } of bodies.values()) {
    expect(data).toMatchObject({ status: 'success', rows_ingested: 1 })
    perIntegration.set(data.integration_id, (perIntegration.get(data.integration_id) ?? 0) + 1)
  }
  const ids = all.flatMap(({ integrations }) => integrations.map(({ id }) => id))
  expect([...perIntegration].sort()).toEqual(ids.map((id) => [id, uploadsEach] as [string, number]).sort())

  const stdout = await runServiceCommand(place, 'delivery', 'check-projection')
  expect(stdout).toContain(', 0 differences')
})
