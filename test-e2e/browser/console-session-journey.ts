// The session in the console: it begins behind the sign-in, ends by the menu or by itself, or is that of nobody's workspace. Each throws where
// something is not as it must be.
import { deepEqual, equal } from 'node:assert/strict'
import pg from 'pg'
import type { Visitor } from './chromium.ts'
import { type ConsoleRig, signIn } from './console-rig.ts'

/** A link opens behind the sign-in, sign-out ends the session, and the next sign-in opens the console. */
export async function signInAndOut(rig: ConsoleRig): Promise<void> {
  const visitor = await rig.openStranger()
  const { page, faults } = visitor
  await page.goto(rig.urlOf('webhooks?status=enabled'))
  await page.waitForURL(/\/sign-in\?/)
  await signIn(visitor, rig.at)
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  equal(page.url(), rig.urlOf('webhooks?status=enabled'))
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in$/)
  await page.goto(rig.urlOf('webhooks'))
  await page.waitForURL(/\/sign-in\?/)
  await page.goto(`${rig.at.base_url}/sign-in`)
  await signIn(visitor, rig.at)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.goto(`${rig.at.base_url}/sign-in`)
  await page.getByRole('link', { name: 'Go to your workspace' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // Being asked who one is, is a 401.
  deepEqual(
    faults.filter((fault) => !/status of 401/.test(fault)),
    [],
  )
  await visitor.close()
}

/**
 * What was typed stays while somebody whose session has ended signs in anew in another tab; and so does what takes a recent sign-in (decision
 * 95), which the dialog leads to.
 */
export async function endSession(rig: ConsoleRig): Promise<void> {
  const visitor = await rig.openStranger()
  const { page } = visitor
  await page.goto(rig.urlOf('webhooks/new'))
  await signIn(visitor, rig.at)
  await page.getByLabel('Endpoint URL').fill('https://example.com/typed')
  await page.getByLabel(/^sync\.\*/).check()
  await page.evaluate(`fetch('/v1/session').then((answer) => answer.json()).then(({ csrf_token }) =>
    fetch('/v1/session/end', { method: 'POST', headers: { 'X-CSRF-Token': csrf_token } }))`)
  // The other services hear of the end within two seconds; here they know it at once.
  const problem = { type: 'x', title: 'x', status: 401, detail: 'x', code: 'invalid_token' }
  const refusal = { status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) }
  await page.route('**/v1/webhooks', (route) => route.fulfill(refusal))
  await page.getByRole('button', { name: 'Create subscription' }).click()
  await page.getByText('Please sign in again').waitFor()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ])
  await signIn({ ...visitor, page: tab }, rig.at)
  await tab.waitForURL(/\/w\//)
  await page.getByRole('button', { name: 'I am signed in again' }).click()
  await page.getByText('Please sign in again').waitFor({ state: 'hidden' })
  equal(await page.getByLabel('Endpoint URL').inputValue(), 'https://example.com/typed')
  await tab.close()
  await inviteLongAfterSignIn(rig, visitor)
  await visitor.close()
}

async function inviteLongAfterSignIn(rig: ConsoleRig, visitor: Visitor): Promise<void> {
  const { page } = visitor
  await page.goto(rig.urlOf('members'))
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Typed before')
  await endRecentSignIn(rig)
  await page.keyboard.press('Enter')
  const signInLink = dialog.getByRole('link', { name: 'Sign in in a new tab' })
  const [tab] = await Promise.all([page.context().waitForEvent('page'), signInLink.click()])
  await signIn({ ...visitor, page: tab }, rig.at)
  await tab.waitForURL(/\/w\//)
  await tab.close()
  // As a browser tells a page to which somebody comes back.
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await page.getByText('Please sign in again').waitFor({ state: 'hidden' })
  equal(await dialog.getByRole('textbox', { name: 'Name' }).inputValue(), 'Typed before')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog', { name: 'The invitation' }).waitFor()
}

/** As if the newest session had been started longer ago than what counts as recent. */
async function endRecentSignIn({ databaseUrl }: ConsoleRig): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    const newest = 'select session_id from auth.sessions order by created desc limit 1'
    const earlier = `created - interval '11 minutes'`
    await admin.query(`update auth.sessions set created = ${earlier} where session_id = (${newest})`)
  } finally {
    await admin.end()
  }
}

/** Who is a member of no workspace any more has one way out: the account. */
export async function joinNoWorkspace(rig: ConsoleRig): Promise<void> {
  const { page, close } = await rig.openOwner()
  const problem = { type: 'x', title: 'Refused', status: 403, detail: 'No workspace.', code: 'role_not_allowed' }
  const refusal = { status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) }
  await page.route('**/v1/session', (route) => route.fulfill(refusal))
  await page.goto(rig.urlOf('stats'))
  await page.getByText('No workspace.').waitFor()
  equal(await page.getByRole('link', { name: 'Your account' }).getAttribute('href', { timeout: 1_000 }), '/sign-in')
  await close()
}
