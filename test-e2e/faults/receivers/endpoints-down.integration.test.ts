/**
 * F42: every endpoint is down for a while, then all come back at once. Nobody is flooded: an endpoint gets one request at a time at first, and
 * one more at a time after each success, up to its `max_in_flight`; a workspace has no more requests in flight than its share, a process
 * no more than its slots and spare slots. Each delivery arrives exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { eventually } from '../../harness/standalone.ts'
import { type HeldReceiver, startHeldReceiver } from '../rig/held-receiver.ts'
import { latencies, report, writeWhile } from '../rig/load.ts'
import { drainMs, readAttempts, readFacts, readLateness } from '../rig/read-history.ts'
import { type Rig, startRig } from '../rig/rig.ts'
import { makeTenant, type Tenant } from '../rig/tenant.ts'

const [workspaces, endpointsEach] = isFullRun() ? [10, 10] : [5, 5]
const downMs = isFullRun() ? 60_000 : 10_000
/** Longer than they are down, in sum; who failed just before their return waits for the last of them. */
const delays = '1s,2s,4s,8s,16s,32s,64s'
const [attempts, lastDelayMs] = [8, 64_000]
/** Fewer than the endpoints could take together. */
const slots = isFullRun() ? 256 : 64
const [share, spare] = [slots / 4, slots / 4]
/** How long an endpoint takes to answer: after its return so long that more is due than it takes at a time. */
const [inFlightMax, holdMs, holdAfterMs] = [4, 50, 500]

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

const heldBy = (receivers: HeldReceiver[]) => receivers.reduce((sum, one) => sum + one.held(), 0)

/** Whether each of them is tried by one request at a time. */
async function areProbed(): Promise<boolean> {
  const sql = 'select count(*)::int as n from delivery.lanes where cap = 1'
  const [row] = await rig.ask<{ n: number }>('delivery', sql)
  return row?.n === all().length
}

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
  let mostOfOne = 0
  await writeOfAll(async () => {
    await eventually('all of them are called', async () => all().every(({ arrivals }) => arrivals.length > 0))
    await Promise.all(all().map((one) => one.down()))
    await sleep(downMs)
    await eventually('one attempt at a time goes to each of them', areProbed)
    for (const one of all()) one.setHold(holdAfterMs)
    await Promise.all(all().map((one) => one.up()))
    upMs = Date.now()
    const endMs = performance.now() + 5_000
    while (performance.now() < endMs) {
      mostHeld = Math.max(mostHeld, heldBy(all()))
      mostOfOne = Math.max(mostOfOne, ...tenants.map(({ receivers }) => heldBy(receivers)))
      await sleep(5)
    }
    for (const one of all()) one.setHold(holdMs)
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
  for (const { url, sinceUp } of all()) {
    const tooMany = sinceUp.filter(({ held, answered }) => held > Math.min(inFlightMax, 1 + answered))
    expect({ url, tooMany }).toEqual({ url, tooMany: [] })
  }
  expect(Math.max(...all().map((one) => one.mostHeld()))).toBe(inFlightMax)
  expect(mostOfOne).toBeLessThanOrEqual(share)
  expect(mostHeld).toBeLessThanOrEqual(slots + spare)
  // What was sent was answered with 200, so nothing comes twice.
  expect(requests).toBe(deliveries)
  report(
    `F42: ${deliveries} deliveries, at most ${mostHeld} requests at once; from being due, or from the return, to the attempt: ${latencies(late)}`,
  )
})
