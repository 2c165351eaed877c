// The command `republish` that each producing service exposes: reads its arguments and tells what was done.
import { parseArgs } from 'node:util'
import { topics } from '@wds/contracts/topics'
import { type Republish, type RepublishRange, rangeOf } from './republish.ts'

export const republishUsage = 'usage: republish --topic <name> --from <event id or instant> --to <event id or instant>'

/** Announces the range once more, its ends included. Resolves with the exit code 0. The service's relay must run. */
export async function runRepublishCommand(
  asked: RepublishAsked,
  o: Pick<RepublishRange, 'pool' | 'signal'> & { republish: Republish; print(line: string): void },
): Promise<number> {
  const { workspaces, events, records } = await o.republish({ ...o, ...asked })
  o.print(`republished ${records} records of ${asked.topic} from ${events} events of ${workspaces} workspaces`)
  return 0
}

export interface RepublishAsked {
  topic: string
  from: string
  to: string
}

/** The range, or what is wrong. */
export function readRepublishArguments(args: string[]): RepublishAsked | string {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { topic: text, from: text, to: text } })
    const { topic, from, to } = values
    if (topic === undefined || from === undefined || to === undefined) return 'topic, from and to are needed'
    // A slip would announce nothing, and look as if nothing had been lost.
    const known: readonly string[] = Object.values(topics)
    if (!known.includes(topic)) return `there is no topic of this name, only ${known.join(', ')}`
    const range = rangeOf(from, to)
    return range.from > range.to ? 'the range ends before it begins' : { topic, ...range }
  } catch (error) {
    return (error as Error).message
  }
}
