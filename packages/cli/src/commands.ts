/** The table of commands: words, options, what they do. The help text comes from it. */
import { createWorkspace } from './create-workspace.ts'
import type { OperatorAccess } from './operator.ts'

export interface Command {
  words: string[]
  usage: string
  meaning: string
  options: Record<string, { type: 'string' | 'boolean' }>
  /** @returns the text for standard output. */
  run(values: Record<string, string | boolean | undefined>, access: () => OperatorAccess): Promise<string>
}

export const commands: Command[] = [
  {
    words: ['workspaces', 'create'],
    usage: 'workspaces create --name NAME [--plan free|pro|business|enterprise] [--json]',
    meaning: 'makes a workspace and a key with all scopes; the key is shown once',
    options: { name: { type: 'string' }, plan: { type: 'string' }, json: { type: 'boolean' } },
    run: createWorkspace,
  },
]
