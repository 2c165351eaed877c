// For tests of exports: rows to export, and exports through the public door. It never stands in a running service.
import { gunzipSync } from 'node:zlib'
import type { Answer, Fixture } from '../api-service.fixture.ts'
import { CsvSplitter } from '../sources/domain/split-csv.ts'

export type Exports = ReturnType<typeof exportsOf>

/** What tests do with exports of a fixture. */
export function exportsOf(fixture: Fixture) {
  const create = async (
    query: object,
    o: { type?: string; format?: string; compression?: string; as?: 'a' | 'b' } = {},
  ) => {
    const { as = 'a', ...form } = o
    const json = { type: 'stats', format: 'csv', ...form, query }
    const answer = await fixture.call('POST', '/v1/exports', { as, json })
    if (answer.status !== 202) throw new Error(`an export was refused: ${answer.text}`)
    return String(answer.body.id)
  }
  const read = async (id: string, o: { as?: 'a' | 'b' } = {}): Promise<Answer['body']> =>
    (await fixture.call('GET', `/v1/exports/${id}`, o)).body
  const file = (id: string, o: Parameters<Fixture['call']>[2] = {}) => fixture.call('GET', `/v1/exports/${id}/file`, o)
  return {
    create,
    read,
    file,
    /** The text of a file that is packed. */
    async unpackedOf(id: string): Promise<string> {
      const answer = await fetch(fixture.url(`/v1/exports/${id}/file`), { headers: { authorization: 'Bearer a' } })
      const shown = [answer.status, answer.headers.get('content-type'), answer.headers.get('content-encoding')]
      if (shown.join() !== '200,application/gzip,') throw new Error(`no packed file: ${shown.join()}`)
      return gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('utf8')
    },
    /** The text of the file of an export that is made now. */
    async textOf(...asked: Parameters<typeof create>): Promise<string> {
      const id = await create(...asked)
      await fixture.makeExports()
      const found = await read(id)
      const { text, headers } = await file(id)
      const isWhole = headers.get('content-length') === String(found.bytes)
      if (found.status !== 'completed' || !isWhole) throw new Error(`not made: ${JSON.stringify(found)}`)
      return text
    },
    /** As many copies of the only row of an integration, by campaign; day 2026-01-05, clicks 1 to `count`. */
    async rowsOf(count: number): Promise<string> {
      const id = await fixture.createIntegration({ name: `Rows ${count}` })
      await upload(fixture, id, 'date,clicks,campaign,ngr\n2026-01-05,0,none,1.25\n')
      await fixture.adminPool.query(
        `insert into api.stats_rows select copied.*
           from api.stats_rows r, generate_series(1, $2) n, jsonb_populate_record(r, jsonb_build_object(
             'campaign_external_id', 'c' || n, 'row_key', n::text, 'clicks', n)) copied
          where r.integration_id = $1`,
        [id, count - 1],
      )
      return id
    },
    upload: (id: string, csv: string) => upload(fixture, id, csv),
  }
}

/** As many copies of an invoice, a draft each, each a millisecond older than the one before. */
export async function copiesOf(fixture: Fixture, o: { id: string; count: number }): Promise<void> {
  await fixture.adminPool.query(
    `insert into api.invoices select copied.*
       from api.invoices r, generate_series(1, $2) n, jsonb_populate_record(r, jsonb_build_object(
         'id', left(r.id, 22) || lpad(n::text, 8, '0'), 'created', r.created - n * interval '1 millisecond')) copied
      where r.id = $1`,
    [o.id, o.count],
  )
}

/**
 * So many sub-affiliates of a plan of their own, each with a name and one entry of the ledger in the month. `change`: gives them all
 * another name and another entry.
 */
export async function subAffiliatesOf(
  fixture: Fixture,
  o: { count: number; month: string },
): Promise<{ plan: string; change: () => Promise<unknown> }> {
  const { adminPool, workspaces } = fixture
  const made = async (path: string, json: object) => {
    const headers = { 'idempotency-key': `${path}-${o.month}` }
    return String((await fixture.call('POST', path, { json, headers })).body.id)
  }
  const plan = await made('/v1/commission-plans', { name: 'Standard', type: 'revshare', revshare_bps: 3_000 })
  const jane = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', plan_id: plan, invite: false }
  const first = await made('/v1/sub-affiliates', jane)
  const entries = (n: number) =>
    adminPool.query(
      `insert into api.ledger_entries (workspace_id, id, sub_affiliate_id, number, kind, amount, currency, month, source, source_id, balance_after)
       select workspace_id, 'led_' || right(id, 24) || $2, id, 0, 'adjustment', 100, 'EUR', $3, 'test', id || $2, 0
       from api.sub_affiliates where workspace_id = $1 and plan_id = $4`,
      [workspaces.a, `-${n}`, o.month, plan],
    )
  const copied = (table: string, column: string) =>
    adminPool.query(
      `insert into api.${table} select copied.* from api.${table} r, generate_series(1, $2) n,
         jsonb_populate_record(r, jsonb_build_object($3::text, left(r.${column}, 22) || lpad(n::text, 8, '0'))) copied
       where r.${column} = $1`,
      [first, o.count - 1, column],
    )
  await copied('sub_affiliates', 'id')
  await copied('sub_affiliate_profiles', 'sub_affiliate_id')
  await entries(1)
  const change = async () => {
    await adminPool.query(`update api.sub_affiliate_profiles set name = 'changed'`)
    await entries(2)
  }
  return { plan, change }
}

async function upload(fixture: Fixture, id: string, csv: string): Promise<void> {
  const { status, text } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  if (status !== 202) throw new Error(`an upload was refused: ${text}`)
  await fixture.work()
}

/** Records of a CSV text, as a reader finds them. */
export function recordsOf(text: string): (string[] | null)[] {
  const splitter = new CsvSplitter()
  return [...splitter.push(Buffer.from(text)), ...splitter.end()].map(({ cells }) => cells)
}
