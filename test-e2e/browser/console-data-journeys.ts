// Journeys through the pages about numbers, by keyboard; a suite with a started rig calls them and judges what they saw.
import { readFile } from 'node:fs/promises'
import { eventually } from '../harness/standalone.ts'
import { seedAnomaly } from './console-data-pages.ts'
import type { ConsoleRig } from './console-rig.ts'
import { choose, press, tabTo, type } from './keyboard.ts'

export interface UploadJourney {
  /** After the refused slug: the note has the focus, what was typed is kept, the field is marked. */
  hasFocus: boolean
  kept: string
  isMarked: boolean
  /** Address behind the closed drawer. */
  endedAt: string
  faults: string[]
}

/** Adds an integration, uploads a file with one bad line, and opens its run: throws where a step does not come. */
export async function uploadByKeyboard(rig: ConsoleRig): Promise<UploadJourney> {
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('integrations'))
  const add = page.getByRole('link', { name: 'Add integration' })
  await add.waitFor()
  await tabTo(page, add)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Add integration' }).waitFor()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  await tabTo(page, name)
  await page.keyboard.type('Files by keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Wrong Slug')
  await page.keyboard.press('Enter')
  // What was refused is told at the field, and what was typed is still there.
  const note = page.getByRole('alert')
  await note.waitFor()
  await note.getByText(/^brand slug: /).waitFor()
  const hasFocus = await note.evaluate((element) => element === element.ownerDocument.activeElement)
  const kept = await name.inputValue()
  const brand = page.getByRole('textbox', { name: 'Brand' })
  const isMarked = (await brand.getAttribute('aria-invalid')) === 'true'
  await tabTo(page, brand)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('keyboard-brand')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Files by keyboard' }).waitFor()

  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const buffer = Buffer.from(`date,clicks\n${day},12\n${day},many\n`)
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  const upload = page.getByRole('button', { name: 'Upload', exact: true })
  await tabTo(page, upload)
  await page.keyboard.press('Enter')
  await page.getByText('1 row accepted, 1 rejected.').waitFor()
  const run = page.getByRole('link', { name: 'See its run' })
  await tabTo(page, run)
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('The value is not a number.').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  const endedAt = page.url()
  await visitor.close()
  // The refused slug is the one answer that a console tells of.
  return { hasFocus, kept, isMarked, endedAt, faults: faults.filter((fault) => !/status of 422/.test(fault)) }
}

export interface AnomalyJourney {
  /** What the API says after each action. */
  states: { status: string; note: string | null; reason: string | null }[]
  /** Buttons that are left. */
  buttons: number
  faults: string[]
}

/** Takes an anomaly on with a note, and dismisses it for a reason: throws where a step does not come. */
export async function walkAnomalyByKeyboard(rig: ConsoleRig): Promise<AnomalyJourney> {
  const id = await seedAnomaly(rig)
  const stateOf = async () => {
    const { status, note, reason } = (await rig.client(`/v1/anomalies/${id}`)).body
    return { status, note, reason }
  }
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('anomalies?status=open'))
  await press(page, page.getByRole('link', { name: /^Clicks of silent-slots/ }))
  const drawer = page.getByRole('dialog', { name: 'Anomaly' })
  await press(page, drawer.getByRole('button', { name: 'Acknowledge' }))
  const asking = page.getByRole('dialog', { name: 'Acknowledge' })
  await type(page, asking.getByLabel('Note'), 'I ask them')
  await press(page, asking.getByRole('button', { name: 'Acknowledge' }))
  await asking.waitFor({ state: 'hidden' })
  await drawer.getByText('I ask them').waitFor()
  const states = [await stateOf()]
  await press(page, drawer.getByRole('button', { name: 'Dismiss' }))
  const dismissing = page.getByRole('dialog', { name: 'Dismiss' })
  await tabTo(page, dismissing.getByRole('radio', { name: 'It was expected' }))
  await page.keyboard.press('ArrowDown')
  await press(page, dismissing.getByRole('button', { name: 'Dismiss' }))
  await dismissing.waitFor({ state: 'hidden' })
  await drawer.getByText('The numbers were wrong').waitFor()
  states.push(await stateOf())
  const buttons = await drawer.getByRole('button', { name: /^(Acknowledge|Resolve|Dismiss)$/ }).count()
  await visitor.close()
  return { states, buttons, faults }
}

export interface StatsJourney {
  /** Address once another grouping is chosen. */
  endedAt: string
  /** What the rows of the grouping before are headed by until those of the new one are there. */
  whileLoading: string | null
  /** Of a brand of the sample: what the API says, and what its row shows. */
  clicks: { ofApi: string; shown: string }
  faults: string[]
}

/** Groups the numbers by brand: throws where a step does not come. */
export async function groupStatsByKeyboard(rig: ConsoleRig): Promise<StatsJourney> {
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('stats'))
  const table = page.getByRole('table', { name: 'Stats' })
  await table.waitFor()
  const group = page.getByRole('combobox', { name: 'Group by' })
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route(/\/v1\/stats\?.*group_by=brand/, (route) => asked.then(() => route.fallback()))
  await press(page, group)
  await choose(page, page.getByRole('listbox', { name: 'Group by' }), 'Brand')
  await page.waitForURL(/group=brand/)
  // The page has taken the choice over, and shows what it has.
  await page.locator('input[value="Brand"]').waitFor()
  const whileLoading = await table.getByRole('columnheader').first().textContent()
  answer()
  const row = table.getByRole('row', { name: /^Northern Bets/ })
  await row.waitFor()
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const query = `from=${day(29)}&to=${day(0)}&group_by=brand&metrics=clicks&filter[brand]=northern-bets`
  const { body } = await rig.client(`/v1/stats?${query}`)
  const clicks = {
    ofApi: new Intl.NumberFormat('en').format(body.data[0].clicks),
    shown: (await row.getByRole('cell').first().textContent()) ?? '',
  }
  const endedAt = page.url()
  await visitor.close()
  return { endedAt, whileLoading, clicks, faults }
}

export interface ExportJourney {
  /** What the dialog says once the file is there, and the file's own lines. */
  said: string
  fileName: string
  lines: string[]
  /** The same rows as the API shows them: brand and clicks. */
  ofApi: string[]
  /** The focus is back on the button. */
  isBack: boolean
  faults: string[]
}

/** Exports the numbers by brand, and saves the file: throws where a step does not come. */
export async function exportStatsByKeyboard(rig: ConsoleRig): Promise<ExportJourney> {
  const visitor = await rig.openOwner({ reducedMotion: 'reduce' })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('stats?group=brand&brand=northern-bets'))
  await page.getByRole('row', { name: /^Northern Bets/ }).waitFor()
  // What a run still brings would be in one of them alone.
  await eventually('no run is under way', async () => {
    const { body } = await rig.client('/v1/sync-runs?status=queued,running,retry_wait')
    return body.data.length === 0
  })
  const open = page.getByRole('button', { name: 'Export' })
  await press(page, open)
  const dialog = page.getByRole('dialog', { name: 'Export the numbers' })
  await press(page, dialog.getByRole('button', { name: 'Make the file' }))
  const ready = dialog.getByText(/^The file is ready/)
  await ready.waitFor()
  const said = (await ready.textContent()) ?? ''
  const saving = page.waitForEvent('download')
  await press(page, dialog.getByRole('button', { name: 'Download' }))
  const saved = await saving
  const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const query = `from=${day(29)}&to=${day(0)}&group_by=brand&metrics=clicks&filter[brand]=northern-bets`
  const { body } = await rig.client(`/v1/stats?${query}`)
  const ofApi = body.data.map((row: Record<string, unknown>) => `${row.brand_slug},${row.currency},${row.clicks},`)
  const isBack = await open.evaluate((element) => element === element.ownerDocument.activeElement)
  await visitor.close()
  return { said, fileName: saved.suggestedFilename(), lines, ofApi, isBack, faults }
}
