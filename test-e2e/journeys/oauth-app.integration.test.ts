// A new developer's first hour: registers an app, sends a person through sign-in and consent in a browser, and reads stats with the token.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startFakeReceiver } from '@wds/fake-receiver/fake-receiver'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { APIRequestContext, Browser, Page } from 'playwright-core'
import { launchChromium, openVisitor } from '../browser/chromium.ts'
import { beginAuthorisation, type Credentials, type OAuthApp, startOAuthApp } from '../browser/oauth-app.ts'
import { signInAndDecide } from '../browser/sign-in-and-decide.ts'
import { clientOf } from '../harness/client.ts'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import {
  eventually,
  exitOf,
  makePlace,
  type Place,
  root,
  type Standalone,
  startStandalone,
} from '../harness/standalone.ts'
import { type Line, startListening } from './listening.ts'
import { clients } from './oauth-clients.ts'

let place: Place
let product: Standalone
let browser: Browser
let app: OAuthApp
beforeAll(async () => {
  place = await makePlace()
  product = await startStandalone(place)
  app = await startOAuthApp()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  app?.stop()
  await product?.stop()
  place?.remove()
})

/** The operator's command line, against this product. */
function wds(...words: string[]): ChildProcess {
  return spawn(process.execPath, [join(root, 'packages/cli/src/main.ts'), ...words], {
    env: { ...process.env, ...place.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function register(redirectUrl: string): Promise<Credentials> {
  const logo = join(root, 'packages/cli/sample-logo.png')
  const words = ['--json', '--development', '--name', 'Ledgerline', '--scopes', 'stats:read', '--logo', logo]
  const child = wds('apps', 'create', '--workspace', product.at.workspace_id, '--redirect-url', redirectUrl, ...words)
  const { client_id: clientId, client_secret: secret } = JSON.parse(await text(child.stdout as Readable))
  return { clientId, secret }
}

test('a developer registers an app, gets a token by the browser, reads stats with it, refreshes it, and is refused once the person ends it', async () => {
  const { auth_url: authUrl } = product.at
  const authorisation = await beginAuthorisation(authUrl, app, {
    ...(await register(app.redirectUrl)),
    scope: 'stats:read',
  })
  const { page, faults, close } = await openVisitor(browser)
  await decideAsOwner(page, authorisation.url)
  await page.waitForURL(`${app.redirectUrl}?**`)
  expect(faults).toEqual([])

  const tokens = await authorisation.redeem(new URL(page.url()))
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'stats:read' })
  expect(tokens.user_context).toMatchObject({ workspace: { id: product.at.workspace_id } })
  const first = await stats(tokens.access_token)
  expect([first.status, await first.json()]).toMatchObject([200, { object: 'stats' }])

  const fresh = await authorisation.refresh(tokens.refresh_token ?? '')
  expect((await stats(fresh.access_token)).status).toBe(200)

  await endEveryGrant(page.context().request, authUrl)
  await eventuallyRefused(fresh.access_token)
  await expect(authorisation.refresh(fresh.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' })
  await close()
})

test.each(Object.entries(clients))(
  '%s completes the flow, refreshes, and once revoked is told invalid_token and invalid_grant',
  async (_name, begin) => {
    const { auth_url: issuer, workspace_id } = product.at
    const { redirectUrl } = app
    const flow = await begin({ ...(await register(app.redirectUrl)), issuer, redirectUrl, scope: 'stats:read' })
    const { page, close } = await openVisitor(browser)
    await decideAsOwner(page, flow.url)
    await page.waitForURL(`${redirectUrl}?**`)

    const tokens = await flow.redeem(new URL(page.url()))
    const fresh = await flow.refresh(tokens)
    for (const { access_token, user_context } of [tokens, fresh]) {
      expect((await stats(access_token)).status).toBe(200)
      expect(user_context).toMatchObject({ workspace: { id: workspace_id } })
    }
    expect(fresh.refresh_token).not.toBe(tokens.refresh_token)

    await (flow.revoke?.(fresh) ?? endEveryGrant(page.context().request, issuer))
    await eventuallyRefused(fresh.access_token)
    expect(await flow.refresh(fresh).catch(flow.codeOf)).toBe('invalid_grant')
    await close()
  },
)

describe('apps authorize', () => {
  let redirectUrl: string
  let options: string[]
  let release: () => void
  beforeAll(async () => {
    const ports = await takeTestPorts()
    release = ports.release
    redirectUrl = `http://localhost:${await ports.next()}/callback`
    const { clientId, secret } = await register(redirectUrl)
    const secretFile = join(place.dataDirectory, 'client-secret')
    writeFileSync(secretFile, secret, { mode: 0o600 })
    options = ['--client-id', clientId, '--client-secret-file', secretFile]
  })
  afterAll(() => release?.())

  /** Its exit code and output, and before that the address that it printed, if it does. */
  function authorize(...more: string[]) {
    const child = wds('apps', 'authorize', ...options, ...more)
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk)
    })
    const stdout = text(child.stdout as Readable)
    return {
      address: () => eventually('the address is printed', async () => /^http\S+$/m.exec(stderr)?.[0]),
      ended: async () => ({ code: await exitOf(child), stdout: await stdout, stderr }),
    }
  }

  test('prints the tokens as JSON, for programs', async () => {
    const command = authorize('--redirect-url', redirectUrl, '--json')
    const { page, close } = await openVisitor(browser)
    await decideAsOwner(page, await command.address())
    expect(await page.textContent('body')).toBe('Go back to the terminal.\n')
    const { code, stdout } = await command.ended()
    const { access_token: token, ...rest } = JSON.parse(stdout)
    expect([code, rest]).toMatchObject([0, { user_context: { workspace: { id: product.at.workspace_id } } }])
    expect((await stats(token)).status).toBe(200)
    await close()
  })

  test('an answer of somebody else does not end the wait; a denial does, and is exit code 1', async () => {
    const command = authorize('--redirect-url', redirectUrl)
    const address = await command.address()
    expect((await fetch(`${redirectUrl}?code=x&state=x`)).status).toBe(404)
    const { page, close } = await openVisitor(browser)
    await decideAsOwner(page, address, 'Cancel')
    expect(await command.ended()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('wds: denied') })
    await close()
  })

  test.each([
    [
      'another redirect URL',
      () => ['--redirect-url', `${redirectUrl}/`],
      'wds: refused (400): the client id is unknown, or',
    ],
    ['a scope of nobody', () => ['--redirect-url', redirectUrl, '--scopes', 'all'], 'wds: refused (invalid_scope):'],
    ['a used port', () => ['--redirect-url', product.at.base_url.replace('127.0.0.1', 'localhost')], 'is in use'],
    ['nobody in time', () => ['--redirect-url', redirectUrl, '--timeout', '0.2'], 'wds: nobody came back to'],
  ])('%s is exit code 1 with the reason', async (_what, more, reason) => {
    const ended = await authorize(...more()).ended()
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(reason) })
  })
})

test('listen forwards each event of its types once, signed, also those that came while the API was away, and goes on while nobody takes them', async () => {
  const receiver = await startFakeReceiver()
  const to = ['--forward-to', `${receiver.url}/hooks`, '--events', 'integration.*']
  const env = { ...place.env, WDS_TOKEN: product.at.api_key }
  // Between it and the API, which is away for a while below.
  const api = new URL(product.at.base_url)
  const proxy = await startFaultProxy({ host: api.hostname, port: Number(api.port) })
  const listening = startListening(env, ...to, '--api', `http://127.0.0.1:${proxy.port}`)
  const client = clientOf(product.at)
  const make = (name: string) =>
    client('/v1/integrations', { json: { name, brand_slug: 'acme', provider: 'csv_upload' } })
  const eventOf = (name: string) => (line: Line) => line.event?.data.name === name
  try {
    const { secret = '' } = await listening.line('it listens', ({ line }) => line === 'listening')
    receiver.setSecret(secret)
    await make('Heard')
    const heard = await listening.line('the event was forwarded', eventOf('Heard'))
    expect(heard).toMatchObject({ event: { type: 'integration.created' }, forwarded: { status: 200, error: null } })
    const [received] = receiver.received.filter(({ headers }) => headers['webhook-id'] === heard.event?.id)
    expect([received?.verified, JSON.parse(received?.body ?? '')]).toEqual([true, heard.event])

    await proxy.refuse()
    await listening.line('it says that the API is away', ({ line }) => line === 'disconnected')
    await make('While away')
    await proxy.pass()
    await listening.line('what came meanwhile was forwarded', eventOf('While away'))
    expect(listening.lines.map(({ line }) => line)).toContain('reconnected')

    await receiver.close()
    await make('Not taken')
    const missed = await listening.line('it says that nobody took it', eventOf('Not taken'))
    expect(missed.forwarded).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') })
    expect(await listening.interrupt()).toBe(0)
    const events = listening.lines.filter(({ line }) => line === 'event')
    expect(new Set(events.map(({ event }) => event?.id)).size).toBe(events.length)
    expect(events.every(({ event }) => event?.type.startsWith('integration.'))).toBe(true)
    expect(listening.lines.at(-1)).toMatchObject({ line: 'ended', events: events.length, failed: 1 })
  } finally {
    listening.kill()
    await proxy.close()
    await receiver.close().catch(() => undefined)
  }

  const again = startListening(env, '--since', '1h', '--events', 'integration.created')
  try {
    const [first, second] = [
      await again.line('the first', eventOf('Heard')),
      await again.line('the second', eventOf('Not taken')),
    ]
    expect(again.lines.indexOf(first)).toBeLessThan(again.lines.indexOf(second))
    expect([first.forwarded, second.forwarded]).toEqual([null, null])
    expect(await again.interrupt()).toBe(0)
  } finally {
    again.kill()
  }
})

test('what the how-to "Let an app act for a user" says, pasted into a shell and a browser, goes from stats to invalid_grant', async () => {
  const howTo = readFileSync(join(root, 'packages/docs/how-to/let-an-app-act-for-a-user.md'), 'utf8')
  const blocks = [...howTo.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block as string)
  const env = { ...process.env, ...place.env, BASE: product.at.base_url, KEY: product.at.api_key }
  const shell = spawn('sh', ['-s'], { cwd: root, env, timeout: 300_000, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  shell.stdout.on('data', (chunk) => {
    printed += String(chunk)
  })
  shell.stdin.write(blocks.slice(0, 2).join(''))
  await eventually('the address is printed', async () => printed.includes('\n'))
  const { page, close } = await openVisitor(browser)
  const [request] = await Promise.all([
    page.waitForRequest('http://localhost:8123/callback?**'),
    decideAsOwner(page, printed.trim()),
  ])
  const answer = new URL(request.url()).searchParams
  expect(answer.get('state')).toBe(new URL(printed.trim()).searchParams.get('state'))
  printed = ''
  shell.stdin.end(`CODE=${answer.get('code')}\n${blocks.slice(2).join('')}`)
  expect(await exitOf(shell)).toBe(0)
  const answers = printed.trim().split('\n')
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { scope: 'stats:read campaigns:read', user_context: { workspace: { id: product.at.workspace_id } } },
    { object: 'stats' },
    { object: 'stats' },
    {},
    { code: 'invalid_token' },
    { error: 'invalid_grant' },
  ])
  await close()
})

/** As the owner of the sample workspace. */
function decideAsOwner(page: Page, address: string, decision: 'Allow' | 'Cancel' = 'Allow'): Promise<void> {
  const { owner_email: email = '', owner_password: password = '' } = product.at
  return signInAndDecide(page, { address, email, password, decision })
}

function stats(token: string): Promise<Response> {
  const query = 'from=2026-11-01&to=2026-11-01&metrics=clicks'
  return fetch(`${product.at.base_url}/v1/stats?${query}`, { headers: { authorization: `Bearer ${token}` } })
}

async function eventuallyRefused(token: string): Promise<void> {
  const refused = await eventually('the token is refused', async () => {
    const answer = await stats(token)
    return answer.status === 401 && answer
  })
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
  expect(await refused.json()).toMatchObject({ code: 'invalid_token' })
}

/** In Connected apps, by the settings API, in the browser's session. */
async function endEveryGrant(request: APIRequestContext, authUrl: string): Promise<void> {
  const { csrf_token: token } = await (await request.get(`${authUrl}/v1/session`)).json()
  const { data } = await (await request.get(`${authUrl}/v1/connected-apps`)).json()
  expect(data).toHaveLength(1)
  const headers = { 'x-csrf-token': token, 'sec-fetch-site': 'same-origin', 'if-match': `"v${data[0].version}"` }
  const answer = await request.delete(`${authUrl}/v1/connected-apps/${data[0].id}`, { headers })
  expect(answer.status()).toBe(204)
}
