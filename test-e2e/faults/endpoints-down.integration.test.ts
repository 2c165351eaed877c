/**
 * F42: every endpoint is down for a while, then all are up at once: none is called by more requests at a time than it takes, a process has no
 * more under way than it has slots, and each delivery arrives, none of them for good undone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '../harness/standalone.ts'
import { type HeldReceiver, startHeldReceiver } from './held-receiver.ts'
import { latencies, report, writeWhile } from './load.ts'
import { drainMs, readAttempts, readFacts, readLateness } from './read-history.ts'
import { isFull, type Rig, startRig } from './rig.ts'
import { makeTenant, type Tenant } from './tenant.ts'

const [workspaces, endpointsEach] = isFull ? [10, 10] : [5, 5]
const downMs = isFull ? 60_000 : 10_000
/** Longer than they are down, in sum; who failed just before their return waits for the last of them. */
const delays = '1s,2s,4s,8s,16s,32s,64s'
const [attempts, lastDelayMs] = [8, 64_000]
const [slots, inFlightMax, holdMs] = [64, 4, 50]

interface Called extends Tenant {
  receivers: HeldReceiver[]
}

let rig: Rig
const tenants: Called[] = []
beforeAll(async () => {
  const delivery = {
    WDS_DELIVERY_SLOTS: String(slots),
    WDS_DELIVERY_ATTEMPTS: String(attempts),
    WDS_DELIVERY_DELAYS: delays,
  }
  rig = await startRig({ log: 'Postgres', envOf: { delivery } })
  for (let nth = 0; nth < workspaces; nth += 1) {
    const tenant = await makeTenant(rig, `tenant ${nth}`, { integrations: 1 })
    const hosts = Array.from({ length: endpointsEach }, (_, of) => `127.0.${nth + 1}.${of + 1}`)
    const receivers = await Promise.all(hosts.map((host) => startHeldReceiver(holdMs, host)))
    tenants.push({ ...tenant, receivers })
    for (const { url } of receivers) {
      const hook = { url, events: ['integration.updated'], max_in_flight: inFlightMax }
      expect((await tenant.client('/v1/webhooks', { json: hook })).status).toBe(201)
    }
  }
})
afterAll(async () => {
  await rig?.stop()
  for (const { receivers } of tenants) for (const one of receivers) one.close()
})

const all = () => tenants.flatMap(({ receivers }) => receivers)

/** Changes an integration of every tenant until `during` is over. */
async function writeOfAll(during: () => Promise<unknown>): Promise<void> {
  const over = during()
  await Promise.all(
    tenants.map(({ client, integrations }) => writeWhile(client, { integrations, paceMs: 200, during: () => over })),
  )
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

  const late: { tookMs: number }[] = []
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
    // They were down: no test of their return otherwise.
    const failed = (await readAttempts(rig.ask, workspaceId)).filter(({ hasSucceeded }) => !hasSucceeded)
    expect(failed.length).toBeGreaterThanOrEqual(endpointsEach)
    const lateness = await readLateness(rig.ask, workspaceId)
    late.push(
      ...lateness.attempts
        .filter(({ startedMs }) => startedMs > upMs)
        .map(({ startedMs, dueMs }) => ({ tookMs: startedMs - Math.max(dueMs, upMs) })),
    )
  }
  expect(all().filter((one) => one.mostHeld() > inFlightMax)).toEqual([])
  expect(mostHeld).toBeLessThanOrEqual(slots)
  // What was sent was answered with 200, so nothing comes twice.
  expect(requests).toBe(deliveries)
  report(
    `F42: ${deliveries} deliveries, at most ${mostHeld} requests at once; from being due, or from the return, to the attempt: ${latencies(late)}`,
  )
})
