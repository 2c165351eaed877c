// What a command is, and what it may say.
import { fromCaller } from '@wds/settings/caller-path'
import type { OperatorAccess } from './operator.ts'
import { readSecretFile } from './secret-file.ts'

export type Values = Record<string, string | boolean | string[] | undefined>

/** Words that are not understood: usage and exit code 2. */
export class UsageError extends Error {}

export interface Command {
  words: string[]
  usage: string
  meaning: string
  options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>
  /** Prints its result with `print`; what a person does in between is told by `notify`. @throws UsageError, OperatorError */
  run(o: {
    values: Values
    access(): OperatorAccess
    print(text: string): void
    notify(text: string): void
  }): Promise<void>
}

/** The file that an option names, as its caller means it. */
export const fileOf = (values: Values, name: string): string => fromCaller(required(values, name))

/** The secret in the file that an option names. */
export function secretOf(values: Values, name: string): string {
  const file = fileOf(values, name)
  try {
    return readSecretFile(file)
  } catch {
    throw new UsageError(`the file of --${name} cannot be read`)
  }
}

/** The text of an option that must be there. */
export function required(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`)
  return value
}
