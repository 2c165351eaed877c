// A network is connected and its address rotated, by keyboard alone (ui.md U03). It throws where a step does not come.
import { deepEqual, equal } from 'node:assert/strict'
import { requireAccessible, storeSecret } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { press, type } from './keyboard.ts'

/** The address is shown at its making and by its rotation, never else; both take a conversion. */
export async function connectNetworkByKeyboard(rig: ConsoleRig): Promise<void> {
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf('integrations/new?provider=http_csv'))
  const url = page.getByRole('textbox', { name: 'Url' })
  await url.waitFor()
  // Nobody is told of what is missing before it could have been typed.
  equal(await page.getByText('This is needed.').count(), 0)
  await press(page, page.getByRole('button', { name: 'Add integration' }))
  await page.getByText('This is needed.').first().waitFor()
  await page.goto(rig.urlOf('integrations/new?provider=postback'))
  await type(page, page.getByRole('textbox', { name: 'Name' }), 'Network by keyboard')
  await type(page, page.getByRole('textbox', { name: 'Brand' }), 'network-brand')
  await type(page, page.getByRole('textbox', { name: 'Parameter map' }), '{"tx_id": "click id"}')
  await press(page, page.getByRole('button', { name: 'Add integration' }))
  const made = await storeSecret(page, 'Your address for postbacks', 'address for postbacks')
  await page.getByRole('heading', { level: 1, name: 'Network by keyboard' }).waitFor()
  await page.getByText('click%20id={tx_id}').waitFor()
  equal(await page.getByText(made).count(), 0)
  await press(page, page.getByRole('button', { name: 'Rotate address' }))
  const question = page.getByRole('dialog', { name: 'Rotate the address for postbacks' })
  await question.waitFor()
  await requireAccessible(page)
  await press(page, question.getByRole('button', { name: 'Rotate address' }))
  const rotated = await storeSecret(page, 'Your new address for postbacks', 'address for postbacks')
  const statuses = []
  for (const [nth, url] of [made, rotated].entries()) {
    const answer = await fetch(`${url}?event=click&click%20id=${nth}`)
    statuses.push([answer.status, await answer.text()])
  }
  deepEqual(statuses, Array(2).fill([200, '{"status":"accepted"}']))
  deepEqual(faults, [])
  await close()
}
