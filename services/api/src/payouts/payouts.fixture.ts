// What suites of payouts do over and over: sub-affiliates that have earned something, payouts, actions by the version seen.
import assert from 'node:assert/strict'
import { createPool } from '@wds/postgres/pool'
import type { Answer, Fixture } from '../api-service.fixture.ts'

export const minute = 60_000

type Options = NonNullable<Parameters<Fixture['call']>[2]>

export function paying(fixture: Fixture) {
  let calls = 0
  let months = 0
  let plan: unknown = null
  const withKey = (o: Options): Options => {
    calls += 1
    return { ...o, headers: { 'idempotency-key': `paying-${calls}`, ...o.headers } }
  }
  const post = async (path: string, o: Options): Promise<Answer> => {
    const answer = await fixture.call('POST', path, withKey(o))
    assert.equal(answer.status, 201, answer.text)
    return answer
  }

  return {
    /** One that is active, paid in EUR. */
    async subAffiliate(fields: object = {}): Promise<string> {
      const terms = { name: 'Standard', type: 'revshare', revshare_bps: 3_000 }
      plan ??= (await post('/v1/commission-plans', { json: terms })).body.id
      const who = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', plan_id: plan, invite: false }
      return String((await post('/v1/sub-affiliates', { json: { ...who, ...fields } })).body.id)
    },
    /** In a month of its own, which is closed then. */
    async earn(sub: string, amount: number): Promise<string> {
      const month = `${2000 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
      months += 1
      await post(`/v1/sub-affiliates/${sub}/adjustments`, { json: { amount, month } })
      await fixture.adminPool.query(
        `insert into api.stats_months (workspace_id, id, version, status, state, created, updated)
         values ($1, $2, 1, 'closed', '{"status":"closed"}', now(), now())`,
        [fixture.workspaces.a, month],
      )
      return month
    },
    pay: (sub: string, json: object = {}, o: Options = {}) =>
      fixture.call('POST', '/v1/payouts', withKey({ ...o, json: { sub_affiliate_id: sub, ...json } })),
    /** With an Idempotency-Key of its own, and the version that the payout has now. */
    async act(id: unknown, action: string, json: object = {}, o: Options = {}): Promise<Answer> {
      const etag = (await fixture.call('GET', `/v1/payouts/${id}`)).headers.get('etag') ?? ''
      const headers = { 'if-match': etag, ...o.headers }
      return fixture.call('POST', `/v1/payouts/${id}/${action}`, withKey({ json, ...o, headers }))
    },
    read: async (id: unknown) => (await fixture.call('GET', `/v1/payouts/${id}`)).body,
    async balance(sub: string): Promise<unknown[]> {
      const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/balance`)
      return [body.available, body.paid_total]
    },
    /** Kind and amount of its entries, newest first. */
    async ledger(sub: string): Promise<unknown[]> {
      const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/ledger`)
      return (body.data as { kind: string; amount: number }[]).map(({ kind, amount }) => [kind, amount])
    },
    /** Does the worker's work by a clock that is so far ahead. */
    async later(aheadMs: number): Promise<void> {
      const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${Math.round(aheadMs)}`
      const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
      await fixture.subAffiliates(pool)
      await pool.end()
    },
    /** What was told of a payout, in its order. */
    async told(id: unknown): Promise<{ type: string; data: Record<string, unknown> }[]> {
      const { rows } = await fixture.adminPool.query<{ told: { type: string; data: Record<string, unknown> } }>(
        `select convert_from(payload, 'utf8')::jsonb as told from api.outbox
         where convert_from(payload, 'utf8')::jsonb->'data'->>'payout_id' = $1 order by id`,
        [id],
      )
      return rows.map(({ told }) => told)
    },
  }
}
