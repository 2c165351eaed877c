// Holds a start back until the database answers, and refuses a schema that is older than the code (kubernetes.md, K22 and K60).
import { setTimeout as sleep } from 'node:timers/promises'
import { pendingMigrations } from '@wds/postgres/migrations'
import { isTransient } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'

const pauseMs = { min: 100, max: 2_000 }

/**
 * Resolves when every migration of the code is applied; migrations of newer code do no harm, since old and new run side by
 * side during a rollout. Throws an Error that names the first one missing. A database that is away is asked until `signal`.
 */
export async function awaitSchema(
  service: { name: string; migrations: URL[] },
  o: { connectionString: string; logger: Logger; signal: AbortSignal },
): Promise<void> {
  const { connectionString } = o
  const options = { connectionString, schema: service.name, directories: service.migrations }
  for (let waitMs = pauseMs.min; ; waitMs = Math.min(waitMs * 2, pauseMs.max)) {
    o.signal.throwIfAborted()
    try {
      const [first, ...more] = await pendingMigrations(options)
      if (first === undefined) return
      throw new Error(`The schema ${service.name} lacks ${more.length + 1} migrations, first ${first}: run migrate.`)
    } catch (error) {
      if (!isTransient(error)) throw error
      if (waitMs === pauseMs.min) o.logger.warn({ err: error }, 'the database does not answer, the start waits')
    }
    await sleep(waitMs, undefined, { signal: o.signal }).catch(() => undefined)
  }
}
