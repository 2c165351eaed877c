// The console as others see it: another role, another plan, another zone and language (ui.md U10, U17). What the session or
// the API says is changed on its way to the browser; that the API refuses as well is other tests' business.

import { deepEqual, equal } from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { requireAccessible } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { seedWebhooks } from './console-seed.ts'
import { seedAccess } from './console-settings-seed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Body = any

/** Lets the answer through, changed. */
export const changing = (change: (body: Body) => Body) => async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({ response, json: change(await response.json()) })
}

/** The session of somebody with another role, or of a workspace with another plan. */
async function lookAs(page: Page, { role, plan }: { role?: string; plan?: string }): Promise<void> {
  const change = (session: Body) => ({
    ...session,
    role: role ?? session.role,
    workspace: { ...session.workspace, plan: plan ?? session.workspace.plan },
  })
  await page.route('**/v1/session', changing(change))
}

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Pages that every role sees, as the navigation names them. */
export const seenByAll = [
  'Overview',
  'Stats',
  'Campaigns',
  'Integrations',
  'Syncs',
  'Imports',
  'Exports',
  'Anomalies',
  'Automation rules',
  'Invoices',
  'Sub-affiliates',
  'Commission plans',
  'Payouts',
  'Event catalog',
  'Connected apps',
]

/** Navigation, actions and pages of viewers and members. */
export async function lookAsRoles(rig: ConsoleRig): Promise<void> {
  for (const role of ['viewer', 'member'] as const) {
    const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
    await lookAs(page, { role })
    await page.goto(rig.urlOf('integrations'))
    await page.getByRole('link', { name: 'Sample upload' }).waitFor()
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    deepEqual(await links.allTextContents(), seenByAll)
    const canWrite = role === 'member' ? 1 : 0
    equal(await page.getByRole('link', { name: 'Add integration' }).count(), canWrite)
    // By a link from elsewhere.
    await page.goto(rig.urlOf('integrations/new'))
    await heading(page, role === 'viewer' ? 'Your role cannot open this page' : 'Add integration')
    await page.goto(rig.urlOf('integrations'))
    await page.getByRole('link', { name: 'Sample upload' }).click()
    await page.getByText('Facts').waitFor()
    equal(await page.getByRole('button', { name: 'Upload', exact: true }).count(), canWrite)
    equal(await page.getByRole('button', { name: 'Pause' }).count(), canWrite)
    await page.getByRole('link', { name: 'Settings' }).click()
    if (role === 'viewer') await page.getByText('Your role may look at it, but not change it.').waitFor()
    else await page.getByRole('button', { name: 'Delete integration' }).waitFor()
    await requireAccessible(page)
    await page.goto(rig.urlOf(''))
    await heading(page, 'Overview')
    equal(await page.getByText('Dead letters of the last 7 days').count(), 0)
    // Each page that is closed to a role is asked for with that role's own session (compareRolesWithApi).
    await page.goto(rig.urlOf('members'))
    await heading(page, 'Your role cannot open this page')
    await requireAccessible(page)
    deepEqual(faults, [])
    await close()
  }
}

/** Below the business plan apps can be seen and ended, not made or changed; each button says why. */
export async function lookFromFreePlan(rig: ConsoleRig): Promise<void> {
  const { app } = await seedAccess(rig)
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await lookAs(page, { plan: 'free' })
  const reason = 'The business plan opens this.'
  const isGated = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true })
    await button.waitFor()
    deepEqual([await button.getAttribute('aria-disabled'), await button.getAttribute('title')], ['true', reason])
    // It stays reachable, so that the reason can be read by keyboard, and does nothing.
    await button.focus()
    await page.keyboard.press('Enter')
    equal(await page.getByRole('dialog').count(), 0)
  }
  await page.goto(rig.urlOf('oauth-apps'))
  await page.getByText('Apps need the business plan').waitFor()
  await requireAccessible(page)
  await page.goto(rig.urlOf(`oauth-apps/${app}`))
  await isGated('New secret')
  await isGated('Save')
  await page
    .getByRole('button', { name: /^End now: secret/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'End this secret now?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete the app' }).click()
  await page.getByRole('dialog').getByText('Nobody has allowed it.').waitFor()
  await requireAccessible(page)
  deepEqual(faults, [])
  await close()
}

/** U17: the chart's table holds the API's numbers, and days and times are right wherever the reader is. */
export async function lookFromPlaces(rig: ConsoleRig): Promise<void> {
  const { failing } = await seedWebhooks(rig)
  const [to, from] = [0, 29].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  const { body } = await rig.client(`/v1/stats?from=${from}&to=${to}&group_by=day&metrics=clicks&limit=1000`)
  const english = new Intl.NumberFormat('en')
  const expected = (body.data as { day: string; clicks: number }[]).map(({ day, clicks }) => [
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day)),
    english.format(clicks),
  ])
  equal(expected.length > 20, true)
  const places = [
    { locale: 'en-US', timezoneId: 'America/New_York', noon: '2026-11-20T07:00', clock: '20 Nov 2026, 07:00:00 GMT-5' },
    { locale: 'de-DE', timezoneId: 'Europe/Berlin', noon: '2026-11-20T13:00', clock: '20 Nov 2026, 13:00:00 CET' },
    { locale: 'ar-EG', timezoneId: 'Europe/Berlin', noon: '2026-11-20T13:00', clock: '20 Nov 2026, 13:00:00 CET' },
  ]
  for (const { noon, clock, ...place } of places) {
    const { page, faults, close } = await rig.openOwner({ ...place, reducedMotion: 'reduce' })
    await page.goto(rig.urlOf(''))
    await page.getByRole('button', { name: 'Show as a table' }).click()
    const rows = page.getByRole('region', { name: 'Numbers' }).getByRole('row')
    await rows.nth(20).waitFor()
    const shown: string[][] = []
    for (const row of (await rows.all()).slice(1)) shown.push(await row.locator('th, td').allTextContents())
    const filled = new Map(shown.map(([day = '', count = '']) => [day, count]))
    deepEqual(
      expected.map(([day = '']) => [day, filled.get(day)]),
      expected,
    )
    await page.goto(rig.urlOf(`webhooks/${failing}/history?since=2026-11-20T12%3A00%3A00Z`))
    const chip = page.getByRole('button', { name: `Remove the filter from: ${clock}` })
    await chip.waitFor()
    equal(await page.getByLabel('From', { exact: true }).inputValue(), noon)
    deepEqual(faults, [])
    await close()
  }
}
