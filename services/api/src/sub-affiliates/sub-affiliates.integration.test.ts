// Commission plans and sub-affiliates through the public door (domain.md 3.8).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@wds/aggregate/new-id'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { noteWorkspaceName } from '../settings/store-workspace-names.ts'

let fixture: Fixture
let plan: string
beforeAll(async () => {
  fixture = await startFixture()
  plan = await makePlan({})
})
afterAll(() => fixture?.stop())

const dayMs = 86_400_000

async function makePlan(terms: object): Promise<string> {
  const json = { name: 'Standard', type: 'revshare', revshare_bps: 3_000, ...terms }
  const { status, body } = await fixture.call('POST', '/v1/commission-plans', { json })
  expect(status).toBe(201)
  return String(body.id)
}

const jane = { name: 'Jane Doe', email: 'jane.doe@example.com', payout_currency: 'EUR' }
function invite(fields: object = {}): Promise<Answer> {
  return fixture.call('POST', '/v1/sub-affiliates', { json: { ...jane, plan_id: plan, ...fields } })
}
const act = (id: unknown, action: string, json: object = {}) =>
  fixture.call('POST', `/v1/sub-affiliates/${id}/${action}`, { json })
const read = async (id: unknown) => (await fixture.call('GET', `/v1/sub-affiliates/${id}`)).body

/** What was told of a sub-affiliate, in its order. */
async function told(id: unknown): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    `select payload from api.outbox where convert_from(payload, 'UTF8') like $1 order by id`,
    [`%${id}%`],
  )
  return rows.map(({ payload }) => JSON.parse(payload.toString()))
}

/** Does the worker's work by a clock that is so far ahead. */
async function later(aheadMs: number): Promise<void> {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${aheadMs}`
  const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 2 })
  await fixture.subAffiliates(pool)
  await pool.end()
}

describe('a commission plan', () => {
  test('keeps its terms; its name changes with If-Match', async () => {
    const id = await makePlan({ type: 'hybrid', cpa: { amount: 5_000, currency: 'EUR' }, base: 'ngr' })
    const path = `/v1/commission-plans/${id}`
    const rename = (headers: Record<string, string>) =>
      fixture.call('PATCH', path, { json: { name: 'Autumn' }, headers })
    expect((await rename({})).status).toBe(428)
    expect((await rename({ 'if-match': '"v1"' })).body).toMatchObject({
      name: 'Autumn',
      version: 2,
      revshare_bps: 3_000,
    })
    const other = await fixture.call('PATCH', path, { json: { revshare_bps: 1 }, headers: { 'if-match': '"v2"' } })
    expect(other.status).toBe(422)
    expect((await fixture.call('GET', path, { as: 'b' })).status).toBe(404)
    expect((await fixture.call('GET', '/v1/commission-plans?limit=1')).body.data).toMatchObject([{ id }])
  })
  test('whose terms are not those of its type is refused', async () => {
    const json = { name: 'None', type: 'cpa' }
    const { status, body } = await fixture.call('POST', '/v1/commission-plans', { json })
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/cpa', code: 'required' }]])
  })
})

describe('an invitation', () => {
  const tokenOf = (answer: Answer) => String(answer.body.invitation_url).split('/').at(-1)
  const acceptPath = (token: unknown) => `/v1/sub-affiliate-invitations/${token}/accept`
  const accept = (token: unknown) => fetch(fixture.url(acceptPath(token)), { method: 'POST' })

  test('is accepted once; used, expired and unknown tokens are one and the same 404; only the digest is stored', async () => {
    const invited = await invite({ country: 'DE' })
    expect([invited.status, invited.body.status, invited.body.joined]).toEqual([201, 'invited', null])
    expect(invited.headers.get('cache-control')).toBe('no-store')
    const token = tokenOf(invited)
    const stored = await fixture.adminPool.query(
      'select row_to_json(i)::text as text from api.sub_affiliate_invitations i',
    )
    expect(stored.rows.map(({ text }) => text).join()).not.toContain(token)
    const first = await accept(token)
    expect([first.status, await first.json()]).toEqual([
      200,
      { object: 'sub_affiliate_invitation', status: 'accepted' },
    ])
    expect(await read(invited.body.id)).toMatchObject({ status: 'active', version: 2, invitation_expires: null })
    const expiredOne = await invite()
    await fixture.adminPool.query(`update api.sub_affiliate_invitations set expires = now() - interval '1 s'`)
    const refusals = await Promise.all([token, tokenOf(expiredOne), 'x'.repeat(43), 'no-token'].map(accept))
    const bodies = await Promise.all(
      refusals.map(async (one) => ({ ...((await one.json()) as object), request_id: '' })),
    )
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(bodies.map((body) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1)
    expect((await told(invited.body.id)).map(({ type, data }) => [type, data.country])).toEqual([
      ['sub_affiliate.invited', undefined],
      ['sub_affiliate.joined', 'DE'],
    ])
  })

  test('of two that accept at once one does', async () => {
    const token = tokenOf(await invite())
    const answers = await Promise.all([accept(token), accept(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  const pageOf = (token: unknown) => fixture.url(`/v1/sub-affiliate-invitations/${token}`)

  test('leads to a page that says which workspace invites and names no person, accepts nothing when it is opened, and accepts by its form without JavaScript', async () => {
    const { a: workspaceId } = fixture.workspaces
    const named = { workspaceId, name: 'Nord & Söhne', eventId: newId('evt', Date.now()) }
    await withTransaction(fixture.workerPool, { workspaceId: null }, (tx) => noteWorkspaceName(tx, named))
    const invited = await invite()
    const url = pageOf(tokenOf(invited))
    const page = await fetch(url)
    const html = await page.text()
    expect([page.status, page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual([
      ...[200, 'no-referrer', 'no-store'],
    ])
    expect(html).toContain('<form method="post">')
    expect(html).toContain('Join <bdi>Nord &amp; Söhne</bdi> as a sub-affiliate')
    expect(html).not.toMatch(/<script|Jane|jane/)
    const style = await fetch(new URL(/rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? '', url))
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect((await read(invited.body.id)).status).toBe('invited')
    const posted = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([posted.status, (await posted.text()).includes('You have joined')]).toEqual([200, true])
    expect((await read(invited.body.id)).status).toBe('active')
  })

  test('regression: a link that is good no more says why, and what to do; its form accepts nothing', async () => {
    const [used, replaced, withdrawn, expired] = [await invite(), await invite(), await invite(), await invite()]
    await accept(tokenOf(used))
    await act(replaced.body.id, 'invite')
    await act(withdrawn.body.id, 'remove', { reason: 'other' })
    await fixture.adminPool.query(
      `update api.sub_affiliate_invitations set expires = now() - interval '1 s' where sub_affiliate_id = $1`,
      [expired.body.id],
    )
    const links = [used, replaced, withdrawn, expired].map((one) => pageOf(tokenOf(one)))
    const heading = async (url: string, method: string) => {
      const answer = await fetch(url, { method })
      return [answer.status, /<h1>(.+)<\/h1>/.exec(await answer.text())?.[1]]
    }
    for (const method of ['GET', 'POST']) {
      const shown = await Promise.all([...links, pageOf('x'.repeat(43))].map((url) => heading(url, method)))
      expect(shown).toEqual([
        [410, 'This invitation was accepted already'],
        [410, 'There is a newer invitation'],
        [410, 'This invitation was withdrawn'],
        [410, 'This invitation has run out'],
        [404, 'This link leads nowhere'],
      ])
    }
    expect((await read(replaced.body.id)).status).toBe('invited')
  })

  test('expires after 14 days, and not before; then there may be another one', async () => {
    const invited = await invite()
    const again = () => act(invited.body.id, 'invite')
    await later(14 * dayMs - 60_000)
    expect((await read(invited.body.id)).status).toBe('invited')
    await later(14 * dayMs + 1_000)
    expect(await read(invited.body.id)).toMatchObject({ status: 'expired', invitation_expires: null })
    expect((await accept(tokenOf(invited))).status).toBe(404)
    const second = await again()
    expect([second.status, second.body.status]).toEqual([200, 'invited'])
    expect((await accept(tokenOf(second))).status).toBe(200)
  })

  test('regression: one that was lost is replaced before it expires: the new link alone is good, for 14 days from then on', async () => {
    const lost = await invite({ external_id: 'sub-lost' })
    const second = await act(lost.body.id, 'invite')
    expect([second.status, second.body.status, second.body.external_id]).toEqual([200, 'invited', 'sub-lost'])
    expect((await accept(tokenOf(lost))).status).toBe(404)
    const { rows } = await fixture.adminPool.query<{ due: Date }>(
      'select due from api.sub_affiliate_work where subject = $1',
      [lost.body.id],
    )
    expect(rows.map(({ due }) => due.toISOString())).toEqual([second.body.invitation_expires])
    expect((await accept(tokenOf(second))).status).toBe(200)
  })

  test('is not needed by one that is added as active', async () => {
    const { body } = await invite({ invite: false })
    expect([body.status, body.invitation_url, (await told(body.id)).map(({ type }) => type)]).toEqual([
      ...['active', undefined, ['sub_affiliate.joined']],
    ])
  })
})

describe('personal data', () => {
  test('is masked in lists, and in no event, stream, row or stored answer', async () => {
    const who = { name: 'Zoe Unique', email: 'zoe.unique@example.com' }
    const details = { iban: 'DE00 1234 5678' }
    const key = { 'idempotency-key': 'zoe-1' }
    const json = { ...jane, ...who, plan_id: plan, payout_method: { type: 'bank', details } }
    const { body } = await fixture.call('POST', '/v1/sub-affiliates', { json, headers: key })
    expect(body).toMatchObject({
      ...who,
      payout_method: { type: 'bank', fingerprint: expect.stringMatching(/^…[0-9a-f]{4}$/) },
    })
    const { body: list } = await fixture.call('GET', '/v1/sub-affiliates?limit=1')
    expect(list.data).toMatchObject([{ id: body.id, name: who.name, email: 'z***@example.com' }])
    const renamed = await fixture.call('PATCH', `/v1/sub-affiliates/${body.id}`, {
      json: { email: 'zoe.unique2@example.com' },
    })
    expect(renamed.body).toMatchObject({ email: 'zoe.unique2@example.com', version: 2 })
    expect((await told(body.id)).at(-1)).toMatchObject({ type: 'sub_affiliate.updated', data: { changed: ['email'] } })
    const tables = await fixture.adminPool.query<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = 'api' and table_type = 'BASE TABLE'`,
    )
    const holding: string[] = []
    for (const { table_name } of tables.rows) {
      const { rows } = await fixture.adminPool.query<{ text: string }>(
        `select coalesce(string_agg(row_to_json(t)::text, ' '), '') as text from api.${table_name} t`,
      )
      const hex = (text: string) => Buffer.from(text).toString('hex')
      const wanted = ['Zoe Unique', 'zoe.unique', '1234 5678']
      if (wanted.some((word) => rows[0]?.text.includes(word) || rows[0]?.text.includes(hex(word))))
        holding.push(table_name)
    }
    expect(holding).toEqual(['sub_affiliate_profiles'])
  })

  test('is erased 90 days after the removal, and not before', async () => {
    const { body } = await invite({ invite: false, payout_method: { type: 'paypal', details: { account: 'x' } } })
    expect((await act(body.id, 'remove', { reason: 'left' })).body).toMatchObject({
      status: 'removed',
      name: jane.name,
    })
    await later(90 * dayMs - 60_000)
    expect((await read(body.id)).name).toBe(jane.name)
    await later(90 * dayMs + 1_000)
    expect(await read(body.id)).toMatchObject({ name: null, email: null, payout_method: null, status: 'removed' })
    const { rows } = await fixture.adminPool.query(
      `select from api.sub_affiliate_payout_methods where sub_affiliate_id = $1`,
      [body.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a sub-affiliate', () => {
  test('is suspended, reactivated and removed for good, each told', async () => {
    const { body } = await invite({ invite: false })
    expect((await act(body.id, 'suspend', { reason: 'fraud_review' })).body.status).toBe('suspended')
    expect((await act(body.id, 'suspend', { reason: 'other' })).body).toMatchObject({ code: 'invalid_state' })
    expect((await act(body.id, 'reactivate')).body.status).toBe('active')
    expect((await act(body.id, 'remove', { reason: 'terminated' })).body.status).toBe('removed')
    const patched = await fixture.call('PATCH', `/v1/sub-affiliates/${body.id}`, { json: { name: 'Other' } })
    expect([patched.status, patched.body.code, (await read(body.id)).name]).toEqual([409, 'invalid_state', jane.name])
    expect((await told(body.id)).map(({ type, data }) => [type, data.reason])).toEqual([
      ['sub_affiliate.joined', undefined],
      ['sub_affiliate.suspended', 'fraud_review'],
      ['sub_affiliate.reactivated', undefined],
      ['sub_affiliate.removed', 'terminated'],
    ])
  })

  test('has an external id of its own, also after another one was removed', async () => {
    const { body } = await invite({ invite: false, external_id: 'sub-a' })
    await act(body.id, 'remove', { reason: 'left' })
    const taken = await invite({ external_id: 'sub-a' })
    expect([taken.status, taken.body.code]).toEqual([409, 'already_exists'])
    const other = await invite({ external_id: 'sub-b' })
    const patch = await fixture.call('PATCH', `/v1/sub-affiliates/${other.body.id}`, { json: { external_id: 'sub-a' } })
    expect([patch.status, patch.body.code]).toEqual([409, 'already_exists'])
  })

  test('has another plan from a day on, whose cap is in its payout currency', async () => {
    const { body } = await invite({ invite: false, effective_from: '2026-10-01' })
    const [other, dollars] = [await makePlan({}), await makePlan({ cap: { amount: 1, currency: 'USD' } })]
    const refused = await act(body.id, 'plan', { plan_id: dollars })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/plan_id' }]])
    const changed = await act(body.id, 'plan', { plan_id: other, effective_from: '2026-12-01' })
    expect(changed.body).toMatchObject({
      plan_id: other,
      plan_history: [
        { plan_id: plan, effective_from: '2026-10-01' },
        { plan_id: other, effective_from: '2026-12-01' },
      ],
    })
    const data = { plan_id: other, previous_plan_id: plan, effective_from: '2026-12-01' }
    expect((await told(body.id)).at(-1)).toMatchObject({ type: 'sub_affiliate.plan_changed', data })
    const listed = await fixture.call('GET', `/v1/sub-affiliates?plan_id=${other}&status=active`)
    expect(listed.body.data).toMatchObject([{ id: body.id }])
  })

  test('period_closed: no plan begins in a month that is closed', async () => {
    const month = `insert into api.stats_months (workspace_id, id, version, status, state, created, updated)
      values ($1, '2025-01', 1, 'closed', '{"status":"closed"}', now(), now())`
    await fixture.adminPool.query(month, [fixture.workspaces.a])
    const refused = await invite({ effective_from: '2025-01-31' })
    expect([refused.status, refused.body.code]).toEqual([422, 'period_closed'])
    expect((await invite({ effective_from: '2025-02-01' })).status).toBe(201)
  })

  test('regression: nothing is posted to a month that never closes, where it could not be paid out', async () => {
    const { body } = await invite()
    const adjust = (month: string) =>
      fixture.call('POST', `/v1/sub-affiliates/${body.id}/adjustments`, {
        json: { amount: 5, month },
        headers: { 'idempotency-key': month },
      })
    const answers = []
    for (const month of ['0000-01', '1999-12', '9999-12', '2000-01']) answers.push(await adjust(month))
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 201])
    expect(answers[2]?.body.errors).toMatchObject([{ pointer: '/month', code: 'out_of_range' }])
  })

  test('C40: regression: who has an earlier answer is told of a balance that changed since', async () => {
    const { body } = await invite()
    const path = `/v1/sub-affiliates/${body.id}`
    const etag = (await fixture.call('GET', path)).headers.get('etag') ?? ''
    const headers = { 'idempotency-key': String(body.id) }
    await fixture.call('POST', `${path}/adjustments`, { json: { amount: 7 }, headers })
    const again = await fixture.call('GET', path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('etag')]).toEqual([200, etag])
    expect(again.body).toMatchObject({ balance: { pending: 7 } })
  })

  test('of another workspace is not found', async () => {
    const { body } = await invite()
    expect((await fixture.call('GET', `/v1/sub-affiliates/${body.id}`, { as: 'b' })).status).toBe(404)
    expect((await fixture.call('GET', '/v1/sub-affiliates', { as: 'b' })).body.data).toEqual([])
    const plans = await fixture.call('POST', '/v1/sub-affiliates', { as: 'b', json: { ...jane, plan_id: plan } })
    expect(plans.body.errors).toMatchObject([{ pointer: '/plan_id' }])
  })
})
