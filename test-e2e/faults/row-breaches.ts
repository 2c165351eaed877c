/** I12, by the product's own commands: every row is the fold of its stream, every delivery that of its log. */
import type { Stack } from '../harness/stack.ts'

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
    const { code, output } = await stack.run(service, [command])
    if (code !== 0 || !output.includes(', 0 differences'))
      breaches.push(`I12: ${command} of ${service} says: ${output.slice(-500)}`)
  }
  return breaches
}
