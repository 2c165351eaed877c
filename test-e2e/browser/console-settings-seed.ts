// What the console's pages about access show in its suites: made by the settings API in the owner's session.
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from 'playwright-core'
import type { ConsoleRig } from './console-rig.ts'
import { makeLogo } from './logo.ts'

export interface AccessSeed {
  /** `app_…`, in development. */
  app: string
  /** `key_…`, of an API key. */
  key: string
}

const seeds = new WeakMap<ConsoleRig, Promise<AccessSeed>>()

/** An app and a key; made once for a rig. */
export function seedAccess(rig: ConsoleRig): Promise<AccessSeed> {
  const known = seeds.get(rig) ?? makeAccess(rig)
  seeds.set(rig, known)
  return known
}

type Body = Parameters<APIRequestContext['post']>[1]

async function makeAccess(rig: ConsoleRig): Promise<AccessSeed> {
  const { page, close } = await rig.openOwner()
  try {
    const at = (path: string) => `${rig.at.auth_url}${path}`
    const { csrf_token: csrf } = await (await page.request.get(at('/v1/session'))).json()
    const post = async (path: string, body: Body) => {
      const own = { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' }
      const headers = { ...own, 'idempotency-key': `"${randomUUID()}"` }
      const answer = await page.request.post(at(path), { ...body, headers })
      if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
      return await answer.json()
    }
    const fields = {
      name: 'Ledgerline',
      redirect_urls: ['http://127.0.0.1:8123/callback'],
      scopes: ['stats:read', 'webhooks:manage'],
      state: 'development',
    }
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: makeLogo() }
    const { id: app } = await post('/v1/oauth-apps', { multipart: { app: JSON.stringify(fields), logo } })
    const wish = { name: 'Nightly export', scopes: ['stats:read'], cidrs: ['203.0.113.0/24'], expires_in_days: 90 }
    const { id: key } = await post('/v1/api-keys', { data: wish })
    await post('/v1/members/invitations', { data: { role: 'member', name: 'Ada Example' } })
    return { app, key }
  } finally {
    await close()
  }
}
