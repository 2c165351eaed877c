// What people do with automation rules, by keyboard: save one, see what it would do, read what another one did, switch it, delete it.
import { seedRule } from './console-data-pages.ts'
import type { ConsoleRig } from './console-rig.ts'
import { choose, press, tabTo, type } from './keyboard.ts'

export interface RuleJourney {
  /** What the API holds of the rule that was typed. */
  saved: object
  /** Of the other one, while it was disabled, and then. */
  enabled: boolean[]
  /** Rules that are left. */
  left: string[]
  faults: string[]
}

/** Throws where a step does not come. */
export async function ruleByKeyboard(rig: ConsoleRig): Promise<RuleJourney> {
  const fired = await seedRule(rig)
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  const ruleOf = async (id: string) => (await rig.client(`/v1/automation-rules/${id}`)).body

  await page.goto(rig.urlOf('automation-rules'))
  await press(page, page.getByRole('link', { name: 'New rule' }))
  await page.getByRole('heading', { level: 1, name: 'New rule' }).waitFor()
  await type(page, page.getByLabel('Name'), 'Quiet campaigns')
  await press(page, page.getByRole('combobox', { name: 'Triggered by' }))
  await choose(page, page.getByRole('listbox', { name: 'Triggered by' }), 'an event')
  await page.getByRole('combobox', { name: 'Event type' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Save the rule' }))
  // Its condition has no value yet, and the event names no campaign.
  await page.getByRole('alert').first().waitFor()
  await page.getByText('This is needed.').waitFor()
  await type(page, page.getByLabel('Value 1'), '5')
  await page.getByText('This is needed.').waitFor({ state: 'hidden' })
  await press(page, page.getByRole('combobox', { name: 'Looks at' }))
  await choose(page, page.getByRole('listbox', { name: 'Looks at' }), 'each integration')
  await press(page, page.getByRole('button', { name: 'Save the rule' }))
  await page.getByRole('heading', { level: 1, name: 'Quiet campaigns' }).waitFor()
  const own = page.url().split('/').at(-1) as string
  await page.getByText('On sync.failed').waitFor()
  await page.getByText('It has not fired').waitFor()
  const { trigger, subject_type, conditions } = await ruleOf(own)
  await press(page, page.getByRole('button', { name: 'Delete the rule' }))
  const ending = page.getByRole('dialog')
  await type(page, ending.getByRole('textbox'), 'Quiet campaigns')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Automation rules' }).waitFor()

  await page.goto(rig.urlOf(`automation-rules/${fired}`))
  await page.getByRole('table', { name: 'Firings of the rule' }).getByText('Start a sync: failed').waitFor()
  await press(page, page.getByRole('button', { name: 'Look now' }))
  await page.getByRole('table', { name: 'Subjects that meet the conditions' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Disable' }))
  const asking = page.getByRole('dialog', { name: 'Disable the rule?' })
  await press(page, asking.getByRole('button', { name: 'Disable' }))
  await page.getByText('Somebody switched it off.').waitFor()
  const enabled = [(await ruleOf(fired)).enabled]
  await tabTo(page, page.getByRole('button', { name: 'Enable' }))
  await page.keyboard.press('Enter')
  await page.getByText('Somebody switched it off.').waitFor({ state: 'hidden' })
  enabled.push((await ruleOf(fired)).enabled)
  const { data } = (await rig.client('/v1/automation-rules')).body as { data: { name: string }[] }
  await visitor.close()
  // The refused form is the one answer that a console tells of.
  const others = faults.filter((fault) => !/status of 422/.test(fault))
  return { saved: { trigger, subject_type, conditions }, enabled, left: data.map(({ name }) => name), faults: others }
}
