/** A new key reaches each service by the log, so that for some moments one knows it and another does not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from './operator.ts'

const withinMs = 20_000

/** One route of each service that asks for a key. */
const probes = ['/v1/workspace', '/v1/integrations', '/v1/event-types', '/v1/webhooks']

/** Resolves once every service serves the key. @throws OperatorError when one does not in time. */
export async function waitForKey(baseUrl: string, key: string): Promise<void> {
  const deadline = performance.now() + withinMs
  for (const probe of probes) {
    for (;;) {
      const status = await statusOf(`${baseUrl}${probe}`, key)
      // 403 and 429 know the key, too.
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

async function statusOf(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
