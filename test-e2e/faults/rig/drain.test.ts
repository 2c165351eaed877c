import { expect, test } from '@jest/globals'
import { drainOf } from './drain.ts'

const basics = { arrivals: async () => ['evt_1'], whereAre: async () => '', workspaceId: 'wsp_1' }
/** One fact, and a row in the outbox of auth. */
const ask = async <T>(service: string, sql: string) => {
  if (sql.includes('stream_events')) return [{ stream_id: 'itg_1', event_id: 'evt_1' }] as T[]
  return [{ n: service === 'auth' ? 1 : 0 }] as T[]
}

test('regression: what has arrived has, whatever stays in an outbox, so that the checkers alone name its rows', async () => {
  await expect(drainOf({ ...basics, ask }).arrived()).resolves.toBeGreaterThanOrEqual(0)
})

test('what has arrived is not drained while rows stay in an outbox', async () => {
  const drain = drainOf({ ...basics, ask, withinMs: 0 })
  expect(await drain.outboxesLeft()).toEqual({ auth: 1 })
  await expect(drain.drained()).rejects.toThrow('rows in the outbox: auth,1')
})

test('who asks for what did not arrive is told where it is', async () => {
  const whereAre = async (missing: string[]) => `${missing} is on the moon`
  const drain = drainOf({ ...basics, ask, arrivals: async () => [], whereAre, withinMs: 0 })
  await expect(drain.arrived()).rejects.toThrow('evt_1 is on the moon')
})
