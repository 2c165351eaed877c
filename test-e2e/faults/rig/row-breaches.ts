/** I12, by the product's own commands: every row is the fold of its stream, every delivery that of its log. */
import type { Stack } from '../../harness/stack.ts'
import { commandBreachesOf } from '../checkers/row-checker.ts'

const commands = [
  ['api', 'check-rows'],
  ['auth', 'check-rows'],
  ['delivery', 'check-rows'],
  ['delivery', 'check-projection'],
] as const

/** One sentence for each command that finds something. */
export async function rowBreaches(stack: Pick<Stack, 'run'>): Promise<string[]> {
  const breaches: string[] = []
  for (const [service, command] of commands) {
    breaches.push(...commandBreachesOf({ service, command, ...(await stack.run(service, [command])) }))
  }
  return breaches
}
