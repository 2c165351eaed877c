// What people do on the pages about access, people and runs, by keyboard alone (ui.md U03). Each throws where a step does not come; on the
// way each dialog that opens is judged in both schemes (U01).
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import { accessibilityFaults, type Visitor } from './chromium.ts'
import type { ConsoleRig } from './console-rig.ts'
import { seedAccess } from './console-settings-seed.ts'
import { press, tabTo, type } from './keyboard.ts'
import { makeLogo } from './logo.ts'

/** Axe finds nothing in light and dark; the page is left in light. */
export async function requireAccessible(page: Page): Promise<void> {
  // The library names a dialog one rendering after it shows it.
  await page.locator('[role=dialog]:not([aria-labelledby], [aria-label])').first().waitFor({ state: 'detached' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  const light = await accessibilityFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  const dark = await accessibilityFaults(page, 'colours')
  await page.emulateMedia({ colorScheme: 'light' })
  deepEqual({ light, dark }, { light: [], dark: [] })
}

const dialogOf = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name })
const closed = (page: Page) => dialogOf(page).waitFor({ state: 'hidden' })

/** Stores what is shown once; gives it. */
export async function storeSecret(page: Page, dialog: string, what: string): Promise<string> {
  const shown = dialogOf(page, dialog)
  await press(page, shown.getByRole('button', { name: 'Show' }), 'Space')
  const secret = (await shown.getByLabel(what, { exact: true }).textContent()) ?? ''
  await requireAccessible(page)
  await press(page, shown.getByRole('checkbox', { name: 'I have stored it' }), 'Space')
  await press(page, shown.getByRole('button', { name: 'Done' }))
  await closed(page)
  return secret
}

/** Writes past the page, as somebody else would. */
async function writeBeside(page: Page, method: 'PATCH' | 'POST', path: string, data: object): Promise<void> {
  const { csrf_token: csrf } = await (await page.request.get(new URL('/v1/session', page.url()).href)).json()
  const headers = { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.fetch(new URL(path, page.url()).href, { method, data, headers })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
}

/** An app's secrets, fields, logo and publication; a save over what somebody else saved meanwhile. */
export async function walkAppByKeyboard(rig: ConsoleRig): Promise<void> {
  const { app } = await seedAccess(rig)
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf(`oauth-apps/${app}`))
  const newSecret = page.getByRole('button', { name: 'New secret' })
  await press(page, newSecret)
  const ask = dialogOf(page, 'New secret')
  await ask.waitFor()
  await requireAccessible(page)
  await press(page, ask.getByRole('button', { name: 'New secret' }))
  match(await storeSecret(page, 'The new client secret', 'client secret'), /^wds_\w{40,}/)
  await eventually('the focus is back', () => newSecret.evaluate((it) => it === it.ownerDocument.activeElement))
  await press(page, page.getByRole('button', { name: 'End now: secret 1' }))
  await press(page, dialogOf(page).getByRole('button', { name: 'End now' }))
  await closed(page)
  await page.getByRole('button', { name: 'End now: secret 2' }).waitFor({ state: 'hidden' })

  // The name is typed while somebody else saves another one.
  const name = page.getByRole('textbox', { name: 'Name' })
  await type(page, name, 'Ledgerline Two')
  await writeBeside(page, 'PATCH', `/v1/oauth-apps/${app}`, { name: 'Ledgerline by Ada' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await press(page, save)
  const conflict = page.getByRole('alert')
  await conflict.getByRole('row', { name: 'name Ledgerline Two Ledgerline by Ada' }).waitFor()
  await requireAccessible(page)
  equal(await name.inputValue(), 'Ledgerline Two')
  await press(page, conflict.getByRole('button', { name: 'Save yours over it' }))
  await page.getByRole('heading', { level: 1, name: 'Ledgerline Two' }).waitFor()

  await type(page, page.getByRole('textbox', { name: 'Redirect URL 1' }), 'https://app.example/callback')
  await type(page, name, 'Ledgerline')
  await press(page, name)
  await page.getByRole('heading', { level: 1, name: 'Ledgerline', exact: true }).waitFor()
  await press(page, page.getByRole('button', { name: 'Publish' }))
  await press(page, dialogOf(page).getByRole('button', { name: 'Publish' }))
  await page.getByText('live', { exact: true }).waitFor()

  // A file is chosen by the system's own dialog, which the button opens.
  const choosing = page.waitForEvent('filechooser')
  await press(page, page.getByRole('button', { name: 'Choose a file' }))
  await (await choosing).setFiles({ name: 'new.png', mimeType: 'image/png', buffer: makeLogo() })
  const before = await page.getByRole('main').locator('img').first().getAttribute('src')
  await press(page, page.getByRole('button', { name: 'Save the logo' }))
  await page.getByRole('button', { name: 'Save the logo' }).waitFor({ state: 'hidden' })
  equal(typeof before, 'string')
  deepEqual(withoutStatus(faults, 412), [])
  await close()
}

/** What a browser's console tells of each answer of that status. */
function withoutStatus(faults: readonly string[], ...status: number[]): string[] {
  return faults.filter((fault) => !status.some((code) => fault.includes(`status of ${code}`)))
}

async function join(rig: ConsoleRig, link: string): Promise<Visitor> {
  const visitor = await rig.openStranger()
  const { page } = visitor
  await page.goto(link)
  const password = 'compilers are for people'
  const fields = {
    'Your name': 'Grace Hopper',
    'E-mail address': 'grace@example.test',
    'New password': password,
    'New password again': password,
  }
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return visitor
}

/** The guest makes a key, as an admin for that long. */
async function makeKeyAs(guest: Page, owner: Page, name: string): Promise<void> {
  const { user } = await (await guest.request.get(new URL('/v1/session', guest.url()).href)).json()
  const member = `/v1/members/${user.id.replace('usr_', 'mbr_')}`
  await writeBeside(owner, 'PATCH', member, { role: 'admin' })
  await writeBeside(guest, 'POST', '/v1/api-keys', { name, scopes: ['stats:read'], expires_in_days: 30 })
  await writeBeside(owner, 'PATCH', member, { role: 'member' })
}

/** Somebody is invited, joins, makes a key, gets another role, and is removed with the key; another invitation is ended. */
export async function walkMembersByKeyboard(rig: ConsoleRig): Promise<void> {
  await seedAccess(rig)
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf('members'))
  await press(page, page.getByRole('button', { name: 'Invite' }))
  const dialog = dialogOf(page, 'Invite somebody')
  await type(page, dialog.getByRole('textbox', { name: 'Name' }), 'Grace Hopper')
  await requireAccessible(page)
  await page.keyboard.press('Enter')
  const link = await storeSecret(page, 'The invitation', 'invitation link')
  const guest = await join(rig, link)
  await makeKeyAs(guest.page, page, 'Key of Grace')
  await guest.close()
  await page.reload()
  await press(page, page.getByRole('button', { name: 'Change role of Grace Hopper' }))
  const role = dialogOf(page, 'The role of Grace Hopper')
  await tabTo(page, role.getByRole('radio', { name: 'member' }))
  await page.keyboard.press('ArrowDown')
  await role.getByText('At once, and it does not come back with a later promotion:').waitFor()
  await requireAccessible(page)
  await page.keyboard.press('Enter')
  await closed(page)
  await page.getByRole('row', { name: /Grace Hopper.*viewer/ }).waitFor()
  await press(page, page.getByRole('button', { name: 'Remove Grace Hopper' }))
  const removal = dialogOf(page, 'Remove Grace Hopper?')
  await type(page, removal.getByRole('textbox'), 'Grace')
  await page.keyboard.press('Enter')
  await removal.getByText('This is not Grace Hopper.').waitFor()
  await requireAccessible(page)
  await removal.getByText('1 API key that the person made stays.').waitFor()
  await press(page, removal.getByRole('checkbox', { name: 'Key of Grace' }), 'Space')
  await type(page, removal.getByRole('textbox'), 'Grace Hopper')
  await page.keyboard.press('Enter')
  await closed(page)
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'hidden' })
  const { data } = await (await page.request.get(new URL('/v1/api-keys', page.url()).href)).json()
  equal(data.find(({ name }: { name: string }) => name === 'Key of Grace')?.status, 'revoked')
  await press(page, page.getByRole('button', { name: 'End the invitation for Ada Example' }))
  await page.getByText('None is open.').waitFor()
  deepEqual(faults, [])
  await close()
}

/** The strict switch, on and off. */
export async function walkStrictByKeyboard(rig: ConsoleRig): Promise<void> {
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf('settings'))
  for (const [act, state] of [
    ['Turn on', 'It is on.'],
    ['Turn off', 'It is off.'],
  ] as const) {
    await press(page, page.getByRole('button', { name: act }))
    await dialogOf(page).waitFor()
    await requireAccessible(page)
    await press(page, dialogOf(page).getByRole('button', { name: act }))
    await closed(page)
    await page.getByText(state).waitFor()
  }
  deepEqual(faults, [])
  await close()
}

/** A period is fetched again from a source that does not answer; the run is canceled, the integration deleted by its hostile name. */
export async function walkRunsByKeyboard(rig: ConsoleRig): Promise<void> {
  const hostile = `<img src=x onerror="document.title='hit'"> & Söhne`
  const failures = { every_runs: 1, attempts: 9, code: 'timeout' }
  const json = { name: hostile, provider: 'demo', brand_slug: 'slow', schedule: null, settings: { failures } }
  const made = await rig.client('/v1/integrations', { json })
  equal(made.status, 201)
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf(`integrations/${made.body.id}`))
  await press(page, page.getByRole('button', { name: 'Backfill' }))
  const dialog = dialogOf(page, 'Fetch a period again')
  // The segments of a date are typed one by one, in the order of this browser: month, day, year.
  await tabTo(page, dialog.getByLabel('From'))
  await page.keyboard.type('11012026')
  await tabTo(page, dialog.getByLabel('To'))
  await page.keyboard.type('11032026')
  await requireAccessible(page)
  await press(page, dialog.getByRole('button', { name: 'Start backfill' }))
  await closed(page)
  await press(page, page.getByRole('link', { name: 'Run 1' }))
  const drawer = dialogOf(page, 'Run')
  await press(page, drawer.getByRole('button', { name: 'Cancel run' }))
  const question = dialogOf(page, 'Cancel Run 1')
  await question.waitFor()
  await requireAccessible(page)
  await press(page, question.getByRole('button', { name: 'Cancel run' }))
  await drawer.getByText('canceled', { exact: true }).first().waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  await page.goto(rig.urlOf(`integrations/${made.body.id}/settings`))
  await press(page, page.getByRole('button', { name: 'Delete integration' }))
  const end = dialogOf(page, `Delete ${hostile}?`)
  await end.getByText('no run is open').waitFor()
  await type(page, end.getByRole('textbox'), hostile)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
  equal((await rig.client(`/v1/integrations/${made.body.id}`)).status, 404)
  deepEqual([await page.locator('img').count(), (await page.title()).includes('hit')], [0, false])
  deepEqual(faults, [])
  await close()
}
