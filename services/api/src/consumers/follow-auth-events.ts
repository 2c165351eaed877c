// Keeps this service's own copy of the API keys, fed by auth's events (architecture.md, rule 6). It never calls auth.
import { consumeAuthEvents } from '@wds/access/key-projection'
import { topics } from '@wds/contracts/topics'
import { type RunningConsumer, runConsumer } from '@wds/event-log/consumer'
import type { EventLog } from '@wds/event-log/port'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'

export function followAuthEvents(o: { log: EventLog; pool: Pool; logger: Logger }): Promise<RunningConsumer> {
  return runConsumer({
    ...o,
    name: 'api.keys',
    topics: [topics.authEvents],
    dedupe: 'natural',
    handleBatch: consumeAuthEvents,
  })
}
