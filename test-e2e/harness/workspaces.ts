/** Workspaces made by the operator's command, with a client each. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ProvisionedUrls } from '@wds/provision/provision'
import { type Client, clientOf } from './client.ts'
import { eventually, type Place, root, type Standalone } from './standalone.ts'

const run = promisify(execFile)

export interface TestWorkspace {
  id: string
  key: string
  client: Client
}

/** Makes a workspace and waits until every service knows its key. */
export async function makeWorkspace(product: Pick<Standalone, 'at' | 'env'>, name: string): Promise<TestWorkspace> {
  const args = [
    join(root, 'packages/cli/src/main.ts'),
    'workspaces',
    'create',
    '--name',
    name,
    '--plan',
    'business',
    '--json',
  ]
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...product.env } })
  const made = JSON.parse(stdout) as { workspace_id: string; api_key: string }
  const client = clientOf(product.at, made.api_key)
  await eventually('every service knows the key', async () => {
    // More rounds than there are replicas of a service: an edge asks them in turn.
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([client('/v1/integrations'), client('/v1/webhooks'), client('/v1/workspace')])
      if (!answers.every(({ status }) => status === 200)) return false
    }
    return true
  })
  return { id: made.workspace_id, key: made.api_key, client }
}

/** Addresses of the database for each role, as the standalone keeps them. */
export function databaseUrls(place: Place): ProvisionedUrls {
  const stored = readFileSync(join(place.dataDirectory, 'migrated'), 'utf8')
  return (JSON.parse(stored) as { urls: ProvisionedUrls }).urls
}

/** Runs a command of a service's main, as an operator would, and gives its standard output. */
export async function runServiceCommand(
  place: Place,
  service: keyof ProvisionedUrls['services'],
  command: string,
): Promise<string> {
  const { http, worker, owner } = databaseUrls(place).services[service]
  const env = {
    ...process.env,
    DATABASE_URL: http,
    WDS_WORKER_DATABASE_URL: worker,
    WDS_OWNER_DATABASE_URL: owner,
    WDS_BASE_URL: 'http://127.0.0.1',
    WDS_ENCRYPTION_KEY_FILE: join(place.dataDirectory, 'encryption-key'),
    WDS_CURSOR_KEY_FILE: join(place.dataDirectory, 'cursor-key'),
  }
  const { stdout } = await run(process.execPath, [join(root, `services/${service}/src/main.ts`), command], { env })
  return stdout
}
