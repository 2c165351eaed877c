// What holds on every page of the console (ui.md U01, U02, U04): no fault that axe finds, none that the browser tells, no sideways scrolling.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { accessibilityFaults, type Visitor } from './chromium.ts'
import { goOffline, meetBadDays, meetTenThousandDeadLetters } from './console-bad-days.ts'
import { campaignByKeyboard } from './console-campaign-journey.ts'
import {
  exportStatsByKeyboard,
  groupStatsByKeyboard,
  uploadByKeyboard,
  walkAnomalyByKeyboard,
} from './console-data-journeys.ts'
import { cancelByKeyboard, exportsByKeyboard, ratesByKeyboard } from './console-file-journeys.ts'
import { invoiceByKeyboard } from './console-invoice-journey.ts'
import {
  walkAppByKeyboard,
  walkMembersByKeyboard,
  walkRunsByKeyboard,
  walkStrictByKeyboard,
} from './console-journeys.ts'
import { walkOAuthJourney } from './console-oauth-journey.ts'
import { consolePages } from './console-page-list.ts'
import { payByKeyboard } from './console-payout-journey.ts'
import { comparePlansWithApi, compareRolesWithApi } from './console-people-journeys.ts'
import { connectNetworkByKeyboard } from './console-postback-journey.ts'
import { type ConsoleRig, startConsoleRig } from './console-rig.ts'
import { ruleByKeyboard } from './console-rule-journey.ts'
import { endSession, joinNoWorkspace, signInAndOut } from './console-session-journey.ts'
import { subAffiliateByKeyboard } from './console-sub-affiliate-journey.ts'
import { switchBesideAnotherTab } from './console-switch-journey.ts'
import { lookAsRoles, lookFromFreePlan, lookFromPlaces } from './console-views.ts'

/** Folder for pictures of every page; none are made without it. */
const pictures = process.env.WDS_TEST_SHOTS

let rig: ConsoleRig
/** Looks at every page. */
let owner: Visitor

beforeAll(async () => {
  // An anomaly is found once its day is final, or restated.
  rig = await startConsoleRig({ WDS_STATS_BACKFILL_REST: '1s', WDS_STATS_RESTATE_WAIT: '1s' })
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  owner = await rig.openOwner({ colorScheme: 'light', reducedMotion: 'reduce' })
})
afterAll(async () => {
  await owner?.close()
  await rig?.stop()
})

test.each(consolePages)(
  'U01, U02, U04: $name, in light, in dark, and (regression) in a narrow window',
  async ({ name, path, heading }) => {
    const { page, faults } = owner
    faults.length = 0
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(rig.urlOf(typeof path === 'string' ? path : await path(rig)))
    const place = heading === null ? page.getByRole('dialog') : page.getByRole('heading', { level: 1, name: heading })
    await place.waitFor()
    await page.waitForLoadState('networkidle')
    const light = await accessibilityFaults(page)
    await takePictures(page, `${name}-light`)
    // The page takes the other scheme as it stands, as with a person whose system turns dark.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    const dark = await accessibilityFaults(page, 'colours')
    await takePictures(page, `${name}-dark`)
    await page.setViewportSize({ width: 320, height: 700 })
    const overflow = await settledOverflow(page)
    const narrow = await accessibilityFaults(page, 'width')
    const found = { light, dark, narrow, faults, overflow }
    expect(found).toEqual({ light: [], dark: [], narrow: [], faults: [], overflow: 0 })
  },
)

async function takePictures(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: true })
  }
}

/** How far the page scrolls sideways, in pixels, once it has taken its new width. */
async function settledOverflow(page: Page): Promise<number> {
  const root = page.locator('html')
  const overflow = () => root.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  for (let look = 0; look < 20 && (await overflow()) > 0; look += 1) await page.waitForTimeout(50)
  return overflow()
}

test('U03: by keyboard an integration is added and a file uploaded; its rows and its rejected line are shown', async () => {
  expect(await uploadByKeyboard(rig)).toEqual({
    hasFocus: true,
    kept: 'Files by keyboard',
    isMarked: true,
    endedAt: rig.urlOf('syncs'),
    faults: [],
  })
})

test('U03: by keyboard the numbers are grouped by brand; a row holds the numbers of the API; regression: rows of the grouping before keep their heading', async () => {
  const { endedAt, whileLoading, clicks, faults } = await groupStatsByKeyboard(rig)
  expect([endedAt, whileLoading, faults]).toEqual([rig.urlOf('stats?group=brand'), 'Day', []])
  expect(clicks.shown).toBe(clicks.ofApi)
})

test('U03: by keyboard the numbers are exported; the file that is saved holds the rows of the API', async () => {
  const { said, fileName, lines, ofApi, isBack, faults } = await exportStatsByKeyboard(rig)
  expect([isBack, faults]).toEqual([true, []])
  expect(said).toMatch(/^The file is ready: \d+ rows?, \d+ B\.$/)
  expect(fileName).toMatch(/^stats-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  expect(lines[0]).toMatch(/^brand_slug,currency,clicks,signups,/)
  expect(lines).toHaveLength(ofApi.length + 2)
  for (const [index, row] of ofApi.entries()) expect(lines[index + 1]?.startsWith(row)).toBe(true)
})

test('U03: by keyboard a rule is saved and deleted; of another one the firings are read, and it is switched off and on', async () => {
  expect(await ruleByKeyboard(rig)).toEqual({
    saved: {
      trigger: { type: 'event', event_type: 'sync.failed' },
      subject_type: 'integration',
      conditions: [{ metric: 'clicks', op: 'gte', value: 5, currency: null }],
    },
    enabled: [false, true],
    left: ['Sync what has clicks'],
    faults: [],
  })
})

test('U03: by keyboard an anomaly is taken on with a note and dismissed for a reason', async () => {
  expect(await walkAnomalyByKeyboard(rig)).toEqual({
    states: [
      { status: 'acknowledged', note: 'I ask them', reason: null },
      { status: 'dismissed', note: 'I ask them', reason: 'data_error' },
    ],
    buttons: 0,
    faults: [],
  })
})

test('U03: by keyboard the issuer is named, an invoice is drafted and ended, the rest of one is paid, and its PDF fetched', async () => {
  const period = { from: '2020-03-01', to: '2020-03-31' }
  expect(await invoiceByKeyboard(rig)).toEqual({
    issuers: [null, expect.objectContaining({ legal_name: 'Affiliates GmbH', iban: 'DE89370400440532013000' })],
    ended: { status: 'void', period },
    paid: { status: 'paid', amount_due: 0, last: { amount: 100_000, method: 'bank', reference: 'rest' } },
    file: { name: 'invoice-NUMBER.pdf', begins: '%PDF-' },
    faults: [],
  })
})

test('U01, U03: by keyboard a campaign that a source made is found from its numbers, changed, paused, archived, and listed by its tag', async () => {
  const made = { name: 'kb-26', tags: [], tracking_url: null, countries: [] }
  const changed = {
    name: 'By keyboard',
    tags: ['typed'],
    tracking_url: 'https://go.example/kb?s={sub_id}',
    countries: ['DE', 'AT'],
  }
  expect(await campaignByKeyboard(rig)).toEqual({
    saved: [made, changed],
    states: ['paused', 'active', 'archived'],
    found: ['By keyboard'],
    buttons: 0,
    faults: [],
  })
})

test('U03: by keyboard a payout is scheduled (regression: a fast Tab out of its day is not taken back), held for a reason, released, and noted as paid', async () => {
  const made = { status: 'scheduled', amount: 1_250, held: null, reference: null }
  expect(await payByKeyboard(rig)).toEqual({
    states: [
      made,
      { ...made, held: { by_rule_id: null, reason: 'details_missing' } },
      made,
      { ...made, status: 'paid', reference: 'SEPA 18' },
    ],
    offered: ['Record return'],
    afterDay: 'Schedule payout',
    faults: [],
  })
})

test('U01, U03: by keyboard a plan is made and a sub-affiliate invited by it, given another plan and an adjustment; the invitation is withdrawn', async () => {
  const tiers = [
    { from_ftds: 0, revshare_bps: 1_250 },
    { from_ftds: 20, revshare_bps: 2_500 },
  ]
  const plans = [
    { name: 'By tiers', from: '2030-01-01' },
    { name: 'Flat amount', from: '2030-02-01' },
  ]
  expect(await subAffiliateByKeyboard(rig)).toEqual({
    plan: { type: 'tiered', base: 'commission', tiers },
    link: expect.stringMatching(/^http.*\/v1\/sub-affiliate-invitations\/$/),
    subAffiliate: { status: 'removed', plans, pending: 0 },
    note: 'by phone',
    offered: [],
    faults: [],
  })
})

test('U01, U03: by keyboard exchange rates are uploaded, their rejected line is shown and saved, and a cancel that comes too late is refused', async () => {
  const { saved, ofApi, ...rest } = await ratesByKeyboard(rig)
  expect(rest).toEqual({
    made: { type: 'fx_rates', source: 'kb-bank', accepted: 1, rejected: 1 },
    shown: ['3'],
    refusal: 'About the error invalid_state',
    faults: [],
  })
  expect(ofApi).toMatchObject({ line: 3 })
  expect(JSON.parse(saved)).toEqual(ofApi)
})

test('U03: by keyboard a file that waits is canceled', async () =>
  expect(await cancelByKeyboard(rig)).toEqual({ made: { status: 'canceled', accepted: 0 }, buttons: 0, faults: [] }))

test('U01, U03: by keyboard a list is exported, and its file fetched and deleted', async () => {
  const { saved, ofApi, ...rest } = await exportsByKeyboard(rig)
  const fileName = expect.stringMatching(/^campaigns-\d{4}-\d\d-\d\d\.csv$/)
  expect(rest).toEqual({ fileName, status: 404, faults: [] })
  expect(saved).toMatch(/^id,name,status,/)
  expect(saved).toBe(ofApi)
})

test('regression: a click beside a dialog leaves it open, with what was typed in it', async () => {
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf('members'))
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByLabel('Name').fill('Half typed')
  await page.mouse.click(5, 5)
  // A dialog that closes gives the focus back to the page.
  await page.keyboard.press('Tab')
  expect(await dialog.count()).toBe(1)
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Half typed')
  expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true)
  expect(faults).toEqual([])
  await close()
})

describe('signing in and out', () => {
  test('a link opens behind the sign-in, and sign-out ends the session; regression: the next sign-in opens the console', () =>
    signInAndOut(rig))

  test('an address without a workspace opens in the current one', async () => {
    const visitor = await rig.openOwner()
    await visitor.page.goto(`${rig.at.base_url}/webhooks?status=enabled`)
    await visitor.page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    expect(visitor.page.url()).toBe(rig.urlOf('webhooks?status=enabled'))
    expect(visitor.faults).toEqual([])
    await visitor.close()
  })
})

test('U01, U03, U12: by keyboard an app gets a secret, loses one, is saved over another version, published, and gets a logo', () =>
  walkAppByKeyboard(rig))

test('U01, U03, U12: by keyboard somebody is invited, joins, gets another role and is removed; an invitation is ended', () =>
  walkMembersByKeyboard(rig))

test('U01, U03, U15: by keyboard a period is fetched again, its run canceled, and an integration deleted by its hostile name', () =>
  walkRunsByKeyboard(rig))

test('U01, U03, U12: by keyboard a network is connected and its address rotated; both addresses take a conversion', () =>
  connectNetworkByKeyboard(rig))

test('U01, U03: by keyboard strict event scopes are turned on and off', () => walkStrictByKeyboard(rig))

test('U01, U10: viewers and members see their pages and actions, and why they cannot open the others', () =>
  lookAsRoles(rig))

test('U01, U10: below the business plan apps can be seen and ended, and each other button says why not', () =>
  lookFromFreePlan(rig))

test('U17: the table of the chart holds the numbers of the API, and times are those of the reader, in three locales and two time zones', () =>
  lookFromPlaces(rig))

test('U05, U12: an app is registered, authorised through the built URL, reads stats, and is refused once its grant is ended', () =>
  walkOAuthJourney(rig))

test('U10: what the pages hide from a role, the API refuses, row by row of the role table', () =>
  compareRolesWithApi(rig))

test('U10: below the business plan no app is registered, in the page or by the API', () => comparePlansWithApi(rig))

test('U14: a tab of the former workspace writes nothing into the one that another tab has switched to', () =>
  switchBesideAnotherTab(rig))

describe('bad days', () => {
  test('U11: 429 and an API that is away keep what was typed; a slow answer has its place; a broken answer stays on its page', () =>
    meetBadDays(rig))

  test('U01: of 10,000 dead letters the number is typed before all are sent again', () =>
    meetTenThousandDeadLetters(rig))

  test('U11: a session that ends keeps what was typed, and goes on behind a new sign-in', () => endSession(rig))

  test('regression: who is a member of no workspace any more is led to the account, whose page signs out', () =>
    joinNoWorkspace(rig))

  test('U11: offline is told, and an API that is away is a note on the page alone, which can be tried again', () =>
    goOffline(rig))
})
