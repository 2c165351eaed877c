/** Makes one of every secret that the product knows, uses each as it is meant and as it is not, and writes all of them down. */
import { randomBytes } from 'node:crypto'
import { ask, hiddenIn, type OAuthClient, openOAuthClient } from '../harness/oauth-client.ts'
import { type Stack, whenKeyIsKnown } from '../harness/stack.ts'
import type { Secret } from './secret-search.ts'

/** A subscriber's own address is stored and shown as it was given, and stands in no log. */
export const inAddress = 'token of a webhook’s address'

export interface Place {
  stack: Stack
  /** `{base_url}` and `{auth_url}`. */
  url: string
  /** Where webhooks go. */
  receiverUrl: string
}

/** Every secret, each with what it is. */
export async function makeSecrets({ stack, url, receiverUrl }: Place): Promise<Secret[]> {
  const secrets: Secret[] = []
  const onSecret = (name: string, value: string) => {
    // A cookie that is cleared has none.
    if (value.length >= 16) secrets.push({ name, value })
  }
  const at = { url, host: new URL(url).host, onSecret }
  const client = await openOAuthClient(stack, at)
  const settings = await openSettings(url, client.session)
  const accessToken = await useTokens(client)
  const apiKey = await useKeys(settings, onSecret)
  await invite(settings, at)
  onSecret('access_token', (await settings('/v1/session/token')).access_token as string)
  await misuse(url, { client, apiKey, accessToken })

  await whenKeyIsKnown(`${url}/v1/webhooks`, client.apiKey)
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${client.apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  const hook = { url: `${receiverUrl}/hook?token=${randomBytes(16).toString('hex')}`, events: ['*'] }
  onSecret('signing secret', (await call('/v1/webhooks', hook)).secret as string)
  onSecret(inAddress, new URL(hook.url).searchParams.get('token') as string)
  await usePostbacks(url, call, onSecret)
  await call('/v1/integrations', { name: 'swept', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR' })
  return secrets
}

/** The address of a network is used as it is meant, wrongly, and after another one took its place. */
async function usePostbacks(
  url: string,
  call: (path: string, body: object) => Promise<Record<string, string>>,
  onSecret: (name: string, value: string) => void,
): Promise<void> {
  const made = await call('/v1/integrations', { name: 'swept postbacks', provider: 'postback', brand_slug: 'acme' })
  const rotated = await call(`/v1/integrations/${made.id}/rotate-postback-token`, {})
  for (const { postback_url: address } of [made, rotated]) {
    const path = new URL(address as string).pathname
    onSecret('token of postbacks', path.split('/').at(-1) as string)
    const send = async (rest: string, init: RequestInit = {}) => (await fetch(url + path + rest, init)).status
    expectStatus(await send(`?event=click&tx_id=${randomBytes(8).toString('hex')}`), 200)
    expectStatus(await send('?event=sale&tx_id=1'), 422)
    expectStatus(await send('', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }), 400)
    expectStatus(await send('', { method: 'DELETE' }), 405)
    expectStatus(await send('/more'), 404)
    expectStatus(await send('x'), 404)
  }
}

type Settings = (path: string, body?: object) => Promise<Record<string, string>>

/** Writes as the pages of the signed-in person do. */
async function openSettings(url: string, cookie: string): Promise<Settings> {
  const session = await fetch(`${url}/v1/session`, { headers: { cookie } })
  const { csrf_token: csrf } = (await session.json()) as { csrf_token: string }
  return async (path, body = {}) => {
    const headers = {
      cookie,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': csrf,
      'content-type': 'application/json',
    }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const json = (await response.json()) as Record<string, string>
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(json)}`)
    return json
  }
}

/** Fails where the product does not answer so. */
function expectStatus(status: number, wanted: number): void {
  if (status !== wanted) throw new Error(`answered with ${status} instead of ${wanted}`)
}

/** A code flow, a refresh, a second use, a revocation; then a grant that stays, a code that nobody uses. */
async function useTokens(client: OAuthClient): Promise<string> {
  const code = await client.authorize()
  const first = await client.redeem(code)
  const second = await client.refresh(first.body.refresh_token)
  expectStatus(second.status, 200)
  expectStatus((await client.refresh(first.body.refresh_token)).status, 400)
  const other = await client.redeem(await client.authorize())
  expectStatus((await client.revoke(other.body.refresh_token)).status, 200)
  const staying = await client.redeem(await client.authorize())
  expectStatus(staying.status, 200)
  await client.authorize()
  return staying.body.access_token
}

async function useKeys(settings: Settings, onSecret: (name: string, value: string) => void): Promise<string> {
  const key = await settings('/v1/api-keys', { name: 'swept', scopes: ['stats:read'], expires_in_days: 30 })
  const rotated = await settings(`/v1/api-keys/${key.id}/rotate`)
  for (const { api_key: text } of [key, rotated]) onSecret('API key', text as string)
  return rotated.api_key as string
}

/** Somebody accepts an invitation, forgets the password and chooses another one. */
async function invite(settings: Settings, at: Parameters<typeof ask>[0]): Promise<void> {
  const { onSecret = () => {} } = at
  const path = (link: string) => new URL(link).pathname
  const tokenOf = (link: string) => link.split('/').at(-1) as string
  const invitation = path((await settings('/v1/members/invitations', { role: 'viewer' })).link as string)
  onSecret('token of an invitation', tokenOf(invitation))
  const [password, chosen] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  onSecret('password', password)
  onSecret('password', chosen)
  const email = `grace-${randomBytes(6).toString('hex')}@example.test`
  const joined = await submit(at, invitation, { name: 'Grace Hopper', email, ...both(password) })
  expectStatus(joined.status, 303)
  const members = await fetch(`${at.url}/v1/session`, { headers: { cookie: joined.cookies.join('; ') } })
  const { user } = (await members.json()) as { user: { id: string } }
  const membershipId = user.id.replace('usr_', 'mbr_')
  const link = path((await settings(`/v1/members/${membershipId}/password-link`)).link as string)
  onSecret('token of a password link', tokenOf(link))
  expectStatus((await submit(at, link, both(chosen))).status, 303)
}

const both = (password: string) => ({ new_password: password, new_password_again: password })

/** Fills the form of the page in, as a browser does. */
async function submit(at: Parameters<typeof ask>[0], path: string, fields: Record<string, string>) {
  const page = await ask(at, path)
  return ask(at, path, { form: { ...hiddenIn(page), ...fields }, cookie: page.cookies.join('; ') })
}

/** Where secrets must not be sent, as people send them all the same: none of it may be written down either. */
async function misuse(url: string, o: { client: OAuthClient; apiKey: string; accessToken: string }): Promise<void> {
  const { client, apiKey, accessToken } = o
  const calls: [path: string, init?: RequestInit][] = [
    [`/v1/integrations?access_token=${accessToken}`],
    [`/v1/integrations?api_key=${apiKey}`],
    [`/v1/integrations/${apiKey}`],
    [`/v1/nothing/${accessToken}`],
    ['/v1/integrations', { headers: { authorization: `Basic ${apiKey}` } }],
    ['/v1/integrations', { headers: { authorization: `Bearer ${apiKey} ${accessToken}` } }],
    [
      '/v1/integrations',
      { headers: { authorization: `Bearer ${apiKey}x`, 'x-api-key': apiKey, referer: `${url}/?k=${apiKey}` } },
    ],
    [
      '/v1/integrations',
      { method: 'POST', body: `{"name":"${client.apiKey}`, headers: { authorization: `Bearer ${client.apiKey}` } },
    ],
    [
      `/oauth/token?client_secret=${apiKey}`,
      { method: 'POST', body: new URLSearchParams({ refresh_token: accessToken }) },
    ],
    [`/oauth/authorize?client_id=${apiKey}&state=${accessToken}`],
    [`/sign-in?password=${apiKey}`],
    [`/invitations/${apiKey}`],
    [`/password/${apiKey}`],
  ]
  for (const [path, init] of calls) await (await fetch(url + path, { redirect: 'manual', ...init })).arrayBuffer()
}
