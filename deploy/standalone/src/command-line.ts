/** The words after `npm start --`. */
import { parseArgs } from 'node:util'

export const usage = `usage: npm start -- [--json] [--fresh] [--kafka]

  --json    one line with addresses and key for programs on standard output: npm start --silent -- --json
  --fresh   forget database, keys and sample data first
  --kafka   the log on Apache Kafka instead of in Postgres (Java 17 and Maven, or KAFKA_BROKERS)
  --help    this text

Settings by environment, among them: WDS_PORT (8080), WDS_RECEIVER_PORT (8085), WDS_DATA_DIR (.data).
Exit codes: 0 stopped in order, 1 it could not start or go on, 2 wrong words, 128 and the signal when a start was called off.`

/** Words that are not understood. */
export class UsageError extends Error {}

export interface Flags {
  help: boolean
  json: boolean
  fresh: boolean
  kafka: boolean
}

/** @throws UsageError one sentence. */
export function readCommandLine(args: string[]): Flags {
  const flag = { type: 'boolean', default: false } as const
  const options = { help: { ...flag, short: 'h' }, json: flag, fresh: flag, kafka: flag } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [word] = positionals
    if (word !== undefined && word !== 'help') throw new UsageError(`there is no command '${word}'`)
    return { ...values, help: values.help || word === 'help' }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}
