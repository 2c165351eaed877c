// What people do with files, by keyboard: upload rates and read what was rejected, cancel in time and too late, fetch an export and delete it.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Download } from 'playwright-core'
import { requireAccessible } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { press, tabTo, type } from './keyboard.ts'

const bytesOf = async (download: Download) => await readFile(await download.path(), 'utf8')

export interface RatesJourney {
  /** What the API says of the import. */
  made: { type: string; source: string | null; accepted: number; rejected: number }
  /** Lines of the table of rejected ones. */
  shown: string[]
  /** The file that was saved, and the one line that the API hands out. */
  saved: string
  ofApi: object
  /** What the API says to a cancel that comes too late. */
  refusal: string
  faults: string[]
}

/** Uploads exchange rates with one bad line: throws where a step does not come. */
export async function ratesByKeyboard(rig: ConsoleRig): Promise<RatesJourney> {
  const visitor = await rig.openOwner({ reducedMotion: 'reduce', acceptDownloads: true })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('imports'))
  await press(page, page.getByRole('link', { name: 'Upload a file' }))
  await page.getByRole('heading', { level: 1, name: 'Upload a file' }).waitFor()
  await tabTo(page, page.getByRole('radio', { name: 'Stats' }))
  await page.keyboard.press('ArrowDown')
  await type(page, page.getByLabel('Published by'), 'kb-bank')
  const upload = page.getByRole('button', { name: 'Upload', exact: true })
  await press(page, upload)
  await page.getByText('Choose a file first.').waitFor()
  await requireAccessible(page)
  // Of a day before there were any numbers.
  const buffer = Buffer.from('date,base,quote,rate\n2019-01-02,EUR,USD,1.25\n2019-01-02,EUR,GBP,many\n')
  const file = { name: 'rates.csv', mimeType: 'text/csv', buffer }
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
  await press(page, upload)
  await page.getByRole('heading', { level: 1, name: 'Exchange rates of kb-bank' }).waitFor()
  await page.getByText('completed_with_errors').waitFor()
  const table = page.getByRole('table', { name: 'Rejected lines' })
  await table.getByRole('row').nth(1).waitFor()
  const shown = await table.getByRole('rowheader').allTextContents()
  const downloading = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'Save as NDJSON' }))
  const saved = await bytesOf(await downloading)
  const id = new URL(page.url()).pathname.split('/').at(-1) as string
  const made = (await rig.client(`/v1/imports/${id}`)).body
  const ofApi = (await rig.client(`/v1/imports/${id}/errors`)).body

  // It is over; the page is made to take it for one that waits, and the API refuses.
  await page.route(`**/v1/imports/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), status: 'queued' } })
  })
  await page.reload()
  await press(page, page.getByRole('button', { name: 'Cancel import' }))
  const asking = page.getByRole('dialog', { name: 'Cancel this import?' })
  await press(page, asking.getByRole('button', { name: 'Cancel import' }))
  const refusal = await asking.getByRole('link', { name: /^About the error/ }).textContent()
  await requireAccessible(page)
  await visitor.close()
  return {
    made: { type: made.type, source: made.source, accepted: made.accepted, rejected: made.rejected },
    shown,
    saved,
    ofApi,
    refusal: refusal ?? '',
    // The refused cancel is the one answer that a console tells of.
    faults: faults.filter((fault) => !/status of 409/.test(fault)),
  }
}

export interface CancelJourney {
  /** What the API says of the import in the end. */
  made: { status: string; accepted: number | null }
  /** Buttons that would cancel it once more. */
  buttons: number
  faults: string[]
}

/** Cancels a file while it waits to be read: throws where a step does not come. */
export async function cancelByKeyboard(rig: ConsoleRig): Promise<CancelJourney> {
  const reader = new pg.Client({ connectionString: rig.databaseUrl })
  await reader.connect()
  try {
    // As if another worker read a file of the workspace: this one waits meanwhile.
    const lock = `file imports:${rig.at.workspace_id}`
    await reader.query('select pg_advisory_lock(hashtextextended($1, 0))', [lock])
    const text = 'date,base,quote,rate\n2019-01-03,EUR,USD,1.25\n'
    const headers = { 'content-type': 'text/csv' }
    const { body: waiting } = await rig.client('/v1/imports?type=fx_rates', { text, headers })
    const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
    await page.goto(rig.urlOf(`imports/${waiting.id}`))
    const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel import' })
    await press(page, cancel)
    const asking = page.getByRole('dialog', { name: 'Cancel this import?' })
    await press(page, asking.getByRole('button', { name: 'Cancel import' }))
    await asking.waitFor({ state: 'hidden' })
    await page.getByText('canceled', { exact: true }).waitFor()
    const buttons = await cancel.count()
    const { status, accepted } = (await rig.client(`/v1/imports/${waiting.id}`)).body
    await close()
    return { made: { status, accepted }, buttons, faults }
  } finally {
    await reader.end()
  }
}

export interface ExportsJourney {
  fileName: string
  /** The file that was saved, and what the API hands out. */
  saved: string
  ofApi: string
  /** What the API answers once it is deleted. */
  status: number
  faults: string[]
}

/** Exports a list, fetches the file and deletes it: throws where a step does not come. */
export async function exportsByKeyboard(rig: ConsoleRig): Promise<ExportsJourney> {
  const visitor = await rig.openOwner({ reducedMotion: 'reduce', acceptDownloads: true })
  const { page, faults } = visitor
  await page.goto(rig.urlOf('exports?type=campaigns'))
  await press(page, page.getByRole('button', { name: 'Export a list' }))
  const making = page.getByRole('dialog', { name: 'Export a list' })
  await requireAccessible(page)
  await press(page, making.getByRole('button', { name: 'Make the file' }))
  await making.getByText(/^The file is ready/).waitFor()
  await page.keyboard.press('Escape')
  await making.waitFor({ state: 'hidden' })
  const { body } = await rig.client('/v1/exports?type=campaigns')
  const [{ id, created }] = body.data
  const address = `/v1/exports/${id}`
  const ofApi = (await rig.client(`${address}/file`)).body
  const name = `campaigns-${created.slice(0, 10)}.csv`
  const downloading = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: `Download ${name}` }))
  const download = await downloading
  const saved = await bytesOf(download)
  await press(page, page.getByRole('button', { name: `Delete ${name}` }))
  const asking = page.getByRole('dialog', { name: `Delete ${name}?` })
  await asking.waitFor()
  await requireAccessible(page)
  await press(page, asking.getByRole('button', { name: 'Delete' }))
  await asking.waitFor({ state: 'hidden' })
  await page.getByText(name).waitFor({ state: 'hidden' })
  const { status } = await rig.client(address)
  await visitor.close()
  return { fileName: download.suggestedFilename(), saved, ofApi, status, faults }
}
