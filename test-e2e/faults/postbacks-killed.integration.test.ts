/** F02: the API is killed amid postbacks and the runs that fold them: each conversion that was acknowledged is counted, each once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Client, clientOf } from '../harness/client.ts'
import { type ServiceProcess, type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { isFull } from './rig.ts'

const kills = isFull ? 20 : 3
const sendersEach = 4
const networks = 3

const { undo, stop } = createUndo()
let stack: Stack
let api: ServiceProcess
let apiKey: string
let client: Client
beforeAll(async () => {
  stack = await startStack({ env: { WDS_SYNC_LEASE: '2s', WDS_SYNC_RETRY_DELAYS: '200ms,400ms,800ms,1s,1s,1s,1s' } })
  undo.push(() => stack.stop())
  await stack.start('auth')
  ;({ apiKey } = await stack.makeWorkspace('Postbacks'))
  await startApi()
})
afterAll(stop)

async function startApi(): Promise<void> {
  api = await stack.start('api')
  const { url } = api
  client = clientOf({ base_url: url } as Parameters<typeof clientOf>[0], apiKey)
  await whenKeyIsKnown(`${url}/v1/integrations`, apiKey)
}

interface Network {
  id: string
  path: string
  acknowledged: number
  /** Answers that the process did not live to give. */
  lost: number
  duplicates: number
}

async function connect(nth: number): Promise<Network> {
  const json = { name: `Network ${nth}`, brand_slug: 'acme', provider: 'postback', schedule: null }
  const { status, body } = await client('/v1/integrations', { json })
  expect(status).toBe(201)
  return { id: body.id, path: new URL(body.postback_url).pathname, acknowledged: 0, lost: 0, duplicates: 0 }
}

/** Sends one conversion after the other, each until it is acknowledged, as a network does. */
async function send(network: Network, sender: number, isOver: () => boolean): Promise<void> {
  for (let nth = 0; !isOver(); nth += 1) {
    const query = new URLSearchParams({ event: 'deposit', tx_id: `${sender}-${nth}`, amount: '1.01' })
    for (;;) {
      const answer = await client(`${network.path}?${query}`, { key: null }).catch(() => null)
      if (answer === null) network.lost += 1
      else if (answer.status === 200) {
        network.acknowledged += 1
        if (answer.body.status === 'duplicate') network.duplicates += 1
        break
      } else expect([429, 503]).toContain(answer.status)
      await sleep(20)
    }
  }
}

async function syncSoon({ id }: Network): Promise<void> {
  const { status } = await client(`/v1/integrations/${id}/sync-runs`, { json: {} })
  expect([202, 409]).toContain(status)
}

async function deposits({ id }: Network): Promise<{ deposits: number; amount: number }> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const range = `from=${day(Date.now() - 86_400_000)}&to=${day(Date.now())}`
  const { body } = await client(`/v1/stats?${range}&metrics=deposits,deposits_amount&filter[integration]=${id}`)
  return { deposits: body.data[0]?.deposits ?? 0, amount: body.data[0]?.deposits_amount ?? 0 }
}

test(`F02, ${kills} kills: the sums are those of what was acknowledged, though answers were lost and conversions sent again`, async () => {
  const all = await Promise.all(Array.from({ length: networks }, (_, nth) => connect(nth)))
  const total = () => all.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  let over = false
  const senders = all.flatMap((network) =>
    Array.from({ length: sendersEach }, (_, sender) => send(network, sender, () => over)),
  )
  for (let nth = 0; nth < kills; nth += 1) {
    const before = total()
    await eventually('postbacks are acknowledged', async () => total() > before + 100)
    await Promise.all(all.map(syncSoon))
    await api.kill()
    await startApi()
  }
  over = true
  await Promise.all(senders)
  expect(all.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0)
  // What was acknowledged last is stored, too.
  await api.kill()
  await startApi()
  for (const network of all) {
    await eventually('the integration is at rest', async () => {
      const { body } = await client(`/v1/integrations/${network.id}/sync-runs?status=queued,running,retry_wait`)
      return body.data.length === 0
    })
    await syncSoon(network)
    const expected = { deposits: network.acknowledged, amount: network.acknowledged * 101 }
    await eventually(`${JSON.stringify(expected)} are in the stats`, async () => {
      return JSON.stringify(await deposits(network)) === JSON.stringify(expected)
    })
  }
})
