// For tests whose tables hold all that there is, without a log: says so again and again, as a worker does.
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { confirmLogEnd } from './log-end.ts'

const consumer = { whenCaughtUp: async () => undefined, lost: () => [] }

/** Until it is stopped. `pool`: of the worker role. */
export function keepConfirmed(pool: Pool): { stop(): Promise<void> } {
  const ended = new AbortController()
  const running = (async () => {
    while (!ended.signal.aborted) {
      // A server that is busy is asked again.
      await confirmLogEnd({ pool, consumer }).catch(() => undefined)
      await wait(50, ended.signal)
    }
  })()
  return {
    async stop() {
      ended.abort()
      await running
    },
  }
}
