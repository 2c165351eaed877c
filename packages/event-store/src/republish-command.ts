// The command `republish` that each producing service exposes: reads its arguments and tells what was done.
import { parseArgs } from 'node:util'
import { type Republish, type RepublishRange, rangeOf } from './republish.ts'

/**
 * Runs `--topic <name> --from <event id or instant> --to <event id or instant>` (both included). Resolves with the exit
 * code: 0, or 2 when the arguments cannot be read. The service's relay must run.
 */
export async function runRepublishCommand(
  args: string[],
  o: Pick<RepublishRange, 'pool' | 'signal'> & { republish: Republish; tell(line: string): void },
): Promise<number> {
  const asked = argumentsOf(args)
  if (typeof asked === 'string') {
    o.tell(`${asked}; usage: republish --topic <name> --from <event id or instant> --to <event id or instant>`)
    return 2
  }
  const { workspaces, events, records } = await o.republish({ ...o, ...asked })
  o.tell(`republished ${records} records of ${asked.topic} from ${events} events of ${workspaces} workspaces`)
  return 0
}

/** The range, or what is wrong. */
function argumentsOf(args: string[]): { topic: string; from: string; to: string } | string {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { topic: text, from: text, to: text } })
    const { topic, from, to } = values
    if (topic === undefined || from === undefined || to === undefined) return 'topic, from and to are needed'
    return { topic, ...rangeOf(from, to) }
  } catch (error) {
    return (error as Error).message
  }
}
