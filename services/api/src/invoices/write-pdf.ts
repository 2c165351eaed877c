// Writes an invoice as a PDF: A4, fonts within it, the same bytes for the same document. A table of any length goes on from page to page.
// It never holds the process for longer than a few rows take (decision 66).
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import type { DocumentRow, InvoiceDocument } from './domain/invoice-document.ts'

type Pdf = InstanceType<typeof PDFDocument>

/** Points, 72 to the inch. */
const [left, right, top, bottom] = [50, 545, 50, 780]
const lineGap = 2
const [small, normal, large] = [8, 9, 20]
/** Left edge, width and side of each column. */
const columns = {
  description: { x: left, width: 235, align: 'left' },
  quantity: { x: 290, width: 60, align: 'right' },
  unitAmount: { x: 355, width: 90, align: 'right' },
  amount: { x: 450, width: right - 450, align: 'right' },
} as const
const headings: DocumentRow = {
  description: 'Description',
  quantity: 'Quantity',
  unitAmount: 'Unit price',
  amount: 'Amount',
}
/** Rows between which others get their turn: about 10 ms. */
const rowsAtOnce = 25

interface Kit {
  Pdf: typeof PDFDocument
  regular: Buffer
  bold: Buffer
}
let loading: Promise<Kit> | undefined

/** From the first PDF on: it takes 0.2 s, which no start spends. */
async function load(): Promise<Kit> {
  const require = createRequire(import.meta.url)
  const [{ default: Pdf }, regular, bold] = await Promise.all([
    import('pdfkit'),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
  ])
  return { Pdf, regular, bold }
}

/** The bytes. Rejects when `signal` is aborted meanwhile. */
export async function writePdf(document: InvoiceDocument, o: { signal: AbortSignal }): Promise<Buffer> {
  loading ??= load()
  const { Pdf, regular, bold } = await loading
  const pdf = new Pdf({
    // Without a font of its own: one that is given here is opened anew at each use of its name.
    size: 'A4',
    margin: 0,
    bufferPages: true,
    font: null as unknown as string,
    lang: document.language,
    info: { Title: `${document.title} ${document.number}`, CreationDate: new Date(document.datedMs) },
  })
  pdf.registerFont('regular', regular).registerFont('bold', bold)
  const written = collect(pdf)
  try {
    let y = writeHead(pdf, document)
    y = await writeTable(pdf, { rows: document.rows, y, signal: o.signal })
    writeEnd(pdf, document, y)
    writeMargins(pdf, document)
  } finally {
    pdf.end()
  }
  return written
}

function collect(pdf: Pdf): Promise<Buffer> {
  return new Promise((settle, fail) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => settle(Buffer.concat(chunks)))
    pdf.on('error', fail)
  })
}

/** Text of a block, and where it ends. Characters that mean nothing on paper are left out; those of no font are a box. */
function write(
  pdf: Pdf,
  text: string,
  o: { x: number; y: number; width: number; align?: 'left' | 'right'; font?: 'regular' | 'bold'; size?: number },
): number {
  const { x, y, width, align = 'left', font = 'regular', size = small } = o
  pdf.font(font).fontSize(size)
  const lines = plain(text)
  pdf.text(lines, x, y, { width, align, lineGap })
  return lines === '' ? y : pdf.y
}

const plain = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cs}]/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')

function writeHead(pdf: Pdf, { title, mark, facts, from, to }: InvoiceDocument): number {
  const heading = mark === null ? title : `${title} (${mark})`
  let y = write(pdf, heading, { x: left, y: top, width: right - left, font: 'bold', size: large }) + 10
  y = writePairs(pdf, facts, { x: left, y, nameWidth: 110, width: right - left, align: 'left' }) + 14
  const half = (right - left) / 2 - 10
  const ends = [
    { name: 'From', lines: from, x: left },
    { name: 'To', lines: to, x: left + half + 20 },
  ].map(({ name, lines, x }) => {
    if (lines.length === 0) return y
    const at = { x, width: half }
    return lines.reduce(
      (end, line) => write(pdf, line, { ...at, y: end, size: normal }),
      write(pdf, name, { ...at, y, font: 'bold' }) + 2,
    )
  })
  return Math.max(...ends) + 18
}

function writePairs(
  pdf: Pdf,
  pairs: readonly { name: string; value: string }[],
  o: { x: number; y: number; nameWidth: number; width: number; align: 'left' | 'right' },
): number {
  return pairs.reduce((y, { name, value }) => {
    const nameEnd = write(pdf, name, { x: o.x, y, width: o.nameWidth, font: 'bold' })
    const rest = { x: o.x + o.nameWidth, width: o.width - o.nameWidth }
    return Math.max(nameEnd, write(pdf, value, { ...rest, y, align: o.align }))
  }, o.y)
}

/** Where the table ends. */
async function writeTable(
  pdf: Pdf,
  o: { rows: readonly DocumentRow[]; y: number; signal: AbortSignal },
): Promise<number> {
  let y = writeHeadings(pdf, o.y)
  for (const [at, row] of o.rows.entries()) {
    if (at % rowsAtOnce === rowsAtOnce - 1) {
      await setImmediate()
      o.signal.throwIfAborted()
    }
    if (y + heightOf(pdf, row) > bottom) y = writeHeadings(pdf, nextPage(pdf))
    y = writeRow(pdf, row, { y, font: 'regular' })
  }
  return rule(pdf, y)
}

function nextPage(pdf: Pdf): number {
  pdf.addPage()
  return top
}

function writeHeadings(pdf: Pdf, y: number): number {
  return rule(pdf, writeRow(pdf, headings, { y, font: 'bold' })) + 3
}

function writeRow(pdf: Pdf, row: DocumentRow, o: { y: number; font: 'regular' | 'bold' }): number {
  const ends = cellsOf(row).map(({ text, ...column }) => write(pdf, text, { ...column, ...o }))
  return Math.max(...ends) + 1
}

function heightOf(pdf: Pdf, row: DocumentRow): number {
  pdf.font('regular').fontSize(small)
  return Math.max(...cellsOf(row).map(({ text, width }) => pdf.heightOfString(plain(text), { width, lineGap })))
}

function cellsOf(row: DocumentRow) {
  return (Object.keys(columns) as (keyof DocumentRow)[])
    .filter((name) => row[name] !== '')
    .map((name) => ({ ...columns[name], text: row[name] }))
}

function rule(pdf: Pdf, y: number): number {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.5).stroke('#888888')
  pdf.fillColor('#000000')
  return y
}

/** Sums, how it is paid, and the memo: each stays whole on a page. */
function writeEnd(pdf: Pdf, { totals, payment, memo }: InvoiceDocument, from: number): void {
  const pair = 14
  let y = from + 8
  const fit = (height: number) => {
    if (y + height > bottom) y = nextPage(pdf)
  }
  fit(totals.length * pair)
  y = writePairs(pdf, totals, { x: 330, y, nameWidth: 90, width: right - 330, align: 'right' }) + 16
  if (payment.length > 0) {
    fit((payment.length + 1) * pair)
    y = write(pdf, 'Payment', { x: left, y, width: right - left, font: 'bold', size: normal }) + 2
    y = writePairs(pdf, payment, { x: left, y, nameWidth: 110, width: right - left, align: 'left' }) + 16
  }
  if (memo === null) return
  pdf.font('regular').fontSize(small)
  const text = plain(memo)
  const width = right - left
  const lines = text.split('\n')
  for (const line of lines) {
    fit(pdf.font('regular').fontSize(small).heightOfString(line, { width, lineGap }))
    y = line === '' ? y + pair : write(pdf, line, { x: left, y, width })
  }
}

/** The foot of every page, and the mark across it. */
function writeMargins(pdf: Pdf, { title, number, mark }: InvoiceDocument): void {
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page)
    const half = (right - left) / 2
    write(pdf, `${title} ${number}`, { x: left, y: 805, width: half })
    write(pdf, `Page ${page + 1} of ${count}`, { x: left + half, y: 805, width: half, align: 'right' })
    if (mark === null) continue
    pdf
      .save()
      .rotate(-45, { origin: [297, 421] })
      .fillOpacity(0.12)
      .fillColor('#000000')
    pdf.font('bold').fontSize(130).text(mark, 0, 345, { width: 595, align: 'center', lineBreak: false })
    pdf.restore()
  }
}
