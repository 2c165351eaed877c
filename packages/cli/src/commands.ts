/** The table of commands: words, options, what they do. The help text comes from it. */
import type { Command } from './command.ts'
import { createWorkspace } from './create-workspace.ts'

export const commands: Command[] = [
  {
    words: ['workspaces', 'create'],
    usage: 'workspaces create --name NAME [--plan free|pro|business|enterprise] [--json]',
    meaning: 'makes a workspace and a key with all scopes; the key is shown once, and every service serves it then',
    options: { name: { type: 'string' }, plan: { type: 'string' }, json: { type: 'boolean' } },
    run: createWorkspace,
  },
]

/** How to call these commands. */
export function usageOf(list: Command[]): string {
  return `usage: npm run wds -- <command>

commands:
${list.map(({ usage, meaning }) => `  ${usage}\n      ${meaning}`).join('\n')}

--help, -h or help shows this. For programs: npm run --silent wds -- <command> --json
The service is found by WDS_INTERNAL_URL, WDS_INTERNAL_TOKEN_FILE and WDS_BASE_URL, else by the data folder of the standalone on this machine (WDS_DATA_DIR, default .data).
Exit codes: 0 done, 1 refused or failed, 2 wrong words.`
}
