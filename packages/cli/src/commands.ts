// The table of commands: words, options, what they do. The help text comes from it.
import { commandApp, createApp } from './apps.ts'
import { authorizeApp } from './authorize-app.ts'
import type { Command } from './command.ts'
import { listen } from './listen.ts'
import { endPerson, makePasswordLink } from './people.ts'
import { changePlan, createWorkspace } from './workspaces.ts'

export const commands: Command[] = [
  {
    words: ['workspaces', 'create'],
    usage:
      'workspaces create --name NAME [--plan free|pro|business|enterprise] [--owner-email EMAIL [--owner-name NAME] [--owner-password-file FILE]] [--json]',
    meaning:
      'makes a workspace and a key with all scopes; the key is shown once, and every service serves it then. The owner gets an account with the password of the file, else a link to make one',
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      'owner-email': { type: 'string' },
      'owner-name': { type: 'string' },
      'owner-password-file': { type: 'string' },
      json: { type: 'boolean' },
    },
    run: createWorkspace,
  },
  {
    words: ['workspaces', 'plan'],
    usage: 'workspaces plan --id wsp_… --plan free|pro|business|enterprise',
    meaning: 'gives a workspace another plan, at once',
    options: { id: { type: 'string' }, plan: { type: 'string' } },
    run: changePlan,
  },
  {
    words: ['people', 'disable'],
    usage: 'people disable --email EMAIL',
    meaning: 'ends the sessions and grants of a person, who can no longer sign in; can be repeated',
    options: { email: { type: 'string' } },
    run: endPerson('disable'),
  },
  {
    words: ['people', 'erase'],
    usage: 'people erase --email EMAIL',
    meaning:
      'disables a person, ends every membership and removes name, address and password for good; refused for the last owner of a workspace',
    options: { email: { type: 'string' } },
    run: endPerson('erase'),
  },
  {
    words: ['people', 'password-link'],
    usage: 'people password-link --email EMAIL [--json]',
    meaning: 'makes a link with which a person who has forgotten the password chooses a new one: single use, 24 hours',
    options: { email: { type: 'string' }, json: { type: 'boolean' } },
    run: makePasswordLink,
  },
  {
    words: ['listen'],
    usage:
      'listen [--forward-to http://localhost:3000/webhooks] [--events sync.*,invoice.paid] [--since 15m] [--key-file FILE] [--secret-file FILE] [--api URL] [--json]',
    meaning:
      'prints the events of the workspace whose API key (scope webhooks:manage) is in WDS_TOKEN or the file, as they come, and forwards each once, signed as webhooks are; Ctrl-C ends it',
    options: {
      'forward-to': { type: 'string' },
      events: { type: 'string' },
      since: { type: 'string' },
      'key-file': { type: 'string' },
      'secret-file': { type: 'string' },
      api: { type: 'string' },
      json: { type: 'boolean' },
    },
    run: listen,
  },
  {
    words: ['apps', 'create'],
    usage:
      'apps create --workspace wsp_… --name NAME --redirect-url URL [--redirect-url URL …] --scopes a:read,b:write --logo FILE [--development] [--json]',
    meaning: 'registers an OAuth app with a logo (PNG, JPEG or WebP); its client secret is shown once',
    options: {
      workspace: { type: 'string' },
      name: { type: 'string' },
      scopes: { type: 'string' },
      'redirect-url': { type: 'string', multiple: true },
      logo: { type: 'string' },
      development: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    run: createApp,
  },
  {
    words: ['apps', 'authorize'],
    usage:
      'apps authorize --client-id cli_… --client-secret-file FILE [--redirect-url http://localhost:8123/callback] [--scopes stats:read] [--api URL] [--timeout SECONDS] [--json]',
    meaning:
      'acts as an app on this machine: prints the address to open in a browser, waits for it to come back to the redirect URL (600 s), and prints the tokens',
    options: {
      'client-id': { type: 'string' },
      'client-secret-file': { type: 'string' },
      'redirect-url': { type: 'string' },
      scopes: { type: 'string' },
      api: { type: 'string' },
      timeout: { type: 'string' },
      json: { type: 'boolean' },
    },
    run: authorizeApp,
  },
  {
    words: ['apps', 'suspend'],
    usage: 'apps suspend --id app_…',
    meaning: 'ends an app at once: its secrets and tokens are refused, and nobody may authorise it',
    options: { id: { type: 'string' } },
    run: commandApp('suspend'),
  },
  {
    words: ['apps', 'reinstate'],
    usage: 'apps reinstate --id app_…',
    meaning: 'lifts a suspension',
    options: { id: { type: 'string' } },
    run: commandApp('reinstate'),
  },
]

/** How to call these commands. */
export function usageOf(list: Command[]): string {
  return `usage: npm run wds -- <command>

commands:
${list.map(({ usage, meaning }) => `  ${usage}\n      ${meaning}`).join('\n')}

--help, -h or help shows this. For programs: npm run --silent wds -- <command> --json
A relative path of a FILE begins in the folder that you are in.
The service is found by WDS_INTERNAL_URL, WDS_INTERNAL_TOKEN_FILE and WDS_BASE_URL, else by the data folder of the standalone on this machine (WDS_DATA_DIR, default .data).
Exit codes: 0 done, 1 refused or failed, 2 wrong words.`
}
