// Files of payments and of rates whose reader is killed: what they say, the moment amid their reading, and what came of them.
import pg from 'pg'
import type { Client } from '../../harness/client.ts'
import { type HeldLock, holdLock } from '../../harness/held-lock.ts'

const csv = { 'content-type': 'text/csv' }
/** More than two batches of 100 lines to the first invoice, so that the third one waits for the second. */
const linesEach = 250

export const fileTypes = ['invoice_payments', 'fx_rates'] as const
export type FileType = (typeof fileTypes)[number]

export interface KilledFiles {
  /** Sends a file; its import. */
  send(client: Client, type: FileType): Promise<string>
  /** Has the reading of the file that is sent next stand still: of payments behind some that are recorded, of rates as they are stored; until `release`. */
  amid(type: FileType): Promise<HeldLock>
  /** References that are recorded, and what is paid, by invoice; rates and sets of rates. */
  effects(): Promise<{ recorded: string[]; paid: number[]; rates: number; sets: number }>
  lines: Record<FileType, number>
}

/** `adminUrl`: of the database of the api service, as superuser. The brand is there. */
export async function prepareFiles(o: { client: Client; adminUrl: string; brand: string }): Promise<KilledFiles> {
  const { brand, adminUrl } = o
  const ids = [await invoiceOf(o.client, brand, '01'), await invoiceOf(o.client, brand, '02')]
  const payments = ids.flatMap((id) =>
    Array.from({ length: linesEach }, (_, n) => `${id},${id.slice(-4)}-${n},1.00,2026-03-01,bank\n`),
  )
  const days = Array.from({ length: 300 }, (_, n) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10))
  const texts = {
    invoice_payments: `invoice,reference,amount,received,method\n${payments.join('')}`,
    fx_rates: `date,base,quote,rate\n${days.map((day, n) => `${day},EUR,USD,1.${n + 1}\n`).join('')}`,
  }
  const locks = {
    invoice_payments: `select from api.invoices where id = '${ids[1]}' for update`,
    fx_rates: 'lock table api.fx_rates in share mode',
  }
  const connect = async () => {
    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    return admin
  }
  return {
    lines: { invoice_payments: payments.length, fx_rates: days.length },
    async send(client, type) {
      const query = type === 'fx_rates' ? `${type}&source=bank` : type
      const { status, body } = await client(`/v1/imports?type=${query}`, { text: texts[type], headers: csv })
      if (status !== 202) throw new Error(`a file was refused: ${JSON.stringify(body)}`)
      return body.id
    },
    amid: (type) => holdLock(adminUrl, { lock: locks[type], waiting: 1, what: 'the file is read' }),
    async effects() {
      const admin = await connect()
      try {
        const ask = async <T>(sql: string, values: unknown[] = []) => (await admin.query(sql, values)).rows as T[]
        const recorded = await ask<{ reference: string }>(
          `select data->'payment'->>'reference' as reference from api.stream_events
           where event_type = 'PaymentRecorded' and stream_id = any($1)`,
          [ids],
        )
        const paid = await ask<{ paid: number }>(
          `select (summary->'totals'->>'amount_paid')::integer as paid from api.invoices where id = any($1) order by id`,
          [ids],
        )
        const [counts = { rates: 0, sets: 0 }] = await ask<{ rates: number; sets: number }>(
          `select count(*)::integer as rates, count(distinct set_number)::integer as sets from api.fx_rates`,
        )
        return {
          recorded: recorded.map(({ reference }) => reference),
          paid: paid.map((row) => row.paid),
          ...counts,
        }
      } finally {
        await admin.end()
      }
    },
  }
}

/** One that is generated and large enough. */
export async function invoiceOf(client: Client, brand_slug: string, month: string): Promise<string> {
  const line_items = [{ kind: 'flat', description: 'Fee', amount: 1_000_000 }]
  const period = { from: `2026-${month}-01`, to: `2026-${month}-28` }
  const draft = await client('/v1/invoices', { json: { brand_slug, period, currency: 'EUR', line_items } })
  const headers = { 'if-match': draft.headers.get('etag') ?? '', 'idempotency-key': `generate-${month}` }
  const { status, body } = await client(`/v1/invoices/${draft.body.id}/generate`, { json: {}, headers })
  if (status !== 200) throw new Error(`an invoice was refused: ${JSON.stringify([draft.body, body])}`)
  return body.id
}
