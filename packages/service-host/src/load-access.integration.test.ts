// What a start says that waits for auth's word: an operator must not have to guess.
import { expect, test } from '@jest/globals'
import { FakeClock } from '@wds/pacing/fake-clock'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createProgress } from '@wds/telemetry/progress'
import { createGadgetHome } from './fixtures/gadget-service.ts'
import { loadAccess } from './load-access.ts'

test('regression: a start that waits for the end of the log says after 10 s what for and where to look, then every 5 minutes', async () => {
  const alone = await createGadgetHome({ isConfirmed: false })
  const pool = createPool({ connectionString: alone.env.DATABASE_URL, applicationName: 'test', max: 2 })
  const [lines, clock] = [[] as { level: string; waits_for: string }[], new FakeClock()]
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
  const stops: (() => unknown)[] = []
  const stopping = new AbortController()
  const untilTold = async (count: number) => {
    while (lines.length < count) await new Promise(setImmediate)
  }
  try {
    const loading = loadAccess({
      values: alone.values(),
      logger: createLogger({ service: 'gadgets', destination }),
      signal: stopping.signal,
      onStop: (step) => void stops.push(step),
      progress: createProgress(),
      pool,
      isAskedWithoutLog: false,
      startedMs: performance.now(),
      warningClock: clock,
    })
    await clock.advance(9_999)
    expect(lines).toEqual([])
    await clock.advance(1)
    await untilTold(1)
    await alone.admin.query('update api.access_log_end set needs_auth = true')
    await clock.advance(300_000)
    await untilTold(2)
    expect(lines).toMatchObject([
      { level: 'warn', waited_s: 10, waits_for: 'a worker of this service that reads auth.events to its end' },
      { level: 'warn', waited_s: 310, waits_for: expect.stringMatching(/^auth's word/) },
    ])
    await alone.admin.query('update api.access_log_end set seen_at = clock_timestamp(), needs_auth = false')
    await loading
    expect(clock.pending).toBe(0)
  } finally {
    stopping.abort()
    for (const step of stops.reverse()) await step()
    await pool.end()
    await alone.close()
  }
})
