// An event published right after a subscription was made is never missed by it, while fan out runs beside both (delivery.md).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from './fan-out.ts'

const workspaceCount = 100
const rounds = 10

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

test('I11: 1,000 times made and published at once beside two fan outs with indexes of their own: 0 missed, none twice', async () => {
  const pairs: { subscription: string; event: string }[] = []
  const workspaces = Array.from({ length: workspaceCount }, () => newId('wsp'))
  let publishing = true
  const publish = async (): Promise<void> => {
    for (let workspaceId = workspaces.pop(); workspaceId !== undefined; workspaceId = workspaces.pop()) {
      for (let round = 0; round < rounds; round += 1) {
        const subscription = await seedSubscription(engine, { workspaceId })
        const [event = ''] = await seedEvents(engine, { workspaceId, count: 1 })
        pairs.push({ subscription, event })
      }
    }
  }
  const queued = async (): Promise<number> =>
    (await engine.worker.query('select count(*)::int as n from fan_out_queue')).rows[0]?.n
  const spread = async (): Promise<void> => {
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    // A workspace that the other one holds is left alone for a while.
    while ((await fanOut.turn()) || publishing || (await queued()) > 0);
  }
  const spreading = [spread(), spread()]
  try {
    await Promise.all([publish(), publish(), publish(), publish()])
  } finally {
    publishing = false
  }
  await Promise.all(spreading)
  expect(pairs).toHaveLength(workspaceCount * rounds)
  const { rows } = await engine.worker.query(
    `select i.event, i.subscription, count(d.delivery_id)::int as n
       from unnest($1::text[], $2::text[]) i(event, subscription)
       left join deliveries d on d.event_id = i.event and d.subscription_id = i.subscription
      group by 1, 2 having count(d.delivery_id) <> 1`,
    [pairs.map((pair) => pair.event), pairs.map((pair) => pair.subscription)],
  )
  expect(rows).toEqual([])
})
