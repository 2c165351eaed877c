// Payments of invoices from their file to the invoices, through the public door and the real database.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { importFileOnce } from '../file-imports/file-loop.ts'
import { batchLines } from '../files/in-batches.ts'
import { readReferenceRates } from '../fx/reference-rates.ts'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'

let fixture: Fixture
let invoices: Invoicing
beforeAll(async () => {
  fixture = await startFixture()
  invoices = invoicing(fixture)
})
afterAll(async () => {
  await invoices?.stop()
  await fixture?.stop()
})

type Row = Record<string, unknown>
const csvOf = (...lines: string[]) => `${['invoice,reference,amount,received,method', ...lines].join('\n')}\n`

let brands = 0
/** A generated invoice of so much. */
async function invoiceOf(amount: number, currency = 'EUR'): Promise<{ id: string; number: string }> {
  brands += 1
  await fixture.createIntegration({ name: `Brand ${brands}`, brand_slug: `brand${brands}` })
  const line_items = [{ kind: 'flat', description: 'Fee', amount }]
  const id = await invoices.draftOf(`brand${brands}`, undefined, { line_items, currency })
  const { status, body, text } = await invoices.act(id, 'generate')
  if (status !== 200) throw new Error(text)
  return { id, number: String(body.number) }
}

const invoice = async (id: string) => (await fixture.call('GET', `/v1/invoices/${id}`)).body
const paymentsOf = async (id: string) =>
  ((await invoice(id)).payments as Row[]).map(({ reference, amount }) => [reference, amount])

async function send(text: string, o: { headers?: Record<string, string>; as?: 'b' } = {}): Promise<string> {
  const {
    status,
    body,
    text: answer,
  } = await fixture.call('POST', '/v1/imports?type=invoice_payments', {
    csv: text,
    ...o,
  })
  if (status !== 202) throw new Error(answer)
  return String(body.id)
}

const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
const read = async (id: string, as: 'a' | 'b' = 'a') => (await fixture.call('GET', `/v1/imports/${id}`, { as })).body

/** The import of a file once it has ended. */
async function take(text: string, o: Parameters<typeof send>[1] = {}): Promise<Row> {
  const id = await send(text, o)
  await fixture.work()
  return read(id)
}

async function rejectsOf(id: unknown): Promise<Row[]> {
  const { text } = await fixture.call('GET', `/v1/imports/${id}/errors`)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const turns = { last: '' }
const once = () => importFileOnce({ ...fixture.worker, referenceRates: readReferenceRates(), turns })

describe('a file of payments', () => {
  test('pays invoices by their id and their number, with amounts as decimals, and tells of it as of any payment', async () => {
    const [euro, yen] = [await invoiceOf(125_000), await invoiceOf(9_000, 'JPY')]
    const done = await take(
      csvOf(
        `${euro.number},R-1,250.00,2026-11-02,bank`,
        `${euro.id},R-2,1000,2026-11-03,card`,
        `${yen.id},R-1,8999,2026-11-03,bank`,
      ),
    )
    expect(done).toMatchObject({
      type: 'invoice_payments',
      status: 'completed',
      integration_id: null,
      error: null,
      sync_run_id: null,
      lines: 3,
      accepted: 3,
      rejected: 0,
      unchanged: 0,
    })
    expect(await invoice(euro.id)).toMatchObject({ status: 'paid', amount_due: 0 })
    expect(await paymentsOf(euro.id)).toEqual([
      ['R-1', 25_000],
      ['R-2', 100_000],
    ])
    expect(await invoice(yen.id)).toMatchObject({ status: 'generated', amount_due: 1 })
    expect(await invoices.told(euro.id)).toEqual(['invoice.generated', 'invoice.partially_paid', 'invoice.paid'])
    const { rows } = await fixture.adminPool.query(
      `select from api.outbox where convert_from(payload, 'utf8')::jsonb @> $1`,
      [{ type: 'import.completed', data: { import_id: done.id, import_type: 'invoice_payments', lines: 3 } }],
    )
    expect(rows).toHaveLength(1)
  })

  test('records 1,000 payments of a part of one invoice, and behind them one that pays the rest', async () => {
    const { id } = await invoiceOf(2_000)
    const parts = Array.from({ length: 1_001 }, (_, at) => `${id},P-${at},0.01,2026-11-02,bank`)
    const done = await take(csvOf(...parts))
    expect(done).toMatchObject({ status: 'completed_with_errors', accepted: 1_000, rejected: 1 })
    expect(await rejectsOf(done.id)).toMatchObject([{ line: 1_002, code: 'limit_reached', pointer: '/invoice' }])
    const payment = { received: '2026-11-02', method: 'bank' }
    const part = await invoices.act(id, 'record-payment', { ...payment, amount: 1, reference: 'part' })
    const rest = await invoices.act(id, 'record-payment', { ...payment, amount: 1_000, reference: 'rest' })
    expect([part.status, part.body.code, rest.status, rest.body.status]).toEqual([409, 'limit_reached', 200, 'paid'])
  })

  test('C72: that is sent again changes nothing and reports unchanged, also once the invoice is paid', async () => {
    const { id } = await invoiceOf(500)
    const file = csvOf(`${id},A,2.00,2026-11-02,bank`, `${id},B,3.00,2026-11-02,bank`)
    expect(await take(file)).toMatchObject({ accepted: 2, unchanged: 0 })
    const before = await invoice(id)
    expect(before.status).toBe('paid')
    expect(await take(file)).toMatchObject({ status: 'completed', lines: 2, accepted: 2, rejected: 0, unchanged: 2 })
    expect(await invoice(id)).toEqual(before)
  })

  test('C71: a bad line is rejected with line, pointer and code, and the others stand', async () => {
    const { id } = await invoiceOf(1_000)
    const draft = await invoices.draftOf(`brand${brands}`, { from: '2026-02-01', to: '2026-02-28' })
    const long = 'x'.repeat(101)
    const header = 'currency,invoice,reference,amount,received,method'
    const lines: [line: string, code?: string, pointer?: string | undefined][] = [
      [`EUR,${id},A,1.00,2026-11-02,bank`],
      [`,${id},B,1.00,2026-11-02,`, 'missing_required', '/method'],
      [`,${id},${long},1.00,2026-11-02,bank`, 'text_too_long', '/reference'],
      [`,${id},B,1.00,02.11.2026,bank`, 'bad_date', '/received'],
      [`,${id},B,1.00,1999-12-31,bank`, 'date_too_old', '/received'],
      [`,${id},B,1.00,2199-01-01,bank`, 'date_in_future', '/received'],
      [`USD,${id},B,1.00,2026-11-02,bank`, 'other_currency', '/currency'],
      [`,${id},B,one,2026-11-02,bank`, 'bad_number', '/amount'],
      [`,${id},B,1.005,2026-11-02,bank`, 'too_many_decimals', '/amount'],
      [`,${id},B,99999999999999999,2026-11-02,bank`, 'amount_overflow', '/amount'],
      [`,2026-999999,B,1.00,2026-11-02,bank`, 'unknown_invoice', '/invoice'],
      [`,${draft},B,1.00,2026-11-02,bank`, 'not_payable', '/invoice'],
      [`,${id},B,9.01,2026-11-02,bank`, 'overpayment', '/amount'],
      [`,${id},B,-1.00,2026-11-02,bank`, 'overpayment', '/amount'],
      [`,${id},A,2.00,2026-11-02,bank`, 'duplicate_key', '/reference'],
      [`,${id},B,1.00,2026-11-02`, 'wrong_column_count'],
      [`,${id},Z,9.00,2026-11-02,bank`],
    ]
    const done = await take(`${[header, ...lines.map(([line]) => line)].join('\n')}\n`)
    expect(done).toMatchObject({ status: 'completed_with_errors', lines: lines.length, accepted: 2, unchanged: 0 })
    const wanted = lines.flatMap(([, code, pointer = null], index) => (code ? [[index + 2, code, pointer]] : []))
    expect((await rejectsOf(done.id)).map(({ line, code, pointer }) => [line, code, pointer])).toEqual(wanted)
    expect(await paymentsOf(id)).toEqual([
      ['A', 100],
      ['Z', 900],
    ])
  })

  test('C73: with a column too many or one missing is refused at once', async () => {
    for (const header of ['invoice,reference,amount,received', 'invoice,reference,amount,received,method,note']) {
      const { status, body } = await fixture.call('POST', '/v1/imports?type=invoice_payments', { csv: `${header}\n` })
      expect([status, body.code]).toEqual([422, 'unknown_column'])
    }
  })

  test('that cannot be read to its end records nothing, however many lines come before', async () => {
    const { id } = await invoiceOf(50_000)
    const good = Array.from({ length: 2 * batchLines }, (_, index) => `${id},R${index},1.00,2026-11-02,bank`)
    const done = await take(csvOf(...good, `${id},"R,1.00,2026-11-02,bank`))
    const error = { code: 'invalid_body', line: good.length + 2 }
    expect(done).toMatchObject({ status: 'failed', lines: 0, error })
    expect(await paymentsOf(id)).toEqual([])
  })

  test('names no integration, no days and no source', async () => {
    for (const name of ['integration_id', 'covers_from', 'covers_to', 'source']) {
      const path = `/v1/imports?type=invoice_payments&${name}=2026-11-01`
      const { status, body } = await fixture.call('POST', path, { csv: csvOf() })
      expect([name, status, body.code]).toEqual([name, 400, 'invalid_parameter'])
    }
  })
})

/** Runs `fn` while whoever locks the invoice waits; `waiting`: until so many do, their processes. */
async function whileHeld<T>(id: string, fn: (waiting: (count: number) => Promise<number[]>) => Promise<T>): Promise<T> {
  const client = await fixture.adminPool.connect()
  const found = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  try {
    await client.query('begin')
    await client.query('select from api.invoices where id = $1 for update', [id])
    return await fn(async (count) => {
      const deadline = Date.now() + 60_000
      for (;;) {
        const { rows } = await fixture.adminPool.query<{ pid: number }>(found)
        if (rows.length >= count) return rows.map(({ pid }) => pid)
        if (Date.now() > deadline) throw new Error('not in time')
      }
    })
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('the turns', () => {
  /** More than a chunk: every second line has a text that is too long. */
  const large = (id: string) => {
    const lines = Array.from({ length: 2 * batchLines + 50 }, (_, index) =>
      index % 2 === 0
        ? `${id},R${index},1.00,2026-11-02,bank`
        : `${id},R${index},1.00,2026-11-02,"${'é\n'.repeat(5_000)}"`,
    )
    return csvOf(...lines)
  }

  test('of a large file let another workspace go first', async () => {
    const { id } = await invoiceOf(50_000)
    const mine = await send(large(id))
    const theirs = await send(csvOf('2026-000001,R,1.00,2026-11-02,bank'), { as: 'b' })
    while ((await read(theirs, 'b')).status !== 'completed_with_errors') expect(await once()).toBe(true)
    expect((await read(mine)).status).toBe('running')
    expect((await paymentsOf(id)).length).toBeLessThan(batchLines)
    await fixture.work()
    expect(await read(mine)).toMatchObject({ lines: 250, accepted: 125, rejected: 125 })
    // Each of the rejected lines takes 5,001 lines of the file.
    const rejects = await rejectsOf(mine)
    const lineOf = (index: number) => 2 + index + 5_000 * Math.floor(index / 2)
    expect(rejects.map(({ line }) => line)).toEqual(Array.from({ length: 125 }, (_, n) => lineOf(2 * n + 1)))
    expect(await invoice(id)).toMatchObject({ amount_paid: 12_500 })
  })

  test('C72: of a worker that is lost amid one are taken anew by another, and no payment is lost or recorded twice', async () => {
    const { id } = await invoiceOf(50_000)
    const file = await send(large(id))
    await once()
    await once()
    expect((await paymentsOf(id)).length).toBe(batchLines / 2)
    const turn = await whileHeld(id, async (waiting) => {
      const lost = once()
      const [pid] = await waiting(1)
      await fixture.adminPool.query('select pg_terminate_backend($1)', [pid])
      return { lost }
    })
    await turn.lost
    await fixture.adminPool.query('update api.import_work set due = now()')
    await fixture.work()
    expect(await read(file)).toMatchObject({ status: 'completed_with_errors', lines: 250, accepted: 125, unchanged: 0 })
    expect(await paymentsOf(id)).toEqual(Array.from({ length: 125 }, (_, n) => [`R${2 * n}`, 100]))
  })

  test('C72: of an invoice that is paid by hand at the same instant, first or second, record a payment of one reference once', async () => {
    for (const isFirst of [true, false]) {
      const { id } = await invoiceOf(50_000)
      const file = await send(csvOf(`${id},R,1.00,2026-11-02,bank`, `${id},S,2.00,2026-11-02,bank`))
      await once()
      const payment = { amount: 100, received: '2026-11-02', method: 'bank', reference: 'R' }
      const byHand = () => invoices.act(id, 'record-payment', payment)
      const both = await whileHeld(id, async (waiting) => {
        const first = isFirst ? once() : byHand()
        await waiting(1)
        const second = isFirst ? byHand() : once()
        await waiting(2)
        return { first, second }
      })
      const [first, second] = [await both.first, await both.second]
      const answer = (isFirst ? second : first) as Awaited<ReturnType<typeof byHand>>
      // Who pays by hand has to have seen what the file changed.
      expect([answer.status, answer.body.code]).toEqual(isFirst ? [412, 'precondition_failed'] : [200, undefined])
      expect(await read(file)).toMatchObject({ lines: 2, accepted: 2, rejected: 0, unchanged: isFirst ? 0 : 1 })
      expect(await invoice(id)).toMatchObject({ amount_paid: 300 })
      expect((await paymentsOf(id)).map(([reference]) => reference)).toEqual(['R', 'S'])
      const told = await invoices.told(id)
      expect(told).toEqual(['invoice.generated', 'invoice.partially_paid', 'invoice.partially_paid'])
    }
  })

  test('regression: write each invoice once, however many of its payments they record', async () => {
    const { id } = await invoiceOf(50_000)
    const other = await invoiceOf(700)
    const writes = async () => {
      const { rows } = await fixture.adminPool.query<{ id: string; n: number }>(
        'select id, count(*)::integer as n from written group by id',
      )
      return new Map(rows.map((row) => [row.id, row.n]))
    }
    await fixture.adminPool.query(
      `create table public.written (id text);
       create function public.note_write() returns trigger language plpgsql security definer as
         'begin insert into public.written values (new.id); return null; end';
       create trigger written after update on api.invoices for each row execute function public.note_write()`,
    )
    const lines = Array.from({ length: 2 * batchLines }, (_, n) => `${n === 7 ? other.id : id},R${n},1,2026-11-02,bank`)
    expect(await take(csvOf(...lines))).toMatchObject({ accepted: 2 * batchLines, rejected: 0 })
    expect(await writes()).toEqual(
      new Map([
        [id, 2],
        [other.id, 1],
      ]),
    )
    await fixture.adminPool.query('drop trigger written on api.invoices')
    expect(await invoice(id)).toMatchObject({ amount_paid: 100 * (2 * batchLines - 1) })
    expect(await invoices.told(id)).toHaveLength(2 * batchLines)
  })

  test('of a file that is canceled amid them end, and what is recorded stays and is counted', async () => {
    const { id } = await invoiceOf(50_000)
    const file = await send(large(id))
    await once()
    await once()
    const { status, body } = await fixture.call('POST', `/v1/imports/${file}/cancel`)
    expect([status, body.status, body.lines, body.accepted, body.rejected]).toEqual([200, 'canceled', 100, 50, 50])
    expect(await once()).toBe(false)
    expect(await paymentsOf(id)).toHaveLength(50)
    const { rows } = await fixture.adminPool.query('select from api.import_chunks where import_id = $1', [file])
    expect(rows).toEqual([])
  })
})

test('C71, C72: files of any lines in any order pay what an oracle of them says, and nothing when they are sent again', async () => {
  const line = fc.record({
    invoice: fc.nat(2),
    reference: fc.nat(60),
    amount: fc.integer({ min: -50, max: 900 }),
    isBad: fc.nat(9).map((n) => n === 0),
    gap: fc.nat(3),
  })
  const lines = fc.array(line, { minLength: 1, maxLength: 2 * batchLines + 30, size: 'max' })
  await fc.assert(
    fc.asyncProperty(lines, fc.boolean(), async (given, isJson) => {
      const made = [await invoiceOf(9_000), await invoiceOf(900_000), await invoiceOf(40)]
      const due = [9_000, 900_000, 40]
      const paid = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
      const wanted: [number, string][] = []
      const recorded: string[] = isJson ? [] : ['invoice,reference,amount,received,method']
      for (const { invoice: at, reference: n, amount, isBad, gap } of given) {
        recorded.push(...Array.from({ length: gap }, () => ''))
        const [reference, text] = [`R${n}`, isBad ? 'x' : (amount / 100).toFixed(2)]
        const { id } = made[at] ?? { id: '' }
        const cells = { invoice: id, reference, amount: text, received: '2026-11-02', method: 'bank' }
        recorded.push(isJson ? JSON.stringify(cells) : Object.values(cells).join(','))
        const [before, left] = [paid[at]?.get(reference), due[at] ?? 0]
        if (isBad) wanted.push([recorded.length, 'bad_number'])
        else if (before !== undefined && before !== amount) wanted.push([recorded.length, 'duplicate_key'])
        else if (before === undefined && left === 0) wanted.push([recorded.length, 'not_payable'])
        else if (before === undefined && (amount <= 0 || amount > left)) wanted.push([recorded.length, 'overpayment'])
        else if (before === undefined) {
          paid[at]?.set(reference, amount)
          due[at] = left - amount
        }
      }
      const text = `${recorded.join('\n')}\n`
      const first = await take(text, isJson ? ndjson : {})
      const [lines, rejected] = [given.length, wanted.length]
      expect(first).toMatchObject({ lines, rejected, accepted: lines - rejected })
      expect((await rejectsOf(first.id)).map(({ line, code }) => [line, code])).toEqual(wanted)
      for (const [at, { id }] of made.entries()) expect(await paymentsOf(id)).toEqual([...(paid[at] ?? [])])
      const again = await take(text, isJson ? ndjson : {})
      expect([again.lines, again.accepted, again.unchanged]).toEqual([lines, again.unchanged, again.accepted])
      for (const [at, { id }] of made.entries()) expect(await paymentsOf(id)).toEqual([...(paid[at] ?? [])])
    }),
    { numRuns: 6 },
  )
})

describe('scopes', () => {
  test('B3: of the type open an import; a list shows those of types that may be read', async () => {
    const [payments, rates] = [
      await send(csvOf('2026-000001,R,1.00,2026-11-02,bank')),
      String((await fixture.call('POST', '/v1/imports?type=fx_rates', { csv: 'date,base,quote,rate\n' })).body.id),
    ]
    const asked = async (scope: 'invoices:read' | 'invoices:write' | 'integrations:read' | 'stats:read') => {
      const call = (method: string, path: string, csv?: string) =>
        fixture.call(method, path, withoutUndefined({ as: scope, csv }))
      const { body, status } = await call('GET', '/v1/imports?limit=100')
      const filtered = await call('GET', '/v1/imports?type=fx_rates,invoice_payments')
      const types = new Set(((body.data ?? []) as Row[]).map(({ type }) => type))
      return {
        types: status === 200 ? [...types].sort() : status,
        filtered: new Set(((filtered.body.data ?? []) as Row[]).map(({ type }) => type)).size,
        payments: (await call('GET', `/v1/imports/${payments}`)).status,
        errors: (await call('GET', `/v1/imports/${payments}/errors`)).status,
        rates: (await call('GET', `/v1/imports/${rates}`)).status,
        takes: (await call('POST', '/v1/imports?type=invoice_payments', csvOf())).status,
        ratesTaken: (await call('POST', '/v1/imports?type=fx_rates', csvOf())).status,
      }
    }
    const none = { filtered: 0, payments: 403, errors: 403, rates: 403, takes: 403, ratesTaken: 403 }
    expect(await asked('invoices:read')).toEqual({
      ...none,
      types: ['invoice_payments'],
      filtered: 1,
      payments: 200,
      errors: 200,
    })
    expect(await asked('integrations:read')).toEqual({ ...none, types: ['fx_rates'], filtered: 1, rates: 200 })
    expect(await asked('invoices:write')).toEqual({ ...none, types: 403, takes: 202 })
    expect(await asked('stats:read')).toEqual({ ...none, types: 403 })
    const canceled = await fixture.call('POST', `/v1/imports/${payments}/cancel`, { as: 'integrations:write' })
    expect([canceled.status, canceled.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="wds", error="insufficient_scope", scope="invoices:write"',
    ])
    await fixture.work()
  })
})
