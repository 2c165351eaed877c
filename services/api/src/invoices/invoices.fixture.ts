// What suites of invoices do over and over: brands with rows of their own, days made final, drafts, actions by the version seen.
import assert from 'node:assert/strict'
import { createPool, type Pool } from '@wds/postgres/pool'
import type { Answer, Fixture } from '../api-service.fixture.ts'

export const hour = 3_600_000
export const january = { from: '2026-01-01', to: '2026-01-31' }
export const february = { from: '2026-02-01', to: '2026-02-28' }

export interface Line {
  kind: string
  amount: number
  description: string
}
export const linesOf = ({ body }: Answer) => (body.line_items as Line[]).map(({ kind, amount }) => [kind, amount])

type Options = NonNullable<Parameters<Fixture['call']>[2]>
export type Invoicing = ReturnType<typeof invoicing>

export function invoicing(fixture: Fixture) {
  const pools: Pool[] = []
  const later = (offsetMs: number): Pool => {
    const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${Math.round(offsetMs)}`
    const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
    pools.push(pool)
    return pool
  }
  let calls = 0
  const etagOf = async (id: string) => (await fixture.call('GET', `/v1/invoices/${id}`)).headers.get('etag') ?? ''

  return {
    later,
    async stop(): Promise<void> {
      for (const pool of pools) await pool.end()
    },
    /** With an Idempotency-Key of its own, and the version that the invoice has now. */
    async act(id: string, action: string, json: object = {}, o: Options = {}): Promise<Answer> {
      calls += 1
      const headers = { 'if-match': await etagOf(id), 'idempotency-key': `call-${calls}`, ...o.headers }
      return fixture.call('POST', `/v1/invoices/${id}/${action}`, { json, ...o, headers })
    },
    async patch(id: string, json: object): Promise<Answer> {
      return fixture.call('PATCH', `/v1/invoices/${id}`, { json, headers: { 'if-match': await etagOf(id) } })
    },
    /** A brand with an integration of its own, so that each story has its own rows. */
    async brand(slug: string): Promise<(rows: string) => Promise<void>> {
      const id = await fixture.createIntegration({ name: slug, brand_slug: slug })
      return async (rows) => {
        const csv = `date,campaign,currency,qualified_ftds,cpa_commission,revshare_commission\n${rows}`
        const { status } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
        assert.equal(status, 202)
        await fixture.work()
      }
    },
    async draftOf(brand_slug: string, period = january, more: object = {}): Promise<string> {
      const json = { brand_slug, period, currency: 'EUR', ...more }
      const { status, body, text } = await fixture.call('POST', '/v1/invoices', { json })
      assert.equal(status, 201, text)
      return String(body.id)
    },
    settle: () => fixture.days(later(7 * hour)),
    /** Types of the events that were told of it, in their order. */
    async told(id: string): Promise<string[]> {
      const { rows } = await fixture.adminPool.query<{ type: string }>(
        `select convert_from(payload, 'utf8')::jsonb->>'type' as type from api.outbox
         where convert_from(payload, 'utf8')::jsonb->'data'->>'invoice_id' = $1 order by id`,
        [id],
      )
      return rows.map(({ type }) => type).filter((type) => type.startsWith('invoice.'))
    },
  }
}
