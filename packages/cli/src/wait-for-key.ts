// A new key reaches each service through the event log, so for a moment one service knows it and another does not.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, createApiClient } from '@wds/api-client/client'
import { ApiProblem } from '@wds/api-client/problem'
import { OperatorError } from './operator.ts'

const withinMs = 20_000

/** One route of each service that checks keys; the catalog is public. */
const probes = ['/v1/workspace', '/v1/integrations', '/v1/webhooks'] as const

/** Resolves once each of them accepts the key. @throws OperatorError when one does not in time. */
export async function waitForKey(baseUrl: string, key: string): Promise<void> {
  const client = createApiClient({ baseUrl, bearer: () => key })
  const deadline = performance.now() + withinMs
  for (const probe of probes) {
    for (;;) {
      const status = await statusOf(client, probe)
      // 403 and 429 come from a service that knows the key.
      if (status >= 200 && status < 500 && status !== 401) break
      if (performance.now() > deadline) {
        throw new OperatorError(
          `the key is made, but ${probe} does not serve it yet (last answer: ${status || 'none'})`,
        )
      }
      await sleep(50)
    }
  }
}

/** Status of the answer; 0 when none came. */
async function statusOf(client: ApiClient, probe: (typeof probes)[number]): Promise<number> {
  try {
    return (await client.get(probe, { timeoutMs: 5_000 })).status
  } catch (error) {
    return error instanceof ApiProblem ? error.status : 0
  }
}
