// Invoices as PDF, read back as a reader of PDFs does (decision 66).
import { describe, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { document, generated } from './domain/invoice-document.fixture.ts'
import type { DocumentRow, InvoiceDocument } from './domain/invoice-document.ts'
import { writePdf } from './write-pdf.ts'

const signal = new AbortController().signal
const invoice = document([generated])
const row = (description: string): DocumentRow => ({ description, quantity: '1', unitAmount: '1.00', amount: '1.00' })
const write = (own: Partial<InvoiceDocument> = {}) => writePdf({ ...invoice, ...own }, { signal })

/** The text of each page, its white space as one blank. */
async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)))
  return text.map((page) => page.replaceAll(/\s+/g, ' '))
}

test('a page says all that the document does, and names itself', async () => {
  const bytes = await write({ memo: 'Thanks,\nuntil next month' })
  const [page = '', ...others] = await pagesOf(bytes)
  expect(others).toEqual([])
  const { facts, from, to, rows, totals, payment } = invoice
  const texts = [
    ...[...facts, ...totals, ...payment].flatMap(({ name, value }) => [name, value]),
    ...rows.flatMap((cells) => Object.values(cells)),
    ...[...from, ...to, 'Thanks, until next month', 'Page 1 of 1', 'Invoice 2026-000001'],
  ]
  for (const text of texts) expect(page).toContain(text)
  const { info } = await (await getDocumentProxy(new Uint8Array(bytes))).getMetadata()
  expect(info).toMatchObject({ Title: 'Invoice 2026-000001', CreationDate: 'D:20261101233000Z' })
})

test('it is the same bytes each time, with its fonts within it', async () => {
  const [first, second] = [await write(), await write()]
  expect(first.equals(second)).toBe(true)
  expect(first.equals(await write({ memo: 'x' }))).toBe(false)
  expect(first.toString('latin1')).toMatch(/\/FontFile2 /)
  expect(first.toString('latin1')).not.toMatch(/\/BaseFont \/Helvetica/)
})

describe('a long one', () => {
  test('goes on from page to page: each row once, in order, below the headings, above the foot', async () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => row(`Line ${n};`))
    const pages = await pagesOf(await write({ rows, mark: 'DRAFT' }))
    expect(pages.length).toBeGreaterThan(10)
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
      expect(page).toContain('DRAFT')
      if (/Line \d/.test(page)) expect(page).toContain('Description Quantity Unit price Amount')
    }
    const seen = pages.flatMap((page) => [...page.matchAll(/Line (\d+);/g)].map(([, n]) => Number(n)))
    expect(seen).toEqual(rows.map((_, n) => n))
  })

  test('lets others have their turn, and ends when nobody waits for it any more', async () => {
    const gone = new AbortController()
    const rows = Array.from({ length: 10_000 }, (_, n) => row(`Line ${n}`))
    let turns = 0
    const count = () => {
      turns += 1
      if (turns === 5) gone.abort(new Error('gone'))
      else setImmediate(count)
    }
    setImmediate(count)
    await expect(writePdf({ ...invoice, rows }, { signal: gone.signal })).rejects.toThrow('gone')
    expect(turns).toBe(5)
  })
})

test.each([
  ['a word as wide as two lines', 'W'.repeat(200)],
  ['many words', 'campaign of the spring '.repeat(12)],
  ['the largest amounts', '-90,071,992,547,409.91'],
])('%s wrap within their column, whole', async (_, text) => {
  const cells = { description: text, quantity: '9,007,199,254,740,991', unitAmount: text.slice(0, 22), amount: 'end;' }
  const [page = ''] = await pagesOf(await write({ rows: [cells, row('next;')] }))
  expect(page.replaceAll(' ', '')).toContain(text.replaceAll(' ', ''))
  expect(page).toContain('next;')
})

test.each([
  ['from right to left', 'חברה בע"מ, شركة التسويق'],
  ['without a glyph', '日本語 カジノ 🎰🇲🇹'],
  ['that mean nothing', 'a\u0000b\u0007c\ud800d\ufeff\u202ee'],
  ['joined', 'e\u0301\u0302'.repeat(60)],
  ['none', ''],
])('characters %s stop nothing', async (_, text) => {
  const bytes = await write({ rows: [row(text), row('after')], memo: text, to: [text, 'Ελλάδα Ψ', 'Москва Ж'] })
  const [page = ''] = await pagesOf(bytes)
  for (const seen of ['after', 'Amount due', 'Ελλάδα Ψ', 'Москва Ж']) expect(page).toContain(seen)
})

test('what a page cannot hold is on the next one: sums stay whole, a memo goes on', async () => {
  const memo = Array.from({ length: 120 }, (_, n) => `memo ${n};`).join('\n')
  for (let count = 30; count < 50; count += 4) {
    const pages = await pagesOf(await write({ rows: Array.from({ length: count }, () => row('x')), memo }))
    expect(pages.filter((page) => /Subtotal .* Total .* Amount due /.test(page)).length).toBe(1)
    const seen = pages.flatMap((page) => [...page.matchAll(/memo (\d+);/g)].map(([, n]) => Number(n)))
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => n))
  }
})
