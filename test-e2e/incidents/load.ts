/** The steady load that an incident happens to: what the workspaces of the rig do meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../harness/client.ts'

export interface Workspace {
  name: string
  workspaceId: string
  apiKey: string
  client: Client
  integrations: string[]
}

/** A change of each integration so often: four events a second, each for three partners. */
const paceMs = 1_000

/** Changes and reads what the workspaces have, and uploads a little, until it is told to end. Refusals are part of a bad day. */
export function startLoad(workspaces: Workspace[], minutes: number): () => Promise<unknown> {
  const ends = performance.now() + minutes * 60_000
  let isOver = false
  let turn = 0
  const loops = workspaces.map(async ({ client, integrations }) => {
    while (!isOver && performance.now() < ends) {
      turn += 1
      const [integration] = integrations
      const calls = integrations.map((id) =>
        client(`/v1/integrations/${id}`, { method: 'PATCH', json: { name: `turn ${turn}` } }),
      )
      calls.push(client('/v1/integrations'), client('/v1/webhooks'), client('/v1/event-types'))
      if (turn % 10 === 0)
        calls.push(
          client(`/v1/imports?type=stats&integration_id=${integration}`, {
            text: `date,campaign,country,clicks,ftds,deposits_amount\n2026-11-01,spring,DE,${turn},0,0.00\n`,
            headers: { 'content-type': 'text/csv' },
          }),
        )
      await Promise.allSettled(calls)
      await sleep(paceMs)
    }
  })
  return () => {
    isOver = true
    return Promise.all(loops)
  }
}
