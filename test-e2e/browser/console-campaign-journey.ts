// What people do with a campaign that a source made, by keyboard: find it from its numbers, name and tag it, make a link of it, merge another into it, pause it, archive it.
import { uploadStats } from '../harness/client.ts'
import { eventually } from '../harness/standalone.ts'
import { requireAccessible } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { choose, press, type } from './keyboard.ts'

export interface CampaignJourney {
  /** What the API says behind a refused address, and then once it is saved. */
  saved: { name: string; tags: string[]; tracking_url: string | null; countries: string[] }[]
  /** Its states, action by action. */
  states: string[]
  /** Rows of the list behind the filter of its tag. */
  found: string[]
  /** Buttons that change it, once it is archived. */
  buttons: number
  faults: string[]
}

/** Throws where a step does not come. */
export async function campaignByKeyboard(rig: ConsoleRig): Promise<CampaignJourney> {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const { body: file } = await uploadStats(
    rig.client,
    rig.at.integration_id,
    `date,campaign,clicks\n${day},kb-26,7\n${day},kb-27,1\n`,
  )
  await eventually(
    'the file is read',
    async () => (await rig.client(`/v1/imports/${file.id}`)).body.status === 'completed',
  )
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor

  await page.goto(rig.urlOf('stats?group=campaign&days=7'))
  await press(page, page.getByRole('link', { name: 'kb-26', exact: true }))
  await page.getByRole('heading', { level: 1, name: 'kb-26' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) as string
  const shown = async () => {
    const { name, tags, tracking_url, countries } = (await rig.client(`/v1/campaigns/${id}`)).body
    return { name, tags, tracking_url, countries }
  }
  const form = page.locator('form').filter({ has: page.getByLabel('Tracking address') })
  await type(page, form.getByLabel('Name', { exact: false }).first(), 'By keyboard')
  await type(page, form.getByLabel('Tag 1'), 'typed')
  await type(page, form.getByLabel('Countries'), 'de, at')
  await type(page, form.getByLabel('Tracking address'), 'http://go.example/kb')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').waitFor()
  await requireAccessible(page)
  const saved = [await shown()]
  await type(page, form.getByLabel('Tracking address'), 'https://go.example/kb?s={sub_id}')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  saved.push(await shown())
  await type(page, page.getByLabel('Sub-id'), 'jane 1')
  await page.keyboard.press('Enter')
  await page.getByText('https://go.example/kb?s=jane%201').waitFor()
  await requireAccessible(page)

  await press(page, page.getByRole('main').getByRole('link', { name: 'Campaigns', exact: true }))
  await press(page, page.getByRole('link', { name: 'kb-27', exact: true }))
  await press(page, page.getByRole('button', { name: 'Merge', exact: true }))
  const merging = page.getByRole('dialog')
  await press(page, merging.getByRole('combobox', { name: 'Into' }))
  await choose(page, page.getByRole('listbox', { name: 'Into' }), 'By keyboard')
  await requireAccessible(page)
  await press(page, merging.getByRole('button', { name: 'Merge', exact: true }))
  await merging.waitFor({ state: 'hidden' })
  await press(page, page.getByRole('link', { name: 'By keyboard', exact: true }))
  await page.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()

  const states: string[] = []
  for (const action of ['Pause', 'Resume', 'Archive']) {
    await press(page, page.getByRole('button', { name: action, exact: true }))
    const asking = page.getByRole('dialog')
    await asking.waitFor()
    await requireAccessible(page)
    await press(page, asking.getByRole('button', { name: action, exact: true }))
    await asking.waitFor({ state: 'hidden' })
    states.push((await rig.client(`/v1/campaigns/${id}`)).body.status)
  }
  await page.getByText('It is archived and changes no more.').waitFor()
  const buttons = await page.getByRole('button', { name: /^(Save|Activate|Pause|Resume|Archive)$/ }).count()

  await press(page, page.getByRole('main').getByRole('link', { name: 'Campaigns', exact: true }))
  await type(page, page.getByLabel('Tag', { exact: true }), 'typed')
  await page.keyboard.press('Enter')
  await page.waitForURL(/tag=typed/)
  const table = page.getByRole('table', { name: 'Campaigns' })
  await page.getByRole('button', { name: 'Remove the filter tag: typed' }).waitFor()
  await table.getByRole('link').first().waitFor()
  const found = await table.getByRole('rowheader').getByRole('link').allTextContents()
  await visitor.close()
  // The refused address is the one answer that a console tells of.
  return { saved, states, found, buttons, faults: faults.filter((fault) => !/status of 422/.test(fault)) }
}
