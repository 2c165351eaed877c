/** What the suite of a restore makes before the backup and after it, and what of it is found afterwards. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeReceiver } from '@wds/fake-receiver/fake-receiver'
import pg from 'pg'
import type { Client } from '../../harness/client.ts'
import { type OAuthClient, openOAuthClient } from '../../harness/oauth-client.ts'
import { whenKeyIsKnown } from '../../harness/stack.ts'
import { eventually, root } from '../../harness/standalone.ts'
import { invoiceOf } from '../processes/killed-files.ts'
import type { Rig } from '../rig/rig.ts'

interface Tokens {
  access_token: string
  refresh_token: string
}

export interface Before {
  app: OAuthClient
  /** Of three grants: one is revoked before the backup, one after it. */
  kept: Tokens
  revoked: Tokens
  revokedLater: Tokens
  webhookId: string
  brand: string
  numbers: string[]
  /** Verifies by the secret of before the backup. */
  signed: FakeReceiver
}

export interface After {
  /** Of a grant. */
  made: Tokens
  /** Of a workspace. */
  apiKey: string
  number: string
}

export async function makeBefore(rig: Rig, signed: FakeReceiver): Promise<Before> {
  const app = await openOAuthClient(rig.stack, { url: rig.url, host: new URL(rig.url).host })
  const [kept, revoked, revokedLater] = [await grant(app), await grant(app), await grant(app)]
  for (const { access_token: token } of [kept, revoked, revokedLater])
    await whenKeyIsKnown(`${rig.url}/v1/integrations`, token)
  demand(await app.revoke(revoked.refresh_token), 200)
  const json = { url: `${signed.url}/signed`, events: ['invoice.generated'] }
  const { body } = demand(await rig.client('/v1/webhooks', { json }), 201)
  signed.setSecret(body.secret)
  const integration = await rig.client(`/v1/integrations/${rig.integrations[0]}`)
  const brand: string = integration.body.brand_slug
  const numbers = [await numberOf(rig.client, brand, '01'), await numberOf(rig.client, brand, '02')]
  return { app, kept, revoked, revokedLater, webhookId: body.id, brand, numbers, signed }
}

export async function makeAfter(rig: Rig, { app, revokedLater, webhookId, brand }: Before): Promise<After> {
  demand(await app.revoke(revokedLater.refresh_token), 200)
  await eventually('it is refused', async () => (await statusAt(rig, 'api', revokedLater.access_token)) === 401)
  const made = await grant(app)
  const { apiKey } = await rig.stack.makeWorkspace('after the backup')
  for (const one of [made.access_token, apiKey]) await whenKeyIsKnown(`${rig.url}/v1/integrations`, one)
  demand(await rig.client(`/v1/webhooks/${webhookId}/rotate-secret`, { json: {} }), 200)
  return { made, apiKey, number: await numberOf(rig.client, brand, '03') }
}

/** What credentials open: the status of api, of delivery and of auth; what becomes of a refresh, and what its access token opens. */
export interface Opened {
  kept: Reach
  revoked: Reach
  revokedLater: Reach
  made: Reach
  key: number[]
}
type Reach = [opens: number[], refreshed: number, opensThen: number[] | null]

export async function whatOpens(rig: Rig, { app, ...before }: Before, { made, apiKey }: After): Promise<Opened> {
  const reach = async ({ access_token: token, refresh_token: refresh }: Tokens): Promise<Reach> => {
    const opens = await opened(rig, token)
    const { status, body } = await app.refresh(refresh)
    return [opens, status, status === 200 ? await opened(rig, body.access_token) : null]
  }
  return {
    kept: await reach(before.kept),
    revoked: await reach(before.revoked),
    revokedLater: await reach(before.revokedLater),
    made: await reach(made),
    key: await opened(rig, apiKey),
  }
}

/** As the page of the restore says it: ends the keys that auth does not know. */
export async function endForgottenKeys(rig: Rig): Promise<void> {
  const page = readFileSync(join(root, 'packages/docs/how-to/restore-a-backup.md'), 'utf8')
  const [list = '', end = ''] = [...page.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql)
  const [row] = await rig.ask<{ array_agg: string[] }>('auth', list)
  for (const service of ['auth', 'api', 'delivery'] as const) {
    const admin = new pg.Client({ connectionString: rig.stack.adminUrls[service] })
    await admin.connect()
    try {
      await admin.query(`set search_path = ${service}, public`)
      await admin.query(end, [row?.array_agg])
    } finally {
      await admin.end()
    }
  }
}

/** One more invoice: its number, and whether the hook that tells of it is signed with the secret of before the backup. */
export async function oneMoreInvoice(rig: Rig, before: Before): Promise<{ number: string; verified: boolean | null }> {
  before.signed.clear()
  const number = await numberOf(rig.client, before.brand, '04')
  const hook = await eventually('its hook', async () =>
    before.signed.received.find(({ body }) => body.includes(`"${number}"`)),
  )
  return { number, verified: hook.verified }
}

export async function statusAt(rig: Rig, service: 'api' | 'delivery' | 'auth', credential: string): Promise<number> {
  const path = { api: '/v1/integrations', delivery: '/v1/webhooks', auth: '/v1/workspace' }[service]
  const response = await fetch(`${rig.url}${path}`, { headers: { authorization: `Bearer ${credential}` } })
  await response.arrayBuffer()
  return response.status
}

async function opened(rig: Rig, credential: string): Promise<number[]> {
  return [
    await statusAt(rig, 'api', credential),
    await statusAt(rig, 'delivery', credential),
    await statusAt(rig, 'auth', credential),
  ]
}

function demand<T extends { status: number; body: unknown }>(answer: T, status: number): T {
  if (answer.status !== status) throw new Error(`${answer.status} is not ${status}: ${JSON.stringify(answer.body)}`)
  return answer
}

async function grant(client: OAuthClient): Promise<Tokens> {
  return (await client.redeem(await client.authorize())).body as Tokens
}

async function numberOf(client: Client, brand: string, month: string): Promise<string> {
  const id = await invoiceOf(client, brand, month)
  return (await client(`/v1/invoices/${id}`)).body.number
}
