/** The sample workspace: an owner, a key and two integrations, made once and kept in the data folder. Each step can be repeated. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import { StartError } from './start-error.ts'

export interface Sample {
  workspaceId: string
  apiKey: string
  /** The `csv_upload` one. */
  integrationId: string
  owner: { email: string; password: string }
}

interface Stored {
  workspace_id?: string
  owner_password?: string
  has_owner?: boolean
  api_key?: string
  csv_upload_id?: string
  demo_id?: string
}

const scopes = ['integrations:read', 'integrations:write', 'stats:read', 'webhooks:manage']
const ownerEmail = 'owner@example.test'
const readyWithinMs = 60_000

const integrations: { slot: 'csv_upload_id' | 'demo_id'; body: Record<string, unknown> }[] = [
  {
    slot: 'csv_upload_id',
    body: {
      name: 'Sample upload',
      provider: 'csv_upload',
      brand_slug: 'acme-casino',
      currency: 'EUR',
      source_time_zone: 'UTC',
    },
  },
  {
    slot: 'demo_id',
    body: {
      name: 'Sample demo',
      provider: 'demo',
      brand_slug: 'northern-bets',
      currency: 'EUR',
      source_time_zone: 'UTC',
      settings: {},
    },
  },
]

async function call(
  url: string,
  o: { token: string; body?: object; key?: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers: Record<string, string> = { authorization: `Bearer ${o.token}` }
  if (o.body !== undefined) headers['content-type'] = 'application/json'
  if (o.key !== undefined) headers['idempotency-key'] = o.key
  const response = await fetch(url, {
    method: o.body === undefined ? 'GET' : 'POST',
    headers,
    signal: AbortSignal.timeout(10_000),
    ...(o.body === undefined ? {} : { body: JSON.stringify(o.body) }),
  })
  return { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, unknown> }
}

/** Polls until every service knows the key. */
async function waitForKey(baseUrl: string, token: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (const path of ['/v1/workspace', '/v1/integrations', '/v1/webhooks']) {
    for (;;) {
      const { status } = await call(`${baseUrl}${path}`, { token }).catch(() => ({ status: 0 }))
      if (status === 200) break
      if (performance.now() > deadline)
        throw new StartError(`${path} does not serve the sample key (last answer: ${status}), see the logs`)
      await sleep(50)
    }
  }
}

export async function ensureSample(o: {
  baseUrl: string
  operatorUrl: string
  operatorToken: string
  data: DataFolder
}): Promise<Sample> {
  const stored = JSON.parse(o.data.read('sample.json') ?? '{}') as Stored
  const save = () => o.data.write('sample.json', JSON.stringify(stored))
  if (stored.api_key === undefined) {
    const body = { name: 'Sample workspace', plan: 'business', key_name: 'sample key', scopes }
    const made = await call(`${o.operatorUrl}/internal/workspaces`, { token: o.operatorToken, body })
    if (made.status !== 201)
      throw new StartError(`the sample workspace was refused (${made.status}): ${String(made.body.detail)}`)
    stored.workspace_id = String(made.body.workspace_id)
    stored.api_key = String(made.body.api_key)
    save()
  }
  if (stored.has_owner !== true) {
    // Kept before it is used: a second try finds the account with the password of the first.
    stored.owner_password ??= randomBytes(12).toString('base64url')
    save()
    const body = { email: ownerEmail, name: 'Sample owner', password: stored.owner_password }
    const url = `${o.operatorUrl}/internal/workspaces/${stored.workspace_id}/owners`
    const made = await call(url, { token: o.operatorToken, body })
    if (made.status !== 200)
      throw new StartError(`the sample owner was refused (${made.status}): ${String(made.body.detail)}`)
    stored.has_owner = true
    save()
  }
  const token = stored.api_key
  await waitForKey(o.baseUrl, token)
  for (const { slot, body } of integrations) {
    if (stored[slot] !== undefined) continue
    const made = await call(`${o.baseUrl}/v1/integrations`, { token, body, key: `sample-${slot}` })
    if (made.status !== 201)
      throw new StartError(`the sample integration was refused (${made.status}): ${JSON.stringify(made.body)}`)
    stored[slot] = String(made.body.id)
    save()
  }
  const owner = { email: ownerEmail, password: String(stored.owner_password) }
  return { workspaceId: String(stored.workspace_id), apiKey: token, integrationId: String(stored.csv_upload_id), owner }
}
