// Signing in at an upstream OpenID provider as a person meets it: the pages, the way there and back. A real browser, scripts off.
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { OpenIdServer } from '../../services/auth/src/upstream/openid-provider.fixture.ts'
import { type AuthRig, startAuthRig } from './auth-rig.ts'
import { accessibilityFaults, launchChromium, openVisitor, type Visitor } from './chromium.ts'

let rig: AuthRig
let upstream: OpenIdServer
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  // The library tells that the provider of this test has its defaults.
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {})
  rig = await startAuthRig({ upstream: 'okta' })
  browser = await launchChromium()
  if (rig.upstream === null) throw new Error('the rig has a provider')
  upstream = rig.upstream
})
afterAll(async () => {
  await browser?.close()
  await rig?.stop()
})
beforeEach(async () => {
  visitor = await openVisitor(browser)
  page = visitor.page
})
afterEach(() => visitor.close())

const heading = () => page.getByRole('heading', { level: 1 }).textContent()
const faults = () => visitor.faults.filter((fault) => !/the server responded with a status of 4\d\d/.test(fault))

async function signIn(email: string, password: string): Promise<void> {
  await page.goto(`${rig.url}/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The sign-in has led to the console, which is not here; goes on to the account. */
async function openAccount(): Promise<void> {
  expect(page.url()).toBe(`${rig.url}/`)
  await page.goto(`${rig.url}/sign-in`)
  expect(await heading()).toBe('You are signed in')
}

test('a person connects an account there, signs out, signs in with it, and disconnects it', async () => {
  const { email, password, name } = await rig.auth.makePerson()
  upstream.person = { sub: 'ada', name: 'Ada', email: 'ada@upstream.example', email_verified: true }
  await signIn(email, password)
  await openAccount()
  await page.getByRole('link', { name: 'Sign in with Provider okta too' }).click()
  expect(await page.locator('.facts').textContent()).toMatch(/Provider okta\s*\w+@upstream\.example at \S+\s*Connected/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Continue with Provider okta' }).click()
  await openAccount()
  expect(await page.locator('.facts').textContent()).toContain(name)
  await page.getByRole('button', { name: 'Disconnect Provider okta' }).click()
  await page.getByRole('link', { name: 'Sign in with Provider okta too' }).waitFor()
  expect(faults()).toEqual([])
})

test('an account that is not connected is told what to do; a sign-in that failed there says so', async () => {
  upstream.person = { sub: 'stranger', name: 'Stranger', email: 'stranger@upstream.example', email_verified: true }
  await page.goto(`${rig.url}/sign-in`)
  await page.getByRole('link', { name: 'Continue with Provider okta' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('not connected to an account here')
  await page.goto(`${rig.url}/sign-in/upstream/okta/callback?code=x&state=y`)
  expect(await page.getByRole('alert').textContent()).toContain('did not work')
  expect(faults()).toEqual([])
})

test('a new person joins with an invitation and the account there; with the address of another one, not', async () => {
  const { browser: owner } = await rig.auth.ownedWorkspace({ name: 'Northwind Media' })
  const invite = async () =>
    (await owner.write('/v1/members/invitations', { body: { role: 'viewer' } })).json.link as string
  const taken = await rig.auth.makePerson()
  upstream.person = { sub: 'double', name: 'Grace Hopper', email: taken.email }
  await page.goto(await invite())
  await page.getByRole('link', { name: 'Continue with Provider okta' }).click()
  expect(await heading()).toBe('You have not joined yet')
  upstream.person = { sub: 'grace', name: 'Grace Hopper', email: 'grace@upstream.example', email_verified: true }
  await page.goto(await invite())
  await page.getByRole('link', { name: 'Continue with Provider okta' }).click()
  await openAccount()
  expect(await page.locator('.facts').textContent()).toMatch(/Grace Hopper.*Northwind Media/s)
  expect(faults()).toEqual([])
})

test('U01: the pages with a provider have no fault of accessibility, in both schemes', async () => {
  upstream.person = { sub: 'nobody-knows', name: 'Nobody', email: 'nobody@upstream.example', email_verified: true }
  const { email, password } = await rig.auth.makePerson()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.close()
    visitor = await openVisitor(browser, { javaScriptEnabled: true, colorScheme })
    page = visitor.page
    await page.goto(`${rig.url}/sign-in`)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Continue with Provider okta' }).click()
    expect(await accessibilityFaults(page)).toEqual([])
    await signIn(email, password)
    await openAccount()
    expect(await accessibilityFaults(page)).toEqual([])
  }
})

test('more than ten minutes after the sign-in no account is connected; the page leads to a new one, and back to where it is', async () => {
  const { email, password } = await rig.auth.makePerson()
  upstream.person = { sub: 'late', name: 'Late', email: 'late@upstream.example', email_verified: true }
  await signIn(email, password)
  await openAccount()
  await rig.auth.moveClock(11 * 60_000)
  const connect = page.getByRole('link', { name: 'Sign in with Provider okta too' })
  await connect.click()
  expect(await heading()).toBe('Sign in again first')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await heading()).toBe('You are signed in')
  await connect.click()
  expect(await page.locator('.facts').textContent()).toMatch(/Provider okta\s*\w+@upstream\.example at \S+\s*Connected/)
  await rig.auth.moveClock(0)
  expect(faults()).toEqual([])
})
