// What people do with sub-affiliates, by keyboard: a plan with tiers is made, somebody is invited by it, gets another plan from a day on and an
// adjustment, and the invitation is withdrawn.
import { requireAccessible } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { choose, press, type } from './keyboard.ts'

export interface SubAffiliateJourney {
  /** The terms of the plan, as the API has them. */
  plan: object
  /** How the invitation's link begins. */
  link: string
  /** What the API says of the sub-affiliate in the end. */
  subAffiliate: { status: string; plans: { name: string; from: string }[]; pending: number }
  note: string | null
  /** Buttons that are left on its page. */
  offered: string[]
  faults: string[]
}

/** Far enough away that no day of it is counted. */
const firstDay = '2030-01-01'

/** Throws where a step does not come. */
export async function subAffiliateByKeyboard(rig: ConsoleRig): Promise<SubAffiliateJourney> {
  // The plan that is changed to.
  const json = { name: 'Flat amount', type: 'cpa', cpa: { amount: 5_000, currency: 'EUR' } }
  await rig.client('/v1/commission-plans', { json })
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  const main = page.getByRole('main')

  await page.goto(rig.urlOf('commission-plans'))
  await press(page, main.getByRole('link', { name: 'New plan' }).first())
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'By tiers')
  await press(page, page.getByRole('radio', { name: 'Revenue share', exact: true }), 'ArrowDown')
  await press(page, page.getByRole('radio', { name: 'CPA and revenue share' }), 'ArrowDown')
  await page.getByLabel('From FTDs 1').waitFor()
  await type(page, page.getByLabel('Share in % 1'), '12,5')
  await press(page, page.getByRole('button', { name: 'Make the plan' }))
  await page.getByText('Each tier needs a whole number').waitFor()
  await type(page, page.getByLabel('Share in % 1'), '12.5')
  await press(page, page.getByRole('button', { name: 'Add tier' }))
  await type(page, page.getByLabel('From FTDs 2'), '20')
  await type(page, page.getByLabel('Share in % 2'), '25')
  await press(page, page.getByRole('button', { name: 'Make the plan' }))
  await page.getByRole('heading', { level: 1, name: 'By tiers' }).waitFor()
  const planId = page.url().split('/').at(-1)
  const { type: kind, base, tiers } = (await rig.client(`/v1/commission-plans/${planId}`)).body

  await page.goto(rig.urlOf('sub-affiliates'))
  await press(page, main.getByRole('link', { name: 'Invite sub-affiliate' }).first())
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'Kim Keyboard')
  await press(page, page.getByRole('button', { name: 'Invite', exact: true }))
  await page.getByText('It is needed.').waitFor()
  await type(page, page.getByRole('textbox', { name: 'E-mail' }), 'kim@example.com')
  await page.getByLabel('Earns by it from').fill(firstDay)
  await press(page, page.getByRole('button', { name: 'Invite', exact: true }))
  const once = page.getByRole('dialog', { name: 'The link of the invitation' })
  await press(page, once.getByRole('button', { name: 'Show' }))
  await requireAccessible(page)
  const link = (await once.getByLabel('invitation link', { exact: true }).textContent()) ?? ''
  await press(page, once.getByRole('checkbox', { name: 'I have stored it' }), 'Space')
  await press(page, once.getByRole('button', { name: 'Done' }))
  await page.getByRole('heading', { level: 1, name: 'Kim Keyboard' }).waitFor()
  const id = page.url().split('/').at(-1)

  const act = async (name: string, title: string, before?: () => Promise<void>) => {
    await press(page, main.getByRole('button', { name, exact: true }))
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    await before?.()
    await requireAccessible(page)
    await press(page, dialog.getByRole('button', { name, exact: true }))
    await dialog.waitFor({ state: 'hidden' })
  }
  await act('Change plan', 'Change the plan', async () => {
    await press(page, page.getByRole('combobox', { name: 'Commission plan' }), 'ArrowDown')
    await choose(page, page.getByRole('listbox'), 'Flat amount')
    await page.getByLabel('Earns by it from').fill('2030-02-01')
  })
  await act('Adjust balance', 'Adjust the balance', async () => {
    await type(page, page.getByLabel('Amount in EUR'), '-12.50')
    await type(page, page.getByRole('textbox', { name: 'Note' }), 'by phone')
  })
  await page.getByRole('rowheader', { name: 'Adjustment: by phone' }).waitFor()
  await act('Withdraw invitation', 'Withdraw the invitation?', async () => {
    await press(page, page.getByRole('checkbox', { name: 'Write off its balance of -€12.50' }), 'Space')
  })
  await page.getByRole('main').getByText('removed', { exact: true }).waitFor()

  const { body } = await rig.client(`/v1/sub-affiliates/${id}`)
  const { body: ledger } = await rig.client(`/v1/sub-affiliates/${id}/ledger`)
  const plans: SubAffiliateJourney['subAffiliate']['plans'] = []
  for (const { plan_id, effective_from: from } of body.plan_history)
    plans.push({ name: (await rig.client(`/v1/commission-plans/${plan_id}`)).body.name, from })
  const offered = await main.getByRole('button', { name: /plan|balance|payout|Invite|Withdraw|Remove/ }).allInnerTexts()
  await visitor.close()
  return {
    plan: { type: kind, base, tiers },
    link: link.replace(/[^/]+$/, ''),
    offered,
    faults,
    subAffiliate: { status: body.status, plans, pending: body.balance.pending },
    note: ledger.data.at(-1)?.note ?? null,
  }
}
