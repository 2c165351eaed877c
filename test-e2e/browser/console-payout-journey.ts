// What people do with a sub-affiliate and its payouts, by keyboard: schedule one, hold it, release it, note it as paid. And what there is
// to look at: a sub-affiliate with a payout that is held and one that came back.
import type { Locator, Page } from 'playwright-core'
import { uploadStats } from '../harness/client.ts'
import { eventually } from '../harness/standalone.ts'
import type { ConsoleRig } from './console-rig.ts'
import { press, tabTo, type } from './keyboard.ts'

interface PayoutSeed {
  subAffiliate: string
  /** Id of the payout that is held. */
  held: string
  /** Id of a sub-affiliate who has not accepted yet, and of the plan with tiers by which it would earn. */
  invited: string
  tiered: string
}

const seeds = new WeakMap<ConsoleRig, Promise<PayoutSeed>>()

export function seedPayouts(rig: ConsoleRig): Promise<PayoutSeed> {
  const known = seeds.get(rig) ?? makePayouts(rig)
  seeds.set(rig, known)
  return known
}

const dayMs = 86_400_000
const laterDay = new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10)

async function makePayouts({ client }: ConsoleRig): Promise<PayoutSeed> {
  const post = async (path: string, json: object) => {
    const headers = { 'idempotency-key': `seed ${path} ${JSON.stringify(json)}`.slice(0, 255), 'if-match': '*' }
    const { status, body } = await client(path, { method: 'POST', json, headers })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const plan = await post('/v1/commission-plans', { name: 'Standard', type: 'revshare', revshare_bps: 3_000 })
  const who = {
    name: 'Mia Moreau',
    email: 'mia@example.com',
    payout_currency: 'EUR',
    external_id: 'mia',
    invite: false,
  }
  const { id: subAffiliate } = await post('/v1/sub-affiliates', { ...who, plan_id: plan.id })
  const tiers = [
    { from_ftds: 0, revshare_bps: 2_000 },
    { from_ftds: 10, revshare_bps: 3_000 },
    { from_ftds: 50, revshare_bps: 3_750 },
  ]
  const cap = { amount: 1_000_000, currency: 'EUR' }
  const growth = { name: 'Growth', type: 'tiered', tiers, cap, negative_carryover: true }
  const { id: tiered } = await post('/v1/commission-plans', growth)
  const guest = { name: 'Ivo Invited', email: 'ivo@example.com', payout_currency: 'EUR', plan_id: tiered }
  const { id: invited } = await post('/v1/sub-affiliates', guest)
  // In a month that is closed as soon as its only day is final.
  await post(`/v1/sub-affiliates/${subAffiliate}/adjustments`, {
    amount: 125_000,
    month: '2024-02',
    note: 'Opening balance',
  })
  const source = { name: 'Old numbers', provider: 'csv_upload', brand_slug: 'northern-bets' }
  const { id } = await post('/v1/integrations', source)
  await uploadStats(client, id, 'date,clicks\n2024-02-05,3\n')
  await eventually('the month is closed', async () => {
    const { body } = await client(`/v1/sub-affiliates/${subAffiliate}/balance`)
    return body.available === 125_000
  })
  const pay = (amount: number) =>
    post('/v1/payouts', { sub_affiliate_id: subAffiliate, amount, scheduled_for: laterDay }).then(
      (made) => made.id as string,
    )
  const back = await pay(25_000)
  await post(`/v1/payouts/${back}/mark-paid`, { reference: 'SEPA 17' })
  await post(`/v1/payouts/${back}/record-return`, {})
  const held = await pay(40_000)
  await post(`/v1/payouts/${held}/hold`, { reason: 'details_missing' })
  return { subAffiliate, held, invited, tiered }
}

export interface PayoutJourney {
  /** What the API says of the payout: when it is made, held, released, paid. */
  states: object[]
  /** What the page offers then. */
  offered: string[]
  /** What has the focus after the day was left fast. */
  afterDay: string
  faults: string[]
}

/** Throws where a step does not come. */
export async function payByKeyboard(rig: ConsoleRig): Promise<PayoutJourney> {
  const { subAffiliate } = await seedPayouts(rig)
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  await page.goto(rig.urlOf(`sub-affiliates/${subAffiliate}`))
  await press(page, page.getByRole('button', { name: 'Schedule payout' }))
  const scheduling = page.getByRole('dialog', { name: 'Schedule a payout' })
  const afterDay = await leaveDayFast(page, scheduling)
  await type(page, scheduling.getByLabel('Amount in EUR'), '12,50')
  await press(page, scheduling.getByRole('button', { name: 'Schedule payout' }))
  await scheduling.getByText('Write an amount such as 1250.00.').waitFor()
  await type(page, scheduling.getByLabel('Amount in EUR'), '12.50')
  await scheduling.getByLabel('On', { exact: true }).fill(laterDay)
  await press(page, scheduling.getByRole('button', { name: 'Schedule payout' }))
  await page.getByRole('heading', { level: 1, name: 'Payout of €12.50' }).waitFor()
  const id = page.url().split('/').at(-1)
  const states: object[] = []
  const note = async () => {
    const { status, amount, held, reference } = (await rig.client(`/v1/payouts/${id}`)).body
    states.push({ status, amount, held, reference })
  }
  /** `before`: what is chosen or typed in the dialog. */
  const act = async (name: string, title: string, before?: () => Promise<void>) => {
    await press(page, page.getByRole('button', { name, exact: true }))
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    await before?.()
    await press(page, dialog.getByRole('button', { name, exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await note()
  }
  await note()
  await act('Hold', 'Hold this payout?', async () => {
    await press(page, page.getByRole('radio', { name: 'A review for fraud' }), 'ArrowDown')
  })
  await page.getByText('It is held: details are missing.').waitFor()
  await act('Release', 'Release this payout?')
  await act('Mark as paid', 'Was it paid?', () => type(page, page.getByLabel('Reference'), 'SEPA 18'))
  await page.getByText('SEPA 18').waitFor()
  const offered = await page
    .getByRole('main')
    .getByRole('button', { name: /payout|paid|failed|return|Hold/ })
    .allInnerTexts()
  await visitor.close()
  return { states, offered, afterDay, faults }
}

/** What has the focus when a busy page comes round to its timers, once somebody left the day and went on to the button meanwhile. */
async function leaveDayFast(page: Page, scheduling: Locator): Promise<string> {
  await tabTo(page, scheduling.getByLabel('On', { exact: true }))
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page, whose types are not known here
  return scheduling.getByRole('button', { name: 'Schedule payout' }).evaluate(async (button: any) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const { KeyboardEvent, setTimeout } = globalThis as any
    const { ownerDocument: page } = button
    // In one turn, so that no timer runs between the two.
    page.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }))
    button.focus()
    // Timers run in the order in which they were set.
    await new Promise((resolve) => setTimeout(resolve))
    return page.activeElement.textContent
  })
}
