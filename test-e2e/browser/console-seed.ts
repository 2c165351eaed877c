// What the pages of the console show in its suites: made through the public API of the sample workspace.
import { eventually } from '../harness/standalone.ts'
import type { ConsoleRig } from './console-rig.ts'

export interface WebhookSeed {
  /** Ids of subscriptions. */
  healthy: string
  failing: string
  disabled: string
  /** Of the failing one; it is waiting for its second attempt. */
  delivery: string
  /** Of the healthy one; it has arrived, and its answer has a body. */
  answered: string
}

const seeds = new WeakMap<ConsoleRig, Promise<WebhookSeed>>()

/** A healthy, a failing and a disabled subscription with a delivery or two; made once for a rig. */
export function seedWebhooks(rig: ConsoleRig): Promise<WebhookSeed> {
  const known = seeds.get(rig) ?? makeWebhooks(rig)
  seeds.set(rig, known)
  return known
}

async function makeWebhooks({ at, client }: ConsoleRig): Promise<WebhookSeed> {
  const make = async (url: string, events: string[], description: string) =>
    (await client('/v1/webhooks', { json: { url, events, description } })).body.id as string
  const healthy = await make(`${at.receiver_url}/hooks/bookkeeping`, ['*'], 'Bookkeeping')
  const failing = await make(
    'http://127.0.0.1:9/hooks/nobody',
    ['sync.*', 'import.completed'],
    'A receiver that is down',
  )
  const disabled = await make(`${at.receiver_url}/old`, ['invoice.*'], '')
  await client(`/v1/webhooks/${disabled}/disable`, { method: 'POST' })
  const { body: answered } = await client(`/v1/webhooks/${healthy}/test`, { method: 'POST' })
  const { body } = await client(`/v1/webhooks/${failing}/test`, { method: 'POST' })
  await eventually('the first attempt has failed', async () => {
    const { body: now } = await client(`/v1/deliveries/${body.id}`)
    return now.status === 'retry'
  })
  await eventually('the other one has arrived', async () => {
    const { body: now } = await client(`/v1/deliveries/${answered.id}`)
    return now.status === 'delivered'
  })
  return { healthy, failing, disabled, delivery: body.id, answered: answered.id }
}

export interface DeadLetterSeed {
  /** Id of a bulk replay that is over. */
  replay: string
}

const deadSeeds = new WeakMap<ConsoleRig, Promise<DeadLetterSeed>>()

/** Dead letters of a subscription that was disabled while its receiver was down, and a replay of one of them. */
export function seedDeadLetters(rig: ConsoleRig): Promise<DeadLetterSeed> {
  const known = deadSeeds.get(rig) ?? makeDeadLetters(rig)
  deadSeeds.set(rig, known)
  return known
}

async function makeDeadLetters({ client }: ConsoleRig): Promise<DeadLetterSeed> {
  const made = await client('/v1/webhooks', { json: { url: 'http://127.0.0.1:9/hooks/gone', events: ['invoice.*'] } })
  const id = made.body.id as string
  const deliveries: string[] = []
  for (let n = 0; n < 3; n += 1)
    deliveries.push((await client(`/v1/webhooks/${id}/test`, { method: 'POST' })).body.id as string)
  const allAre = (status: string, ids: readonly string[]) => async () => {
    const states = await Promise.all(ids.map(async (one) => (await client(`/v1/deliveries/${one}`)).body.status))
    return states.every((state) => state === status)
  }
  await eventually('each was tried', allAre('retry', deliveries))
  await client(`/v1/webhooks/${id}/disable`, { method: 'POST' })
  await eventually('they are dead', allAre('dead', deliveries))
  await eventually(
    'it can be enabled',
    async () => (await client(`/v1/webhooks/${id}/enable`, { method: 'POST' })).status === 200,
  )
  const { body } = await client('/v1/replays', { json: { delivery_ids: deliveries.slice(0, 1) } })
  await eventually(
    'the replay is over',
    async () => (await client(`/v1/replays/${body.id}`)).body.status === 'completed',
  )
  return { replay: body.id }
}
