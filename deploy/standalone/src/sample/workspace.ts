/** The sample workspace: an owner and a key, made once and kept in the data folder. Each step can be repeated. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../start-error.ts'
import { ask, call } from './call.ts'
import type { SampleNotes } from './notes.ts'

export interface Sample {
  workspaceId: string
  apiKey: string
  /** The `csv_upload` one. */
  integrationId: string
  owner: { email: string; password: string }
}

export interface SamplePlace {
  baseUrl: string
  operatorUrl: string
  operatorToken: string
  notes: SampleNotes
}

const scopes = [
  'integrations:read',
  'integrations:write',
  'stats:read',
  'campaigns:read',
  'campaigns:write',
  'invoices:read',
  'invoices:write',
  'webhooks:manage',
]
const ownerEmail = 'owner@example.test'
const readyWithinMs = 60_000

/** Polls one route of each service that checks keys until it accepts this one. */
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

/** Returns once every service that checks keys accepts its key. */
export async function ensureWorkspace({ baseUrl, operatorUrl, operatorToken: token, notes }: SamplePlace) {
  const { stored, save } = notes
  if (stored.api_key === undefined) {
    const body = { name: 'Sample workspace', plan: 'business', key_name: 'sample key', scopes }
    const made = await ask('the sample workspace', `${operatorUrl}/internal/workspaces`, { token, body })
    stored.workspace_id = String(made.workspace_id)
    stored.api_key = String(made.api_key)
    save()
  }
  if (stored.has_owner !== true) {
    // Kept before it is used: a second try finds the account with the password of the first.
    stored.owner_password ??= randomBytes(12).toString('base64url')
    save()
    const body = { email: ownerEmail, name: 'Sample owner', password: stored.owner_password }
    await ask('the sample owner', `${operatorUrl}/internal/workspaces/${stored.workspace_id}/owners`, { token, body })
    stored.has_owner = true
    save()
  }
  await waitForKey(baseUrl, stored.api_key)
}

/** Of a workspace with its integrations. */
export function sampleOf({ stored }: SampleNotes): Sample {
  return {
    workspaceId: String(stored.workspace_id),
    apiKey: String(stored.api_key),
    integrationId: String(stored.csv_upload_id),
    owner: { email: ownerEmail, password: String(stored.owner_password) },
  }
}
