/** What a command is, and what it may say. */
import type { OperatorAccess } from './operator.ts'

export type Values = Record<string, string | boolean | undefined>

/** Words that are not understood: usage and exit code 2. */
export class UsageError extends Error {}

export interface Command {
  words: string[]
  usage: string
  meaning: string
  options: Record<string, { type: 'string' | 'boolean' }>
  /** Prints its result with `print`. @throws UsageError, OperatorError */
  run(o: { values: Values; access(): OperatorAccess; print(text: string): void }): Promise<void>
}
