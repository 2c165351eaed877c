/**
 * Another workspace on the stack under faults, with a receiver of its own: it changes an integration, disables and enables its subscription
 * again and again, and deletes it at last. What it got is judged apart from the first one (I7, I8 to I11, I16).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../harness/client.ts'
import { requestBreachesOf } from '../checkers/request-checker.ts'
import { storeBreachesOf } from '../checkers/store-checker.ts'
import { type SubscriptionHistory, subscriptionBreachesOf } from '../checkers/subscription-checker.ts'
import { changeTo } from '../rig/load.ts'
import { settledDeliveries } from '../rig/read-history.ts'
import { readRequests, readStores, readSubscriptions } from '../rig/read-stores.ts'
import { answered, type Rig } from '../rig/rig.ts'
import { makeTenant } from '../rig/tenant.ts'

export interface Neighbour {
  /** Lives until `during` is over. */
  liveWhile<T>(during: () => Promise<T>): Promise<T>
  /** Deletes the subscription amid changes. */
  leave(): Promise<void>
  /** One sentence for each breach, once everything is drained. */
  breaches(faults: SubscriptionHistory['faults']): Promise<string[]>
  /** Attempts that were made for it. */
  attempts(): Promise<number>
}

const paceMs = 400
/** Changes between two looks at the switch. */
const changesEach = 10
/** A machine that others use holds up what was claimed: reliability.md has 1 s. */
const claimedBeforeMs = 5_000

export async function startNeighbour(rig: Rig): Promise<Neighbour> {
  const { workspaceId, client, integrations } = await makeTenant(rig, 'neighbour', { integrations: 1 })
  const integrationId = integrations[0] as string
  const origin = rig.receiver.origins[1]
  if (origin === undefined) throw new Error('the receiver has one address')
  const hook = await answered(() =>
    client('/v1/webhooks', { json: { url: `${origin}/hook`, events: ['integration.updated'] } }),
  )
  const { id: webhookId, secret } = hook.body as { id: string; secret: string }
  const own = { ...rig, workspaceId, secret }
  const change = changesOf(client, integrationId)
  // Whether it took effect stands in its stream.
  const turn = (to: 'disable' | 'enable') => client(`/v1/webhooks/${webhookId}/${to}`, { json: {} }).catch(() => null)
  return {
    async liveWhile(during) {
      let isOver = false
      const living = (async () => {
        for (let nth = 0; !isOver; nth += 1) {
          await change()
          if (nth % changesEach === changesEach - 1) await turn((nth / changesEach) % 2 < 1 ? 'disable' : 'enable')
        }
      })()
      try {
        return await during()
      } finally {
        isOver = true
        await living
      }
    },
    async leave() {
      await turn('enable')
      for (let nth = 0; nth < changesEach; nth += 1) await change()
      await answered(() => client(`/v1/webhooks/${webhookId}`, { method: 'DELETE' }))
      for (let nth = 0; nth < changesEach; nth += 1) await change()
    },
    async breaches(faults) {
      await settledDeliveries(rig.ask, workspaceId)
      const host = new URL(origin).hostname
      return [
        ...requestBreachesOf(await readRequests(own, host)),
        ...storeBreachesOf(await readStores(own, [])),
        ...subscriptionBreachesOf({ ...(await readSubscriptions(rig.ask, workspaceId)), faults, claimedBeforeMs }),
      ].map((breach) => `${breach}, of the neighbour`)
    },
    attempts: async () => (await readSubscriptions(rig.ask, workspaceId)).attempts.length,
  }
}

function changesOf(client: Client, integrationId: string): () => Promise<void> {
  let changes = 0
  return async () => {
    changes += 1
    const json = changeTo(`neighbour ${changes}`)
    await client(`/v1/integrations/${integrationId}`, { method: 'PATCH', json }).catch(() => null)
    await sleep(paceMs)
  }
}
