/** What a start prints: for people the commands to paste, for programs one JSON line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Running } from './supervisor.ts'

export function jsonLine(running: Running): string {
  return JSON.stringify({
    base_url: running.baseUrl,
    auth_url: running.baseUrl,
    console_url: running.consoleUrl,
    api_key: running.sample.apiKey,
    workspace_id: running.sample.workspaceId,
    owner_email: running.sample.owner.email,
    owner_password: running.sample.owner.password,
    integration_id: running.sample.integrationId,
    receiver_url: running.receiverUrl,
  })
}

/** The first commands of the README's 'Try it', so that terminal and README say the same. */
function firstCommands(): string {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
  return /## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? ''
}

export function welcome(running: Running): string {
  const { baseUrl, consoleUrl, docsUrl, receiverUrl, sourceUrl, managementPorts, sample } = running
  const network = sourceUrl === null ? '' : `\n  network    ${sourceUrl}`
  const management = Object.entries(managementPorts).map(([name, port]) => `${name} ${port}`)
  return `
The Workspace Data Service runs.

  console    ${consoleUrl}
  sign in    as ${sample.owner.email} with ${sample.owner.password}
  docs       ${docsUrl}
  API        ${baseUrl}
  receiver   ${receiverUrl}${network}
  sample app npm run sample-app, in another terminal: OAuth step by step
  probes     /livez, /readyz at http://127.0.0.1:<port>: ${management.join(', ')}
  workspace  ${sample.workspaceId}
  key        ${sample.apiKey}

Paste into another terminal: subscribe the local receiver, upload stats, see the signed webhook and the sums. README.md goes on from there.

export BASE=${baseUrl} KEY=${sample.apiKey} RECEIVER=${receiverUrl} INTEGRATION=${sample.integrationId}
${firstCommands()}

Ctrl-C stops all of it and keeps the data; npm start -- --fresh begins anew.`
}
