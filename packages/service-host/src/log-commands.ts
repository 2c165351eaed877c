// The operator's commands that all services share: around the event log (event-log's README) announce once more, read once more, and what
// was put aside; and the check of read rows.

import { parseArgs } from 'node:util'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type ConsumerDeclaration, readAgain } from '@wds/event-log/consumer'
import { readRepublishArguments, republishUsage, runRepublishCommand } from '@wds/event-store/republish-command'
import { createPool, type Pool } from '@wds/postgres/pool'
import { defineSettings } from '@wds/settings/settings'
import { consumersOf, unknownConsumer } from './consumers.ts'
import { deadLettersUsage, readDeadLettersArguments, runDeadLetters } from './dead-letters-command.ts'
import { readRowsArguments, rowsUsage, runRowsCommand } from './row-commands.ts'
import type { Service } from './service.ts'
import { databaseUrl, type ServiceValues } from './service-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

const commandSettings = {
  WDS_WORKER_DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role of relay and consumers.' },
} as const

interface LogCommand {
  usage: readonly string[]
  /** Reads the arguments: the work, which resolves with the exit code, or what is wrong with them. */
  prepare(args: string[]): ((pool: Pool) => Promise<number>) | string
}

/**
 * `republish` of a service that announces, `read-again` and `dead-letters` of one that consumes, `check-rows` and `rebuild-rows` of one
 * with aggregates. Each resolves with the exit code, 2 for arguments that cannot be read, which are judged before any setting is asked for.
 */
export function logCommands<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: { args: string[]; print(line: string): void; say?(line: string): void },
): Record<string, (env: Env) => Promise<number>> {
  const { name, republish, aggregates } = service
  const { print } = o
  const consumers = consumersOf(service)
  const run = (command: LogCommand) => (env: Env) =>
    runCommand(command, { ...o, env, applicationName: `${name}-command` })
  return withoutUndefined({
    republish:
      republish === undefined
        ? undefined
        : run({
            usage: [republishUsage],
            prepare: (args) => {
              const asked = readRepublishArguments(args)
              return typeof asked === 'string'
                ? asked
                : (pool) => runRepublishCommand(asked, { pool, republish, print })
            },
          }),
    'read-again': service.callers === 'known' ? run(readAgainCommand(consumers, print)) : undefined,
    'dead-letters':
      service.callers === 'known'
        ? run({
            usage: deadLettersUsage,
            prepare: (args) => {
              const asked = readDeadLettersArguments(args, consumers)
              if (typeof asked === 'string') return asked
              return (pool) => runDeadLetters({ pool, print, service: name, consumers }, asked)
            },
          })
        : undefined,
    ...(aggregates === undefined
      ? {}
      : Object.fromEntries(
          (['check-rows', 'rebuild-rows'] as const).map((word) => {
            const asking = {
              service: name,
              aggregates,
              rebuild: word === 'rebuild-rows',
              print,
              say: o.say ?? sayBeside,
            }
            return [word, run(rowsCommand(word, asking))]
          }),
        )),
  })
}

/** How far a command is stands beside its result. */
const sayBeside = (line: string) => void process.stderr.write(`${line}\n`)

function rowsCommand(word: string, asking: Omit<Parameters<typeof runRowsCommand>[0], 'pool'>): LogCommand {
  return {
    usage: rowsUsage(word),
    prepare: (args) => {
      const asked = readRowsArguments(args, asking.aggregates)
      return typeof asked === 'string' ? asked : (pool) => runRowsCommand({ ...asking, pool }, asked)
    },
  }
}

async function runCommand(
  { usage, prepare }: LogCommand,
  o: { args: string[]; env: Env; applicationName: string; print(line: string): void },
): Promise<number> {
  const { args, applicationName } = o
  if (args.includes('--help') || args.includes('-h')) {
    for (const line of usage) o.print(line)
    return 0
  }
  const work = prepare(args)
  if (typeof work === 'string') {
    for (const line of [work, ...usage]) o.print(line)
    return 2
  }
  const { WDS_WORKER_DATABASE_URL: connectionString } = defineSettings(commandSettings).parse(o.env)
  const pool = createPool({ connectionString, applicationName, max: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

function readAgainCommand(consumers: readonly ConsumerDeclaration[], print: (line: string) => void): LogCommand {
  return {
    usage: ['usage: read-again --consumer <name> --topic <name> [--partition <number>]'],
    prepare: (args) => {
      const asked = readReadAgainArguments(args, consumers)
      if (typeof asked === 'string') return asked
      return async (pool) => {
        const moved = await readAgain(pool, asked)
        print(`${asked.consumer} reads ${moved} partitions of ${asked.topic} again`)
        return 0
      }
    },
  }
}

/** A slip would reset nothing, and look as if it had: what stands still would go on standing. */
function readReadAgainArguments(
  args: string[],
  consumers: readonly ConsumerDeclaration[],
): { consumer: string; topic: string; partition?: number } | string {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args, options: { consumer: text, topic: text, partition: text } })
    const { consumer, topic, partition } = values
    if (consumer === undefined || topic === undefined) return 'consumer and topic are needed'
    const declared = consumers.find(({ name }) => name === consumer)
    if (declared === undefined) return unknownConsumer(consumers)
    if (!declared.topics.includes(topic))
      return `${consumer} does not read this topic, only ${declared.topics.join(', ')}`
    if (partition === undefined) return { consumer, topic }
    return /^\d{1,4}$/.test(partition) ? { consumer, topic, partition: Number(partition) } : 'the partition is a number'
  } catch (error) {
    return (error as Error).message
  }
}
