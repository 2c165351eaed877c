/** C70 of payments: what a file of them waits for its 202 while readers call the API and the files before it are recorded. */
import { type ApiPlace, dateAgo, startApiPlace } from '../api-place.ts'
import { runOpenLoop } from '../open-loop.ts'
import { rounded } from '../statistics.ts'
import { atMost, type Line, type Measure, type MeasureContext, spread } from './measure.ts'

const invoices = 100
const linesOfFile = 10_000
/** Of the first file, which is not measured. */
const linesDropped = 1_000
/** From the first byte sent, which is more than the contract asks for: from the last one. */
const acceptMaxMs = 1_000
/** Calls a second of readers beside. */
const rate = 50
const everyMs = 2_000
const doneWithinMs = 600_000

/** Numbers of invoices whose payments one file after the other records. */
async function makeInvoices({ call, rig }: ApiPlace): Promise<string[]> {
  const { apiKey = '' } = rig.tenants[0] ?? {}
  const numbers: string[] = []
  for (let nth = 0; nth < invoices; nth += 1) {
    // A day each in which nothing has reported: none bills a day that another one does.
    const [from, to] = [dateAgo(400 + nth), dateAgo(400 + nth)]
    const line_items = [{ kind: 'flat', description: 'Fee', amount: 1_000_000_000 }]
    const { id } = await call('/v1/invoices', {
      body: { brand_slug: 'acme', currency: 'EUR', period: { from, to }, line_items },
    })
    const headers = { authorization: `Bearer ${apiKey}`, 'if-match': '*', 'idempotency-key': `generate ${nth}` }
    const generate = `${rig.services.api.url}/v1/invoices/${String(id)}/generate`
    const answer = await fetch(generate, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    if (!answer.ok) throw new Error(`an invoice was not generated: ${await answer.text()}`)
    numbers.push(String(((await answer.json()) as { number: string }).number))
  }
  return numbers
}

/** Each line pays one euro. */
function fileOf(numbers: readonly string[], nth: number, payments = linesOfFile): string {
  const received = dateAgo(1)
  const lines = Array.from({ length: payments }, (_, at) => {
    return `${numbers[at % numbers.length]},file ${nth} line ${at},1.00,${received},bank`
  })
  return ['invoice,reference,amount,received,method', ...lines, ''].join('\n')
}

async function untilRecorded(place: ApiPlace, id: string): Promise<void> {
  const deadline = performance.now() + doneWithinMs
  for (;;) {
    const found = await place.call(`/v1/imports/${id}`)
    if (found.status === 'completed') return
    if (['failed', 'completed_with_errors', 'canceled'].includes(String(found.status)))
      throw new Error(`a file of payments ended ${found.status}: ${JSON.stringify(found)}`)
    if (performance.now() > deadline)
      throw new Error(`a file of payments was not recorded in ${doneWithinMs / 1_000} s`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function run(context: MeasureContext): Promise<Line[]> {
  const place = await startApiPlace(context)
  try {
    const numbers = await makeInvoices(place)
    const sendFile = async (text: string) =>
      String((await place.call('/v1/imports?type=invoice_payments', { body: text })).id)
    // Dropped.
    await untilRecorded(place, await sendFile(fileOf(numbers, -1, linesDropped)))
    const files = Math.max(1, Math.floor((context.seconds * 1_000) / everyMs))
    const texts = Array.from({ length: files }, (_, nth) => fileOf(numbers, nth))
    context.say(`${files} files of ${linesOfFile.toLocaleString('en')} payments, one each ${everyMs / 1_000} s`)
    const reads = ['/v1/invoices', '/v1/integrations', '/v1/imports', '/v1/sync-runs']
    const took: number[] = []
    const sent: string[] = []
    const startMs = performance.now()
    const send = runOpenLoop({
      rate: 1_000 / everyMs,
      seconds: (files * everyMs) / 1_000,
      call: async (nth) => {
        const fromMs = performance.now()
        const id = await sendFile(texts[nth] ?? '')
        took.push(performance.now() - fromMs)
        sent.push(id)
      },
    })
    const read = runOpenLoop({
      rate,
      seconds: (files * everyMs) / 1_000,
      call: async (nth) => void (await place.call(reads[nth % reads.length] ?? '')),
    })
    await Promise.all([send, read])
    for (const id of sent) await untilRecorded(place, id)
    const seconds = (performance.now() - startMs) / 1_000
    const due = await place.call('/v1/invoices?limit=100')
    const paid = (due.data as { amount_paid: number }[]).reduce((sum, one) => sum + one.amount_paid, 0)
    const wanted = (linesDropped + files * linesOfFile) * 100
    if (paid !== wanted) throw new Error(`${paid} was recorded of ${wanted}`)
    const { median, range } = spread(took)
    return [
      {
        measure: `202 to a file of ${linesOfFile.toLocaleString('en')} payments beside ${rate} calls/s: greatest`,
        value: rounded(range[1], 1),
        unit: 'ms',
        range: [rounded(median, 1), rounded(range[1], 1)],
        floor: atMost(range[1], acceptMaxMs),
      },
      { measure: 'payments recorded', value: rounded((files * linesOfFile) / seconds), unit: '/s' },
    ]
  } finally {
    await place.stop()
  }
}

export const payments: Measure = {
  name: 'payments',
  meaning: 'C70 of payments: from sending a file of 10,000 to its 202, beside readers and the files before it',
  run,
}
