/**
 * F42: every endpoint is down for a while, then all are up at once: none is called by more requests at a time than it takes, a process has no
 * more under way than it has slots, and each delivery arrives, none of them for good undone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Client, clientOf } from '../harness/client.ts'
import { whenKeyIsKnown } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'
import { type HeldReceiver, startHeldReceiver } from './held-receiver.ts'
import { report, writeWhile } from './load.ts'
import { drainMs, readFacts, readLateness } from './read-history.ts'
import { isFull, type Rig, startRig } from './rig.ts'

const [workspaces, endpointsEach] = isFull ? [10, 10] : [5, 5]
const downMs = isFull ? 60_000 : 10_000
/** Longer than they are down, in sum; who failed just before their return waits for the last of them. */
const delays = '1s,2s,4s,8s,16s,32s,64s'
const [attempts, lastDelayMs] = [8, 64_000]
const [slots, inFlightMax, holdMs] = [64, 4, 50]

interface Tenant {
  workspaceId: string
  client: Client
  integration: string
  receivers: HeldReceiver[]
}

let rig: Rig
const tenants: Tenant[] = []
beforeAll(async () => {
  const delivery = {
    WDS_DELIVERY_SLOTS: String(slots),
    WDS_DELIVERY_ATTEMPTS: String(attempts),
    WDS_DELIVERY_DELAYS: delays,
  }
  rig = await startRig({ log: 'Postgres', envOf: { delivery } })
  for (let nth = 0; nth < workspaces; nth += 1) {
    const { workspaceId, apiKey } = await rig.stack.makeWorkspace(`tenant ${nth}`)
    for (const path of ['/v1/integrations', '/v1/webhooks']) await whenKeyIsKnown(`${rig.url}${path}`, apiKey)
    const client = clientOf({ base_url: rig.url } as never, apiKey)
    const json = { name: 'a', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' }
    const integration = (await client('/v1/integrations', { json })).body.id as string
    const hosts = Array.from({ length: endpointsEach }, (_, of) => `127.0.${nth + 1}.${of + 1}`)
    const receivers = await Promise.all(hosts.map((host) => startHeldReceiver(holdMs, host)))
    tenants.push({ workspaceId, client, integration, receivers })
    for (const { url } of receivers) {
      const hook = { url, events: ['integration.updated'], max_in_flight: inFlightMax }
      expect((await client('/v1/webhooks', { json: hook })).status).toBe(201)
    }
  }
})
afterAll(async () => {
  await rig?.stop()
  for (const { receivers } of tenants) for (const one of receivers) one.close()
})

const all = () => tenants.flatMap(({ receivers }) => receivers)

/** Changes an integration of every tenant until `during` is over. */
function writeOfAll(during: () => Promise<unknown>): Promise<unknown> {
  const writeOf = (rest: Tenant[]): (() => Promise<unknown>) => {
    const [first, ...others] = rest
    if (first === undefined) return during
    return () => writeWhile(first.client, { integrations: [first.integration], paceMs: 200, during: writeOf(others) })
  }
  return writeOf(tenants)()
}

test('F42: all endpoints are down, then up at once: caps hold, and everything arrives', async () => {
  let upMs = 0
  let mostHeld = 0
  await writeOfAll(async () => {
    await eventually('all of them are called', async () => all().every(({ arrivals }) => arrivals.length > 0))
    await Promise.all(all().map((one) => one.down()))
    await sleep(downMs)
    await Promise.all(all().map((one) => one.up()))
    upMs = Date.now()
    const endMs = performance.now() + 5_000
    while (performance.now() < endMs) {
      mostHeld = Math.max(
        mostHeld,
        all().reduce((sum, one) => sum + one.held(), 0),
      )
      await sleep(5)
    }
  })

  const late: number[] = []
  let deliveries = 0
  let requests = 0
  for (const { workspaceId, receivers, client } of tenants) {
    const facts = [...(await readFacts(rig.ask, workspaceId)).values()].flat()
    for (const { url, arrivals } of receivers) {
      const missing = () => facts.filter((id) => !arrivals.includes(id))
      await eventually(`all ${facts.length} at ${url}`, async () => missing().length === 0, lastDelayMs + drainMs)
      deliveries += facts.length
      requests += arrivals.length
    }
    expect((await client('/v1/dead-letters')).body.data).toEqual([])
    const lateness = await readLateness(rig.ask, workspaceId)
    late.push(
      ...lateness.attempts
        .filter(({ startedMs }) => startedMs > upMs)
        .map((one) => one.startedMs - Math.max(one.dueMs, upMs)),
    )
  }
  expect(all().filter((one) => one.mostHeld() > inFlightMax)).toEqual([])
  expect(mostHeld).toBeLessThanOrEqual(slots)
  // What was sent was answered with 200, so nothing comes twice.
  expect(requests).toBe(deliveries)
  late.sort((a, b) => a - b)
  const at = (share: number) => ((late[Math.floor((late.length - 1) * share)] ?? 0) / 1_000).toFixed(1)
  report(
    `F42: ${deliveries} deliveries, at most ${mostHeld} requests at once; from being due, or from the return, to the attempt: p50 ${at(0.5)} s, p99 ${at(0.99)} s, max ${at(1)} s`,
  )
})
