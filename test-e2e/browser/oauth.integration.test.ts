// Sign-in and consent as a person meets them: a third party's app on another site, a real browser, scripts off.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Role } from '@wds/contracts/roles'
import type { Browser, Page, Request } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import { type AuthRig, type RegisteredApp, startAuthRig } from './auth-rig.ts'
import { accessibilityFaults, launchChromium, openVisitor, type Visitor } from './chromium.ts'
import { type Authorisation, beginAuthorisation, type OAuthApp, startOAuthApp } from './oauth-app.ts'

const scopes = ['stats:read', 'campaigns:read', 'webhooks:manage']

let rig: AuthRig
let browser: Browser
let app: OAuthApp
let registered: RegisteredApp
let visitor: Visitor
let page: Page

beforeAll(async () => {
  rig = await startAuthRig()
  app = await startOAuthApp()
  browser = await launchChromium()
  registered = await rig.registerApp(app.redirectUrl, scopes)
})
afterAll(async () => {
  await browser?.close()
  app?.stop()
  await rig?.stop()
})
beforeEach(async () => {
  visitor = await openVisitor(browser)
  page = visitor.page
})
afterEach(async () => {
  await visitor.close()
  app.visits.length = 0
})

type Person = { email: string; password: string }

/** On the sign-in page that is open. */
async function signIn({ email, password }: Person = registered.owner): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The app sends the person here; who is not signed in yet does so. */
async function openConsent(person?: Person): Promise<Authorisation> {
  const authorisation = await beginAuthorisation(rig.url, app, { ...registered, scope: scopes.join(' ') })
  await page.goto(authorisation.url)
  if (new URL(page.url()).pathname === '/sign-in') await signIn(person)
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  return authorisation
}

/** Clicks, and waits until the app has its answer. */
async function answer(name: 'Allow' | 'Cancel'): Promise<URL> {
  await page.getByRole('button', { name }).click()
  await page.waitForURL(`${app.redirectUrl}?**`)
  return new URL(page.url())
}

describe('U16: with scripts off', () => {
  test('S19, W26: sign-in, consent, Allow: the CSP lets the redirect to the app through, and the code is redeemed', async () => {
    const authorisation = await openConsent()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Ledgerline wants to act in Northwind Media',
    )
    expect(await page.locator('.facts').textContent()).toContain(new URL(app.origin).host)
    expect(
      await page.locator('img.logo').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(256)
    const tokens = await authorisation.redeem(await answer('Allow'))
    expect(tokens.scope?.split(' ').sort()).toEqual(scopes.toSorted())
    expect(visitor.faults).toEqual([])
  })

  test('A17: Cancel ends at the app with access_denied and without a code', async () => {
    await openConsent()
    const { searchParams } = await answer('Cancel')
    expect([searchParams.get('error'), searchParams.get('code'), searchParams.get('iss')]).toEqual([
      'access_denied',
      null,
      rig.url,
    ])
    expect(searchParams.get('state')).not.toBeNull()
    expect(visitor.faults).toEqual([])
  })

  test('W25: the browser sends `Origin: null` with both forms, and they are taken', async () => {
    const posts: Promise<Record<string, string>>[] = []
    page.on('request', (request: Request) => {
      if (request.method() === 'POST') posts.push(request.allHeaders())
    })
    await openConsent()
    await answer('Allow')
    const headers = await Promise.all(posts)
    expect(headers.map((one) => [one.origin, one['sec-fetch-site']])).toEqual([
      ['null', 'same-origin'],
      ['null', 'same-origin'],
    ])
  })

  test('S30: neither the app nor any page learns an address of ours from a Referer', async () => {
    const referers: (string | undefined)[] = []
    page.on(
      'request',
      (request: Request) => void request.allHeaders().then((headers) => referers.push(headers.referer)),
    )
    await openConsent()
    await answer('Allow')
    expect(app.visits.map(({ url, headers }) => [url.pathname, headers.referer])).toEqual([['/callback', undefined]])
    expect(referers.filter(Boolean)).toEqual([])
  })

  test('a wrong password keeps what was typed and the way on', async () => {
    const authorisation = await beginAuthorisation(rig.url, app, { ...registered, scope: 'stats:read' })
    await page.goto(authorisation.url)
    await signIn({ email: registered.owner.email, password: 'not the password' })
    expect(await page.getByRole('alert').textContent()).toContain('do not match')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(registered.owner.email)
    await signIn()
    expect((await authorisation.redeem(await answer('Allow'))).scope).toBe('stats:read')
  })

  test('A5: a redirect URL that is not registered ends on a page with the request id, not at the app', async () => {
    const { url } = await beginAuthorisation(rig.url, app, { ...registered, scope: 'stats:read' })
    const changed = new URL(url)
    changed.searchParams.set('redirect_uri', `${app.redirectUrl}/`)
    const response = await page.goto(changed.href)
    expect([response?.status(), new URL(page.url()).pathname]).toEqual([400, '/oauth/authorize'])
    expect(await page.locator('footer').textContent()).toContain(response?.headers()['x-request-id'])
    expect(app.visits).toEqual([])
  })
})

describe('the workspace', () => {
  const redirectUrl = 'https://ledgerline.example/callback'
  let live: RegisteredApp
  beforeAll(async () => {
    live = await rig.registerApp(redirectUrl, scopes)
  })

  /** Somebody with these roles in workspaces of these names opens the consent page of the live app. */
  async function openAs(roles: Record<string, Role>): Promise<Authorisation> {
    const person = await rig.auth.makePerson()
    for (const [name, role] of Object.entries(roles)) {
      await rig.auth.join(await rig.auth.makeWorkspace({ name }), person.userId, role)
    }
    const authorisation = await beginAuthorisation(rig.url, { redirectUrl }, { ...live, scope: scopes.join(' ') })
    await page.goto(authorisation.url)
    await signIn(person)
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    return authorisation
  }

  /** Where the browser is sent then. No name of a site resolves here: that it was looked up says that no page of ours held it back. */
  async function decide(name: 'Allow' | 'Cancel'): Promise<URL> {
    const leaving = page.waitForEvent('requestfailed', (request) => request.url().startsWith(`${redirectUrl}?`))
    await page.getByRole('button', { name }).click()
    const request = await leaving
    expect(request.failure()?.errorText).toBe('net::ERR_NAME_NOT_RESOLVED')
    return new URL(request.url())
  }

  test('S22, S23: the one that is granted is the one that the heading names after another was chosen', async () => {
    const authorisation = await openAs({ First: 'owner', Second: 'admin', Third: 'member' })
    const heading = page.getByRole('heading', { level: 1 })
    const [shown, other] = (await heading.textContent())?.endsWith('First') ? ['First', 'Second'] : ['Second', 'First']
    expect(await heading.textContent()).toBe(`Ledgerline wants to act in ${shown}`)
    await page.getByText('Choose another').click()
    expect(await page.locator('.workspaces').textContent()).toBe(other)
    await page.getByRole('link', { name: other }).click()
    await page.getByRole('heading', { name: `Ledgerline wants to act in ${other}` }).waitFor()
    const tokens = await authorisation.redeem(await decide('Allow'))
    expect(tokens.user_context).toMatchObject({ workspace: { name: other } })
    // The redirect to the app and nothing else: the CSP let a redirect to https through, too.
    expect(new Set(visitor.faults)).toEqual(new Set(['call to ledgerline.example']))
  })

  test('A29: a member finds no Allow, reads why and what is left out, and Cancel goes back to the app', async () => {
    await openAs({ Only: 'member' })
    expect(await page.getByRole('button').allTextContents()).toEqual(['Cancel'])
    expect(await page.locator('.note').textContent()).toContain('Only an owner or admin')
    expect(await page.locator('.left-out').textContent()).toContain('Webhooks')
    expect((await decide('Cancel')).searchParams.get('error')).toBe('access_denied')
  })
})

describe('attacks', () => {
  test('S17: another site cannot frame sign-in or consent', async () => {
    await openConsent()
    for (const address of [page.url(), `${rig.url}/sign-in`]) {
      const attacker = await startOAuthApp({ '/': `<!doctype html><title>x</title><iframe src="${address}"></iframe>` })
      await page.goto(attacker.origin)
      const frame = page.frames().find((one) => one !== page.mainFrame())
      await eventually('the frame holds an error instead', async () => frame?.url() === 'chrome-error://chromewebdata/')
      attacker.stop()
    }
    expect(visitor.faults.join('\n')).toMatch(/frame-ancestors 'none'|X-Frame-Options/)
  })

  test('S18, XO11: another site cannot post consent or sign-in from the person’s own browser', async () => {
    await openConsent()
    const forms = { consent: await fieldsOf(page), address: page.url() }
    const attacker = await startOAuthApp({
      '/': formTo(forms.address, { ...forms.consent, decision: 'allow' }),
      '/sign-in': formTo(`${rig.url}/sign-in`, { email: 'mallory@example.test', password: 'x'.repeat(12) }),
    })
    for (const path of ['/', '/sign-in']) {
      await page.goto(`${attacker.origin}${path}`)
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'POST'),
        page.getByRole('button').click(),
      ])
      expect([path, response.status()]).toEqual([path, 403])
    }
    attacker.stop()
    expect(app.visits).toEqual([])
  })

  test('S21, W6: two people in one browser: a page that was shown to the first is void for the second, whose token is the second’s', async () => {
    const second = await rig.auth.makePerson()
    await rig.auth.join(registered.workspaceId, second.userId, 'admin')
    await openConsent()
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await page.getByRole('link', { name: 'Not you?' }).click()
    await signIn(second)
    expect(await page.locator('.facts').textContent()).toContain(second.email)
    await tab.getByRole('button', { name: 'Allow' }).click()
    await tab.getByRole('heading', { level: 1 }).waitFor()
    expect([app.visits, new URL(tab.url()).origin]).toEqual([[], rig.url])
    await tab.close()
    const authorisation = await openConsent(second)
    const tokens = await authorisation.redeem(await answer('Allow'))
    expect(tokens.user_context).toMatchObject({ user: { id: second.userId } })
  })
})

describe('U01 on the real pages', () => {
  test.each(['light', 'dark'] as const)('sign-in, its failure, consent and error in %s', async (colorScheme) => {
    await visitor.close()
    visitor = await openVisitor(browser, { javaScriptEnabled: true, colorScheme })
    page = visitor.page
    const { url } = await beginAuthorisation(rig.url, app, { ...registered, scope: scopes.join(' ') })
    const found: string[] = []
    const judge = async () => found.push(...(await accessibilityFaults(page)))
    await page.goto(url)
    await judge()
    await signIn({ ...registered.owner, password: 'not the password' })
    await judge()
    await signIn()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await judge()
    await page.goto(`${rig.url}/oauth/authorize`)
    await judge()
    expect(found).toEqual([])
    expect(visitor.faults.filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([])
  })
})

/** The hidden fields of the page's form. */
function fieldsOf(shown: Page): Promise<Record<string, string>> {
  type Input = { name: string; value: string }
  return shown
    .locator('input[type=hidden]')
    .evaluateAll((inputs) => Object.fromEntries((inputs as unknown as Input[]).map(({ name, value }) => [name, value])))
}

const formTo = (address: string, fields: Record<string, string>) =>
  `<!doctype html><title>x</title><form method="post" action="${address}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}<button>Win a prize</button></form>`
