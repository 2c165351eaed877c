// A relay as a process of its own, for tests that stop and kill it. It marks what it sends with its name, and can be told
// to hang inside its transaction.
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { createPool } from '@wds/postgres/pool'
import { runRelay } from './relay.ts'

const [connectionString = '', name = '', hangMs = '0', partitions = '4'] = process.argv.slice(2)
const pool = createPool({ connectionString, applicationName: name, max: 4 })
const log = createPostgresLog({ pool, partitions: Number(partitions) })
const ended = new AbortController()
process.once('disconnect', () => process.exit(0))
const tell = (fields: object, message: string): void => void process.send?.({ name, message, ...fields })
await log.ensureTopics()
await runRelay({
  connectionString,
  pool,
  partitions: Number(partitions),
  signal: ended.signal,
  logger: { info: tell, warn: tell, error: tell },
  batchSize: 50,
  log: {
    ...log,
    async publishInTransaction(tx, rows, removal) {
      tell({}, 'inside')
      // The whole process: what is moved goes out with the commit, in the same turn.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(hangMs))
      const marked = `(headers::jsonb || '${JSON.stringify({ relay: name })}')::json as headers`
      await log.publishInTransaction?.(tx, rows, removal.replace('headers', marked))
    },
  },
})
