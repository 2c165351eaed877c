// Campaigns through the public door: made by people, made by the rows of a source, and by which of the two rules rows of unknown ones go.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const path = '/v1/campaigns'
type Listed = { id: string; external_id: string; name: string; status: string }[]

const create = (json: object) => fixture.call('POST', path, { json })
async function listed(query: string): Promise<Listed> {
  const { status, body } = await fixture.call('GET', `${path}?limit=100&${query}`)
  expect(status).toBe(200)
  return body.data as Listed
}
const namesOf = async (query: string) => (await listed(query)).map((one) => one.external_id).sort()

/** The import and its run after an upload. */
async function upload(integrationId: string, csv: string) {
  const { body } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${integrationId}`, { csv })
  await fixture.work()
  const done = await fixture.call('GET', `/v1/imports/${body.id}`)
  const run = await fixture.call('GET', `/v1/sync-runs/${done.body.sync_run_id}`)
  return { done: done.body, run: run.body }
}

async function told(id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
    `select o.payload from api.outbox o join api.stream_events e on e.event_id = o.event_id
     where e.stream_id = $1 order by e.version`,
    [id],
  )
  return rows.map(({ payload }) => JSON.parse(payload.toString()))
}

describe('by hand', () => {
  test('a campaign goes its way, and each step is told', async () => {
    const integration_id = await fixture.createIntegration({ name: 'By hand', brand_slug: 'hand' })
    const deal = { type: 'cpa', cpa: { amount: 12_000, currency: 'EUR' } }
    const made = await create({ name: 'Spring', integration_id, external_id: 'spring', deal, tags: ['q2'] })
    expect([made.status, made.headers.get('location')]).toEqual([201, `${path}/${made.body.id}`])
    expect(made.body).toMatchObject({
      object: 'campaign',
      status: 'draft',
      brand_slug: 'hand',
      integration_id,
      external_id: 'spring',
      version: 1,
      deal: { ...deal, revshare_bps: null, baseline: null, negative_carryover: false },
      starts: null,
    })
    const one = `${path}/${made.body.id}`
    for (const [action, status] of [
      ...[['activate', 'active'] as const, ['pause', 'paused'] as const, ['resume', 'active'] as const],
      ['archive', 'archived'] as const,
    ])
      expect((await fixture.call('POST', `${one}/${action}`)).body.status).toBe(status)
    const refused = await fixture.call('PATCH', one, { json: { name: 'Late' } })
    expect([refused.status, refused.body.code, refused.body.allowed]).toEqual([409, 'invalid_state', []])
    const place = { campaign_id: made.body.id, brand_slug: 'hand' }
    const reason = { reason: 'user', rule_id: null }
    expect((await told(String(made.body.id))).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'campaign.created',
        data: { ...place, integration_id, name: 'Spring', status: 'draft', external_id: 'spring' },
      },
      { type: 'campaign.updated', data: { ...place, changed: ['status'] } },
      { type: 'campaign.paused', data: { ...place, ...reason } },
      { type: 'campaign.resumed', data: { ...place, ...reason } },
      { type: 'campaign.archived', data: place },
    ])
  })

  test('C41: it is changed by who has seen it; a deal is replaced whole', async () => {
    const integration_id = await fixture.createIntegration({ name: 'Changed' })
    const deal = { type: 'hybrid', cpa: { amount: 1, currency: 'EUR' }, revshare_bps: 2_000 }
    const { body } = await create({
      name: 'One',
      integration_id,
      external_id: 'one',
      deal,
      metadata: { a: '1', b: '2' },
    })
    const json = { deal: { type: 'revshare', revshare_bps: 100 }, metadata: { a: null }, starts: '2026-01-01' }
    const change = () => fixture.call('PATCH', `${path}/${body.id}`, { json, headers: { 'if-match': '"v1"' } })
    expect((await change()).body).toMatchObject({
      version: 2,
      metadata: { b: '2' },
      starts: '2026-01-01',
      deal: { type: 'revshare', cpa: null, revshare_bps: 100, baseline: null },
    })
    expect((await change()).status).toBe(412)
    const cleared = await fixture.call('PATCH', `${path}/${body.id}`, { json: { deal: null, starts: null } })
    expect(cleared.body).toMatchObject({
      deal: { type: 'none', revshare_bps: null },
      starts: null,
      metadata: { b: '2' },
    })
    const wrong = await fixture.call('PATCH', `${path}/${body.id}`, {
      json: { deal: { type: 'cpa' }, countries: ['QQ'] },
    })
    expect([wrong.status, (wrong.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)]).toEqual([
      422,
      ['/countries/0', '/deal/cpa'],
    ])
  })

  test('an external id is taken once for each integration, also after archiving, and of many at once one gets it', async () => {
    const integration_id = await fixture.createIntegration({ name: 'Once' })
    const other = await fixture.createIntegration({ name: 'Other' })
    const asked = { name: 'One', external_id: 'same' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ ...asked, integration_id })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const id = answers.find(({ status }) => status === 201)?.body.id
    await fixture.call('POST', `${path}/${id}/archive`)
    const again = await create({ ...asked, integration_id })
    expect([again.status, again.body.code]).toEqual([409, 'already_exists'])
    expect(again.body.errors).toEqual([
      { pointer: '/external_id', code: 'already_exists', detail: `${id} has this external id.` },
    ])
    expect((await create({ ...asked, integration_id: other })).status).toBe(201)
  })

  test('an integration that is not there, or of another workspace, is a fault of the body', async () => {
    const theirs = await fixture.call('POST', '/v1/integrations', {
      as: 'b',
      json: { name: 'Theirs', brand_slug: 'acme', provider: 'csv_upload' },
    })
    for (const integration_id of ['int_nothing', String(theirs.body.id)]) {
      const refused = await create({ name: 'One', integration_id, external_id: 'one' })
      const [error] = refused.body.errors as { pointer: string; code: string }[]
      expect([refused.status, error?.pointer, error?.code]).toEqual([422, '/integration_id', 'invalid_value'])
    }
  })

  test('its tracking address with the sub-id of a sub-affiliate in its place; an address without a place has no such link', async () => {
    const integration_id = await fixture.createIntegration({ name: 'Tracked' })
    const tracking_url = 'https://go.example/c?s={sub_id}'
    const { body: made } = await create({ name: 'Tracked', integration_id, external_id: 'tracked', tracking_url })
    const linkOf = async (id: unknown, query: string) => {
      const { status, body } = await fixture.call('GET', `${path}/${id}/tracking-link?${query}`)
      return status === 200 ? body : status
    }
    const link = { object: 'tracking_link', campaign_id: made.id, sub_id: 'a b' }
    const query = 'sub_affiliate=a%20b'
    expect(await linkOf(made.id, query)).toEqual({ ...link, url: 'https://go.example/c?s=a%20b' })
    expect(await linkOf(made.id, '')).toEqual({ ...link, sub_id: null, url: 'https://go.example/c?s=' })
    const one = `${path}/${made.id}`
    await fixture.call('PATCH', one, { json: { tracking_url: 'https://go.example/c' } })
    expect(await linkOf(made.id, query)).toEqual({ ...link, url: null })
    const refused = await fixture.call('PATCH', one, { json: { tracking_url: 'https://{sub_id}.example' } })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/tracking_url' }]])
    expect(await linkOf(`cmp_${'0'.repeat(26)}`, query)).toBe(404)
  })

  test('a list is filtered by status, brand, integration, external id and tag', async () => {
    const integration_id = await fixture.createIntegration({ name: 'Filters', brand_slug: 'filtered' })
    await create({ name: 'A', integration_id, external_id: 'f-a', tags: ['red', 'x,y'], status: 'active' })
    await create({ name: 'B', integration_id, external_id: 'f-b', tags: ['blue'] })
    expect(await namesOf('brand=filtered')).toEqual(['f-a', 'f-b'])
    expect(await namesOf('brand=filtered&status=active')).toEqual(['f-a'])
    expect(await namesOf(`integration_id=${integration_id}&status=draft`)).toEqual(['f-b'])
    expect(await namesOf('external_id=f-b')).toEqual(['f-b'])
    expect(await namesOf('tag=x%5C,y')).toEqual(['f-a'])
  })
})

describe('by the rows of a source', () => {
  test('rows make the campaigns that they name, active, with the name that the source gives; once', async () => {
    const id = await fixture.createIntegration({ name: 'Makes', brand_slug: 'makes' })
    await create({ name: 'Known', integration_id: id, external_id: 'known' })
    const csv = `date,campaign,campaign_name,clicks
2026-01-01,spring,Spring offer,1
2026-01-02,spring,,2
2026-01-01,known,Other,3
2026-01-01,bare,,4
2026-01-01,,,5
`
    expect((await upload(id, csv)).run).toMatchObject({ status: 'succeeded', rows_inserted: 5, warnings: {} })
    const all = await listed(`integration_id=${id}`)
    expect(all.map((one) => [one.external_id, one.name, one.status]).sort()).toEqual([
      ['bare', 'bare', 'active'],
      ['known', 'Known', 'draft'],
      ['spring', 'Spring offer', 'active'],
    ])
    const made = all.find(({ external_id }) => external_id === 'spring')
    expect((await told(made?.id ?? '')).map(({ type, data }) => [type, data.status])).toEqual([
      ['campaign.created', 'active'],
    ])
    await upload(id, csv)
    expect(await listed(`integration_id=${id}`)).toEqual(all)
  })

  test('a run that fails makes none', async () => {
    const id = await fixture.createIntegration({ name: 'Fails' })
    const { done } = await upload(id, `date,campaign,clicks\n2026-01-01,good,1\n${'2026-01-01,bad,x\n'.repeat(20)}`)
    expect([done.status, await listed(`integration_id=${id}`)]).toEqual(['failed', []])
  })

  test('where unknown ones are not to be made their rows count for no campaign, and say so', async () => {
    const id = await fixture.createIntegration({ name: 'Unassigned', on_unknown_campaign: 'unassigned' })
    await create({ name: 'Known', integration_id: id, external_id: 'known' })
    const { run } = await upload(
      id,
      'date,campaign,clicks\n2026-01-01,known,1\n2026-01-01,other,2\n2026-01-01,third,3\n',
    )
    expect(run).toMatchObject({ rows_inserted: 2, warnings: { unassigned_campaign: 2 } })
    const { body } = await fixture.call(
      'GET',
      `/v1/stats?from=2026-01-01&to=2026-01-01&group_by=campaign&metrics=clicks&order_by=-clicks&filter[integration]=${id}`,
    )
    expect(body.data).toMatchObject([
      { campaign_external_id: null, clicks: 5 },
      { campaign_external_id: 'known', clicks: 1 },
    ])
    expect(await namesOf(`integration_id=${id}`)).toEqual(['known'])
  })

  test('where they are to be rejected their rows are, those of an archived campaign are not', async () => {
    const id = await fixture.createIntegration({ name: 'Rejects', on_unknown_campaign: 'reject' })
    const { body } = await create({ name: 'Known', integration_id: id, external_id: 'known' })
    await fixture.call('POST', `${path}/${body.id}/archive`)
    const lines = Array.from({ length: 40 }, (_, at) => `2026-01-01,known,${at}`)
    const { done, run } = await upload(id, `date,campaign,clicks\n${lines.join('\n')}\n2026-01-01,other,2\n`)
    expect([done, run]).toMatchObject([{ accepted: 40, rejected: 1 }, { status: 'succeeded' }])
    expect((await fixture.call('GET', `/v1/imports/${done.id}/errors`)).text).toContain('unknown_campaign')
  })

  test('rows of the demo provider go by the same rule, in runs and in the test of the source', async () => {
    const made = await fixture.call('POST', '/v1/integrations', {
      json: {
        name: 'Demo',
        brand_slug: 'acme',
        provider: 'demo',
        schedule: null,
        initial_backfill_days: 1,
        settings: { campaigns: 2, countries: ['DE'] },
        on_unknown_campaign: 'unassigned',
      },
    })
    const tried = await fixture.call('POST', `/v1/integrations/${made.body.id}/test`, { json: {} })
    expect(tried.body).toMatchObject({ ok: true, warnings: { unassigned_campaign: 5 } })
    await fixture.call('POST', `/v1/integrations/${made.body.id}/sync-runs`, { json: {} })
    await fixture.work()
    expect(await namesOf(`integration_id=${made.body.id}`)).toEqual([])
    await fixture.call('PATCH', `/v1/integrations/${made.body.id}`, { json: { on_unknown_campaign: 'create' } })
    await fixture.call('POST', `/v1/integrations/${made.body.id}/sync-runs`, { json: {} })
    await fixture.work()
    expect(await namesOf(`integration_id=${made.body.id}`)).toEqual(['demo-1', 'demo-2'])
  })

  test('a run makes 1,000 campaigns, the next one the next ones; a workspace has 10,000', async () => {
    const id = await fixture.createIntegration({ name: 'Many' })
    const csv = `date,campaign,clicks\n${Array.from({ length: 1_200 }, (_, at) => `2026-01-01,m${at},1`).join('\n')}\n`
    const first = await upload(id, csv)
    expect(first.run).toMatchObject({ rows_inserted: 1_200, warnings: { campaign_not_created: 200 } })
    const second = await upload(id, csv)
    expect(second.run).toMatchObject({ rows_unchanged: 1_200, warnings: {} })
    const count = async () => {
      const { rows } = await fixture.adminPool.query('select 1 from api.campaigns where workspace_id = $1', [
        fixture.workspaces.a,
      ])
      return rows.length
    }
    // Copies, all but one of what a workspace may have.
    await fixture.adminPool.query(
      `insert into api.campaigns select copied.* from api.campaigns c, generate_series(1, $2::integer) n,
         jsonb_populate_record(c, jsonb_build_object('id', 'cmp_' || n, 'external_id', 'copy ' || n)) copied
       where c.integration_id = $1 and c.external_id = 'm1'`,
      [id, 9_999 - (await count())],
    )
    const last = await upload(id, 'date,campaign,clicks\n2026-01-01,y,1\n2026-01-01,z,1\n')
    expect([last.run.warnings, await count()]).toEqual([{ campaign_not_created: 1 }, 10_000])
    const refused = await create({ name: 'One', integration_id: id, external_id: 'beyond' })
    expect([refused.status, refused.body.code]).toEqual([409, 'limit_reached'])
    // Connections of two pools, as two processes have; each by another integration, since those of one wait for it.
    await fixture.adminPool.query(`delete from api.campaigns where external_id in ('copy 1', 'copy 2', 'copy 3')`)
    const integrations = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((nth) => fixture.createIntegration({ name: `At once ${nth}` })),
    )
    const asked = integrations.map((integration_id) => create({ name: 'One', integration_id, external_id: 'at once' }))
    const rows = Array.from({ length: 6 }, (_, nth) => `2026-01-01,run at once ${nth},1`)
    const [answers] = await Promise.all([Promise.all(asked), upload(id, `date,campaign,clicks\n${rows.join('\n')}\n`)])
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([])
    expect(await count()).toBe(10_000)
    await fixture.adminPool.query("delete from api.campaigns where external_id like 'copy %'")
  })
})

describe('in stats', () => {
  test('a group has the id of its campaign, campaigns of one name in two integrations stay two, and ids filter', async () => {
    const [one, two] = [
      await fixture.createIntegration({ name: 'One', brand_slug: 'stats' }),
      await fixture.createIntegration({ name: 'Two', brand_slug: 'stats', on_unknown_campaign: 'create' }),
    ]
    await upload(one, 'date,campaign,clicks\n2026-02-01,same,1\n2026-02-01,own,2\n2026-02-01,,4\n')
    await upload(two, 'date,campaign,clicks\n2026-02-01,same,8\n')
    const idOf = async (integrationId: string, externalId: string) =>
      (await listed(`integration_id=${integrationId}&external_id=${externalId}`))[0]?.id ?? ''
    const ids = { one: await idOf(one, 'same'), two: await idOf(two, 'same'), own: await idOf(one, 'own') }
    const ask = async (query: string) => {
      const days = 'from=2026-02-01&to=2026-02-01&metrics=clicks&order_by=-clicks&filter[brand]=stats'
      const { status, body } = await fixture.call('GET', `/v1/stats?${days}&${query}`)
      expect(status).toBe(200)
      return (body.data as Record<string, unknown>[]).map((row) => [row.campaign_id, row.clicks])
    }
    expect(await ask('group_by=campaign')).toEqual([
      [ids.two, 8],
      [null, 4],
      [ids.own, 2],
      [ids.one, 1],
    ])
    expect(await ask(`group_by=campaign&filter[campaign]=${ids.two},own,cmp_${'0'.repeat(26)}`)).toEqual([
      [ids.two, 8],
      [ids.own, 2],
    ])
    expect(await ask(`filter_not[campaign]=${ids.two}`)).toEqual([[undefined, 7]])
    expect(await ask(`filter[campaign]=cmp_${'0'.repeat(26)}`)).toEqual([])
    const compared = await ask('group_by=campaign&compare=previous_period&limit=1')
    expect(compared).toEqual([[ids.two, 8]])
    // One that is not there (its run had made too many) is still a group.
    await fixture.adminPool.query('delete from api.campaigns where id = $1', [ids.own])
    expect(await ask(`group_by=campaign,integration&filter[campaign]=own`)).toEqual([[null, 2]])
  })
})
