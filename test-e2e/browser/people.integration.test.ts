// Accounts as a person meets them: an invitation, a new password, a forgotten one, and the way out. A real browser, scripts off.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { type AuthRig, startAuthRig } from './auth-rig.ts'
import { accessibilityFaults, launchChromium, openVisitor, type Visitor } from './chromium.ts'

let rig: AuthRig
let browser: Browser
let visitor: Visitor
let page: Page

beforeAll(async () => {
  rig = await startAuthRig()
  browser = await launchChromium()
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

async function fill(fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: button }).click()
}

async function signIn(email: string, password: string): Promise<void> {
  await page.goto(`${rig.url}/sign-in`)
  await fill({ 'E-mail address': email, Password: password }, 'Sign in')
}

const heading = () => page.getByRole('heading', { level: 1 }).textContent()

/** The page has led to the console, which is not here. */
async function expectConsole(): Promise<void> {
  expect(page.url()).toBe(`${rig.url}/`)
  await page.goto(`${rig.url}/sign-in`)
  expect(await heading()).toBe('You are signed in')
}

/** Other than 4xx, which the console tells of. */
const faults = () => visitor.faults.filter((fault) => !/the server responded with a status of 4\d\d/.test(fault))

/** The link of an invitation to a workspace of that name. */
async function invite(workspaceName: string): Promise<string> {
  const { browser: owner } = await rig.auth.ownedWorkspace({ name: workspaceName })
  const { status, text, json } = await owner.write('/v1/members/invitations', { body: { role: 'viewer' } })
  if (status !== 201) throw new Error(`no invitation was made: ${text}`)
  return json.link
}

test('a new person follows an invitation, mends what the page points at, and is signed in to the workspace', async () => {
  await page.goto(await invite('Northwind Media'))
  expect(await heading()).toBe('Join Northwind Media')
  const person = { 'Your name': 'Grace Hopper', 'E-mail address': 'grace@example.test' }
  const password = 'compilers are for people'
  await fill({ ...person, 'New password': password, 'New password again': `${password}!` }, 'Create account and join')
  expect(await page.title()).toMatch(/^Error: /)
  expect(await page.locator(':focus').textContent()).toContain('not the same')
  expect(await page.getByLabel('Your name').inputValue()).toBe('Grace Hopper')
  await fill({ 'New password': password, 'New password again': password }, 'Create account and join')
  await expectConsole()
  expect(await page.locator('.facts').textContent()).toMatch(/Grace Hopper.*grace@example.test.*Northwind Media/s)
  expect(faults()).toEqual([])
})

test('somebody who has an account signs in from the invitation, comes back to it, and joins', async () => {
  const { email, password } = await rig.auth.makePerson()
  await page.goto(await invite('Second Workspace'))
  await page.getByRole('link', { name: 'Sign in to join' }).click()
  await fill({ 'E-mail address': email, Password: password }, 'Sign in')
  expect(await heading()).toBe('Join Second Workspace')
  await page.getByRole('button', { name: 'Join this workspace' }).click()
  await expectConsole()
  expect(faults()).toEqual([])
})

test('a link that opens no invitation says so, with the request id', async () => {
  const link = await invite('Third Workspace')
  const response = await page.goto(`${link.slice(0, -4)}0000`)
  expect([response?.status(), await heading()]).toEqual([404, 'This invitation is no longer valid'])
  expect(await page.locator('footer').textContent()).toContain(response?.headers()['x-request-id'])
})

test('a person changes the password, is asked for the present one, and signs in with the new one', async () => {
  const { email, password } = await rig.auth.makePerson()
  await signIn(email, password)
  await expectConsole()
  await page.getByRole('link', { name: 'Change your password' }).click()
  const fresh = { 'New password': 'three or four words', 'New password again': 'three or four words' }
  await fill({ 'Current password': 'something else', ...fresh }, 'Save new password')
  expect(await page.getByRole('alert').textContent()).toContain('not your current password')
  await fill({ 'Current password': password, ...fresh }, 'Save new password')
  expect(await heading()).toBe('You are signed in')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await fill({ 'E-mail address': email, Password: password }, 'Sign in')
  expect(await page.getByRole('alert').textContent()).toContain('do not match')
  await fill({ Password: 'three or four words' }, 'Sign in')
  await expectConsole()
  expect(faults()).toEqual([])
})

test('a forgotten password: the link of an owner gives a new one, once', async () => {
  const { workspaceId, browser: owner } = await rig.auth.ownedWorkspace()
  const { userId, email } = await rig.auth.makePerson()
  await rig.auth.join(workspaceId, userId, 'member')
  const { data } = (await owner.call('/v1/members')).json
  const member = data.find((one: { user: { id: string } }) => one.user.id === userId)
  const { link } = (await owner.write(`/v1/members/${member.id}/password-link`, { method: 'POST' })).json
  await page.goto(link)
  const fresh = { 'New password': 'a wholly new one', 'New password again': 'a wholly new one' }
  await fill(fresh, 'Save new password')
  await fill({ 'E-mail address': email, Password: 'a wholly new one' }, 'Sign in')
  await expectConsole()
  await page.goto(link)
  expect(await heading()).toBe('This link is no longer valid')
  expect(faults()).toEqual([])
})

test('U01: the pages of the account have no fault of accessibility, in both schemes', async () => {
  const link = await invite('Fourth Workspace')
  const { email, password } = await rig.auth.makePerson()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.close()
    visitor = await openVisitor(browser, { javaScriptEnabled: true, colorScheme })
    page = visitor.page
    await page.goto(link)
    expect(await accessibilityFaults(page)).toEqual([])
    await signIn(email, password)
    await expectConsole()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goto(`${rig.url}/password`)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(faults()).toEqual([])
  }
})
