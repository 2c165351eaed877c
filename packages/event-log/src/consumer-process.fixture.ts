// A consumer on Kafka as a process of its own, for tests that stop it.
import { createPool } from '@wds/postgres/pool'
import { runConsumer } from './consumer.ts'
import { noteEffects } from './effects-table.ts'
import { faultPartitions } from './fault-bench.fixture.ts'
import { createKafkaLog } from './kafka-log.ts'

const [connectionString = '', brokers = '', topic = '', name = '', limits = '{}'] = process.argv.slice(2)
process.once('disconnect', () => process.exit(0))
const pool = createPool({ connectionString, applicationName: 'victim', max: 8 })
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
await runConsumer({
  log: createKafkaLog({
    brokers: brokers.split(','),
    clientId: 'victim',
    partitions: faultPartitions,
    topics: { [topic]: false },
    ...JSON.parse(limits),
  }),
  pool,
  name,
  topics: [topic],
  dedupe: 'natural',
  logger: quiet,
  handleBatch: (tx, records) => noteEffects(tx, name, records, 'victim'),
})
