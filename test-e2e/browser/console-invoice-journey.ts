// What people do with invoices, by keyboard: name the issuer, draft one and end it, take the rest of a payment, fetch the PDF.
import { readFile } from 'node:fs/promises'
import { seedInvoices } from './console-money-pages.ts'
import type { ConsoleRig } from './console-rig.ts'
import { press, tabTo, type } from './keyboard.ts'

export interface InvoiceJourney {
  /** What the API says of the issuer behind a refused IBAN, and then. */
  issuers: (object | null)[]
  /** Of the draft, once it is ended. */
  ended: { status: string; period: object }
  /** Of the invoice, once all is paid. */
  paid: { status: string; amount_due: number; last: object }
  file: { name: string; begins: string }
  faults: string[]
}

/** Throws where a step does not come. */
export async function invoiceByKeyboard(rig: ConsoleRig): Promise<InvoiceJourney> {
  const { open } = await seedInvoices(rig)
  const visitor = await rig.openOwner({ reducedMotion: 'reduce', acceptDownloads: true })
  const { page, faults } = visitor
  const issuerNow = async () => (await rig.client('/v1/settings')).body.issuer
  const shown = async (id: string) => (await rig.client(`/v1/invoices/${id}`)).body

  await page.goto(rig.urlOf('settings'))
  const form = page.locator('form').filter({ has: page.getByLabel('Legal name') })
  await type(page, form.getByLabel('Legal name'), 'Affiliates GmbH')
  await type(page, form.getByLabel('Line 1'), 'Weg 1')
  await type(page, form.getByLabel('Country'), 'de')
  await type(page, form.getByLabel('IBAN'), 'DE88370400440532013000')
  await press(page, form.getByRole('button', { name: 'Save' }))
  await form.getByRole('alert').waitFor()
  const issuers = [await issuerNow()]
  await tabTo(page, form.getByLabel('IBAN'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('DE89 3704 0044 0532 0130 00')
  await page.keyboard.press('Enter')
  await page.getByText('The settings are saved').waitFor({ state: 'attached' })
  issuers.push(await issuerNow())

  await page.goto(rig.urlOf('invoices'))
  await press(page, page.getByRole('link', { name: 'New invoice' }))
  await page.getByRole('heading', { level: 1, name: 'New invoice' }).waitFor()
  await page.getByLabel('First day').fill('2020-03-01')
  await page.getByLabel('Last day').fill('2020-03-31')
  await press(page, page.getByRole('button', { name: 'Draft it' }))
  await page.getByRole('heading', { level: 1, name: /^Draft for / }).waitFor()
  await page.getByText('Nothing to bill yet').waitFor()
  const drafted = page.url().split('/').at(-1) as string
  await press(page, page.getByRole('button', { name: 'Make void' }))
  const ending = page.getByRole('dialog')
  await press(page, ending.getByRole('button', { name: 'Make void' }))
  await ending.waitFor({ state: 'hidden' })
  const { status, period } = await shown(drafted)

  await page.goto(rig.urlOf(`invoices/${open}`))
  await press(page, page.getByRole('button', { name: 'Record payment' }))
  const paying = page.getByRole('dialog', { name: 'Record a payment' })
  await press(page, paying.getByRole('button', { name: 'Record', exact: true }))
  await paying.getByText('This is needed.').waitFor()
  await type(page, paying.getByLabel('Reference'), 'rest')
  await press(page, paying.getByRole('button', { name: 'Record', exact: true }))
  await paying.waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: '€1,000.00' }).waitFor()
  const now = await shown(open)
  const { amount, method, reference } = now.payments.at(-1)
  const downloading = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'PDF', exact: true }))
  const download = await downloading
  const begins = (await readFile(await download.path())).toString('latin1', 0, 5)
  const file = { name: download.suggestedFilename().replace(now.number, 'NUMBER'), begins }
  await visitor.close()
  return {
    issuers,
    ended: { status, period },
    file,
    paid: { status: now.status, amount_due: now.amount_due, last: { amount, method, reference } },
    // The refused IBAN is the one answer that a console tells of.
    faults: faults.filter((fault) => !/status of 422/.test(fault)),
  }
}
