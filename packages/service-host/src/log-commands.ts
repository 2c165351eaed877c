// The operator's commands around the event log (event-log's README): announce once more, read once more, and what was put aside.
import { parseArgs } from 'node:util'
import { consumeAuthEvents } from '@wds/access/key-projection'
import { readAgain } from '@wds/event-log/consumer'
import { runRepublishCommand } from '@wds/event-store/republish-command'
import { createPool, type Pool } from '@wds/postgres/pool'
import { defineSettings } from '@wds/settings/settings'
import { runDeadLetters } from './dead-letters-command.ts'
import type { Service } from './service.ts'
import { databaseUrl, type ServiceValues } from './service-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

const commandSettings = {
  WDS_WORKER_DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role of relay and consumers.' },
} as const

/** `republish` of a service that announces, `read-again` and `dead-letters` of one that consumes. Each resolves with the exit code. */
export function logCommands<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: { args: string[]; tell(line: string): void },
): Record<string, (env: Env) => Promise<number>> {
  const { name, republish } = service
  const effects = { [`${name}.keys`]: consumeAuthEvents, ...service.effects }
  const within = (work: (pool: Pool) => Promise<number>) => async (env: Env) => {
    const { WDS_WORKER_DATABASE_URL: connectionString } = defineSettings(commandSettings).parse(env)
    const pool = createPool({ connectionString, applicationName: `${name}-command`, max: 2 })
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }
  return {
    ...(republish === undefined
      ? {}
      : { republish: within((pool) => runRepublishCommand(o.args, { pool, republish, tell: o.tell })) }),
    ...(service.callers === 'known'
      ? {
          'read-again': within((pool) => runReadAgain(pool, o)),
          'dead-letters': within((pool) => runDeadLetters({ ...o, pool, service: name, effects })),
        }
      : {}),
  }
}

async function runReadAgain(pool: Pool, o: { args: string[]; tell(line: string): void }): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: o.args, options: { consumer: text, topic: text, partition: text } })
  const { consumer, topic, partition } = values
  if (consumer === undefined || topic === undefined || (partition !== undefined && !/^\d{1,4}$/.test(partition))) {
    o.tell('usage: read-again --consumer <name> --topic <name> [--partition <number>]')
    return 2
  }
  const moved = await readAgain(pool, {
    consumer,
    topic,
    ...(partition === undefined ? {} : { partition: Number(partition) }),
  })
  o.tell(`${consumer} reads ${moved} partitions of ${topic} again`)
  return 0
}
