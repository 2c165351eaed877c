// Merging campaigns through the public door: what is counted where afterwards, against a computation from the uploaded rows; who is refused;
// and what many at once come to.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import fc from 'fast-check'
import { readSeries } from '../anomalies/store-series.ts'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { automationOn } from '../automation-rules/automation.fixture.ts'
import { type Invoicing, invoicing } from '../invoices/invoices.fixture.ts'
import { Oracle, type Row } from './merge-oracle.fixture.ts'

let fixture: Fixture
let later: Pool
let invoices: Invoicing
beforeAll(async () => {
  fixture = await startFixture()
  invoices = invoicing(fixture)
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

const path = '/v1/campaigns'
interface One {
  id: string
  external_id: string
  status: string
  merged_into: string | null
  version: number
}

async function upload(integrationId: string, rows: string[], header = 'date,campaign,clicks'): Promise<void> {
  const csv = `${header}\n${rows.join('\n')}\n`
  const { status } = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${integrationId}`, { csv })
  expect(status).toBe(202)
  await fixture.work()
}
const merge = (id: string, into: string, headers = {}) =>
  fixture.call('POST', `${path}/${id}/merge`, { json: { into }, headers })
async function campaignsOf(integrationId: string): Promise<Map<string, One>> {
  const { body } = await fixture.call('GET', `${path}?limit=100&integration_id=${integrationId}`)
  return new Map((body.data as One[]).map((one) => [one.external_id, one]))
}
/** An integration with campaigns of these names, of one click each on 1 January. */
async function makeCampaigns(names: string[]): Promise<{ integrationId: string; ids: Record<string, string> }> {
  const integrationId = await fixture.createIntegration({ name: 'Merges', brand_slug: 'merges' })
  await upload(
    integrationId,
    names.map((name) => `2026-01-01,${name},1`),
  )
  const found = await campaignsOf(integrationId)
  return { integrationId, ids: Object.fromEntries([...found].map(([name, { id }]) => [name, id])) }
}
async function clicks(query: string): Promise<Record<string, unknown>[]> {
  const { status, body, text } = await fixture.call(
    'GET',
    `/v1/stats?from=2026-01-01&to=2026-01-03&metrics=clicks&limit=1000&${query}`,
  )
  expect([status, text]).toEqual([200, expect.any(String)])
  return body.data as Record<string, unknown>[]
}

test('a rule that names the merged campaign looks at the one that took it up, and hears of its events', async () => {
  const integrationId = await fixture.createIntegration({ name: 'Ruled', brand_slug: 'ruled' })
  const { rows } = await fixture.adminPool.query<{ day: string }>(
    `select to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD') as day`,
  )
  const day = rows[0]?.day
  await upload(integrationId, [`${day},one,100`, `${day},two,50`, `${day},three,900`])
  const found = await campaignsOf(integrationId)
  const [one, two] = [found.get('one')?.id ?? '', found.get('two')?.id ?? '']
  await merge(one, two)
  const rule = {
    name: 'Loud',
    trigger: { type: 'schedule', every_minutes: 60 },
    subject_type: 'campaign',
    scope: { campaign_ids: [one] },
    window: 'last_7d',
    actions: [{ type: 'notify_webhook' }],
    conditions: [{ metric: 'clicks', op: 'gte', value: 150 }],
  }
  const { body: saved } = await fixture.call('POST', '/v1/automation-rules', { json: rule })
  const { body } = await fixture.call('POST', `/v1/automation-rules/${saved.id}/dry-run`)
  expect(body.data).toMatchObject([{ subject_id: two }])
  const rules = automationOn(fixture)
  await rules.setKey(['campaigns:write'])
  await rules.reset()
  const trigger = { type: 'event', event_type: 'campaign.paused' }
  const heard = { ...rule, trigger, conditions: [], min_sample: {} }
  const id = await rules.createRule(heard)
  await fixture.call('POST', `${path}/${two}/pause`)
  await fixture.call('POST', `${path}/${found.get('three')?.id}/pause`)
  await rules.hear()
  await fixture.automate()
  expect(await rules.firingsOf(id)).toMatchObject([{ subject_id: two, status: 'succeeded' }])
})

describe('merging', () => {
  test('it is archived and names the one that took it up; each step is told; a retry with the same key changes nothing', async () => {
    const { ids } = await makeCampaigns(['x', 'y'])
    const [x = '', y = ''] = [ids.x, ids.y]
    const key = { 'idempotency-key': 'merge once' }
    const made = await merge(x, y, key)
    expect([made.status, made.body]).toMatchObject([200, { status: 'archived', merged_into: y, version: 3 }])
    expect((await merge(x, y, key)).body).toEqual(made.body)
    const { rows } = await fixture.adminPool.query<{ payload: Buffer }>(
      `select o.payload from api.outbox o join api.stream_events e on e.event_id = o.event_id
       where e.stream_id = $1 and e.version > 1 order by e.version`,
      [x],
    )
    const place = { campaign_id: x, brand_slug: 'merges' }
    expect(rows.map(({ payload }) => JSON.parse(payload.toString())).map(({ type, data }) => ({ type, data }))).toEqual(
      [
        { type: 'campaign.updated', data: { ...place, changed: ['merged_into'] } },
        { type: 'campaign.archived', data: place },
      ],
    )
    const listed = await fixture.call('GET', `${path}?merged_into=${y}`)
    expect((listed.body.data as One[]).map(({ id }) => id)).toEqual([x])
  })

  test('what was merged before follows; again, into itself, an archived one, one elsewhere or none it is refused', async () => {
    const { integrationId, ids } = await makeCampaigns(['one', 'two', 'three', 'ended'])
    const elsewhere = await makeCampaigns(['other'])
    const { one = '', two = '', three = '', ended = '' } = ids
    await fixture.call('POST', `${path}/${ended}/archive`)
    const refused = async (id: string, into: string) => {
      const { status, body } = await merge(id, into)
      return [status, body.code, (body.errors as { pointer: string }[] | undefined)?.[0]?.pointer]
    }
    const fault = [422, 'invalid_value', '/into']
    for (const into of [one, ended, elsewhere.ids.other ?? '', 'nothing'])
      expect(await refused(one, into)).toEqual(fault)
    expect((await merge(one, two)).status).toBe(200)
    expect((await merge(two, three)).status).toBe(200)
    const found = await campaignsOf(integrationId)
    expect([...found.values()].map((each) => [each.external_id, each.merged_into]).sort()).toEqual([
      ['ended', null],
      ['one', three],
      ['three', null],
      ['two', three],
    ])
    // Round in a circle, and once more.
    expect([await refused(three, one), await refused(one, three), await refused(ended, three)]).toEqual([
      fault,
      [409, 'invalid_state', undefined],
      [409, 'invalid_state', undefined],
    ])
    expect((await fixture.call('POST', `${path}/cmp_${'0'.repeat(26)}/merge`, { json: {} })).status).toBe(404)
  })

  test('of 30 at once each in a circle into the next one none leads round, and no click is lost', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `n${String(at).padStart(2, '0')}`)
    const { integrationId, ids } = await makeCampaigns(names)
    const next = (at: number) => ids[names[(at + 1) % 30] ?? ''] ?? ''
    const answers = await Promise.all(names.map((name, at) => merge(ids[name] ?? '', next(at))))
    expect(answers.filter(({ status }) => ![200, 422].includes(status)).map(({ text }) => text)).toEqual([])
    const merged = answers.filter(({ status }) => status === 200).length
    const all = [...(await campaignsOf(integrationId)).values()]
    const open = new Set(all.filter(({ status }) => status === 'active').map(({ id }) => id))
    expect([merged >= 15, open.size]).toEqual([true, 30 - merged])
    expect(all.filter(({ id, merged_into }) => !open.has(merged_into ?? id))).toEqual([])
    const groups = await clicks(`group_by=campaign&filter[integration]=${integrationId}`)
    expect(groups.map((group) => group.campaign_id).sort()).toEqual([...open].sort())
    expect(groups.reduce((sum, group) => sum + Number(group.clicks), 0)).toBe(30)
  })

  test('of 30 at once of one campaign one is made', async () => {
    const { ids } = await makeCampaigns(['from', 'into'])
    const answers = await Promise.all(Array.from({ length: 30 }, () => merge(ids.from ?? '', ids.into ?? '')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(409)])
  })

  test('a campaign takes up 100 others at most, theirs among them', async () => {
    const { ids } = await makeCampaigns(['small', 'large', 'last'])
    const { small = '', large = '', last = '' } = ids
    await fixture.adminPool.query(
      `insert into api.campaigns select copied.* from api.campaigns c, generate_series(1, 99) n, jsonb_populate_record(c,
         jsonb_build_object('id', 'cmp_x' || n, 'external_id', 'copy ' || n, 'merged_into', $1::text)) copied where c.id = $2`,
      [large, small],
    )
    expect((await merge(small, large)).status).toBe(200)
    const refused = [await merge(last, large), await merge(large, last)]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'limit_reached'],
      [409, 'limit_reached'],
    ])
    await fixture.adminPool.query(`delete from api.campaigns where id like 'cmp_x%'`)
  })
})

describe('numbers', () => {
  type Step = { do: 'upload'; rows: Row[] } | { do: 'merge'; of: 0 | 1; from: string; into: string }
  const names = ['a', 'b', 'c', 'd', 'e']
  const anyName = fc.constantFrom(...names)
  const anyOf = fc.constantFrom(0 as const, 1 as const)
  const days = ['2026-01-01', '2026-01-02', '2026-01-03']
  const row = fc.record({ of: anyOf, name: anyName, day: fc.constantFrom(...days), clicks: fc.nat(1_000) })
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.oneof(
      {
        arbitrary: fc.record({ do: fc.constant('upload' as const), rows: fc.array(row, { maxLength: 6 }) }),
        weight: 1,
      },
      {
        arbitrary: fc.record({ do: fc.constant('merge' as const), of: anyOf, from: anyName, into: anyName }),
        weight: 3,
      },
    ),
    { minLength: 8, maxLength: 8 },
  )

  test('rows that arrive later under the merged name count for the one that took it up, and make no campaign', async () => {
    const { integrationId, ids } = await makeCampaigns(['old', 'new'])
    expect((await merge(ids.old ?? '', ids.new ?? '')).status).toBe(200)
    await upload(integrationId, ['2026-01-01,old,5', '2026-01-02,old,7'])
    expect(await clicks(`group_by=campaign&filter[integration]=${integrationId}`)).toEqual([
      { campaign_external_id: 'new', campaign_id: ids.new, currency: 'EUR', clicks: 13 },
    ])
    expect([...(await campaignsOf(integrationId)).keys()].sort()).toEqual(['new', 'old'])
    // An export is the query in another shape.
    const query = { from: '2026-01-01', to: '2026-01-02', group_by: ['campaign'], metrics: ['clicks'] }
    const filter = { integration: [integrationId] }
    const json = { type: 'stats', format: 'ndjson', query: { ...query, filter } }
    const { body } = await fixture.call('POST', '/v1/exports', { json })
    await fixture.makeExports()
    const file = await fixture.call('GET', `/v1/exports/${body.id}/file`)
    expect(JSON.parse(file.text)).toMatchObject({ campaign_id: ids.new, clicks: 13 })
  })

  test('regression: M3: converted, the campaigns that are one now are converted as one, once for each day and currency', async () => {
    const names = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']
    const { integrationId, ids } = await makeCampaigns(names)
    const rows = ['2026-01-01', '2026-01-02'].flatMap((day) => names.map((name) => `${day},${name},0.03,0.01`))
    await upload(integrationId, rows, 'date,campaign,cpa_commission,other_commission')
    for (const name of names.slice(1)) expect((await merge(ids[name] ?? '', ids.m1 ?? '')).status).toBe(200)
    const days = 'from=2026-01-01&to=2026-01-02&metrics=cpa_commission,commission,epc'
    for (const more of ['', '&compare=previous_period', '&group_by=day']) {
      const asked = `/v1/stats?${days}&currency=USD&filter[integration]=${integrationId}${more}`
      const whole = await fixture.call('GET', asked)
      const by = `group_by=${more.includes('group_by') ? 'day,campaign' : 'campaign'}`
      const grouped = await fixture.call('GET', `${asked.replace('&group_by=day', '')}&${by}`)
      const shown = { campaign_external_id: 'm1', campaign_id: ids.m1 }
      const data = whole.body.data as object[]
      expect([grouped.status, grouped.body.data]).toEqual([200, data.map((group) => ({ ...group, ...shown }))])
      expect(grouped.body.totals).toEqual(whole.body.totals)
    }
  })

  test('by campaign, by day and in all they are those of the rows, whatever is uploaded and merged in which order', async () => {
    let merges = 0
    let told = false
    const agreements: (() => Promise<void>)[] = []
    await fc.assert(
      fc.asyncProperty(steps, async (story) => {
        const integrations = [
          await fixture.createIntegration({ name: 'First', brand_slug: 'sums' }),
          await fixture.createIntegration({ name: 'Second', brand_slug: 'sums' }),
        ]
        const oracle = new Oracle()
        const put = async (rows: Row[]) => {
          for (const at of [0, 1] as const) {
            // The last line of a key in a file is its row.
            const own = new Map(rows.filter((one) => one.of === at).map((one) => [`${at} ${one.name} ${one.day}`, one]))
            if (own.size === 0) continue
            for (const [key, one] of own) oracle.rows.set(key, one)
            await upload(
              integrations[at] ?? '',
              [...own.values()].map((one) => `${one.day},${one.name},${one.clicks}`),
            )
          }
        }
        await put(
          names.flatMap((name, at) => ([0, 1] as const).map((of) => ({ of, name, day: '2026-01-01', clicks: at + 1 }))),
        )
        const found = await Promise.all(integrations.map(campaignsOf))
        const idOf = (of: number, name: string) => found[of]?.get(name)?.id ?? ''
        const ours = `filter[integration]=${integrations.join()}`
        const agree = async () => {
          const groups = await clicks(`group_by=campaign,integration&${ours}`)
          const ofGroup = (group: Record<string, unknown>) =>
            `${integrations.indexOf(String(group.integration_id))} ${group.campaign_external_id}`
          expect(Object.fromEntries(groups.map((group) => [ofGroup(group), group.clicks]))).toEqual(
            oracle.sums(oracle.byCampaign),
          )
          expect(groups.map((group) => group.campaign_id)).toEqual(
            groups.map((group) => idOf(...(ofGroup(group).split(' ') as [never, string]))),
          )
          const byDay = await clicks(`group_by=day&${ours}`)
          expect(Object.fromEntries(byDay.map((group) => [group.day, group.clicks]))).toEqual(
            oracle.sums(({ day }) => day),
          )
          // By the id or the name of any that was merged, all of them.
          for (const name of ['a', 'c']) {
            const isOf = (one: Row) => one.of === 0 && oracle.byCampaign(one) === `0 ${oracle.taker(0, name)}`
            const [ours, theirs] = [integrations[0], idOf(0, name)]
            for (const value of [theirs, name]) {
              const [all] = await clicks(`filter[integration]=${ours}&filter[campaign]=${value}`)
              const [rest] = await clicks(`filter[integration]=${ours}&filter_not[campaign]=${value}`)
              expect([all?.clicks, rest?.clicks]).toEqual([
                oracle.sums(() => 'all', isOf).all,
                oracle.sums(
                  () => 'all',
                  (one) => one.of === 0 && !isOf(one),
                ).all,
              ])
            }
          }
        }
        for (const step of story) {
          if (step.do === 'upload') {
            await put(step.rows)
            continue
          }
          const before = await clicks(ours)
          const { status } = await merge(idOf(step.of, step.from), idOf(step.of, step.into))
          const isMade = oracle.mayMerge(step)
          expect([step, status === 200]).toEqual([step, isMade])
          if (isMade) oracle.taken.set(`${step.of} ${step.from}`, step.into)
          if (isMade) merges += 1
          expect(await clicks(ours)).toEqual(before)
        }
        await agree()
        agreements.push(agree)
        // A mutant that forgets the merges is told from the oracle.
        const forgetful = oracle.sums(({ of, name }) => `${of} ${name}`)
        told ||= JSON.stringify(forgetful) !== JSON.stringify(oracle.sums(oracle.byCampaign))
      }),
      { numRuns: 4, endOnFailure: true },
    )
    expect([merges > 4, told]).toEqual([true, true])
    // The rows of a final day are read from its rollup.
    await fixture.days(later)
    for (const agree of agreements) await agree()
  })

  test('an invoice bills what was merged after its days became final as one campaign, and anomalies are looked for in it as one', async () => {
    const brand_slug = 'billed'
    const integrationId = await fixture.createIntegration({ name: 'Billed', brand_slug })
    const rows = ['2026-11-01,one,100,-500,1000', '2026-11-01,two,50,300,200', '2026-11-02,one,10,0,0']
    await upload(integrationId, rows, 'date,campaign,clicks,revshare_commission,cpa_commission')
    await fixture.days(later)
    const found = await campaignsOf(integrationId)
    const [one, two] = [found.get('one')?.id ?? '', found.get('two')?.id ?? '']
    await merge(one, two)
    const json = { brand_slug, currency: 'EUR', period: { from: '2026-11-01', to: '2026-11-02' } }
    const { body: invoice } = await fixture.call('POST', '/v1/invoices', { json })
    const lines = invoice.line_items as Record<string, unknown>[]
    expect(lines.map(({ kind, campaign_id, amount }) => [kind, campaign_id, amount])).toEqual([
      ['cpa', two, 120_000],
      ['revshare', two, -20_000],
      ['adjustment', two, 20_000],
    ])
    const series = await withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a }, (tx) =>
      readSeries(tx, {
        workspaceId: fixture.workspaces.a,
        from: '2026-10-20',
        to: '2026-11-02',
        currency: 'EUR',
        rates: { id: 'none', days: new Map() },
        isFinal: true,
      }),
    )
    const watched = series.filter(
      ({ campaignId, metric }) => [one, two].includes(campaignId ?? '') && metric === 'clicks',
    )
    expect(watched.map(({ campaignId, days }) => [campaignId, days.map(({ value }) => value)])).toEqual([
      [two, [150, 10]],
    ])
  })

  test('what invoices carried over of campaigns that are one now is taken back of it, once; what is made void counts no more', async () => {
    const brand_slug = 'carrying'
    const integrationId = await fixture.createIntegration({ name: 'Carrying', brand_slug })
    const rows = ['08,one,-5', '08,two,-3', '08,three,1', '09,one,1', '09,three,20', '10,one,-2', '10,three,4']
    await upload(
      integrationId,
      rows.map((row) => `2026-${row.replace(',', '-01,')}`),
      'date,campaign,revshare_commission',
    )
    await fixture.days(later)
    const found = await campaignsOf(integrationId)
    const [one, two, three] = ['one', 'two', 'three'].map((name) => found.get(name)?.id ?? '')
    const deal = { type: 'revshare', revshare_bps: 3_000, negative_carryover: true }
    for (const id of [one, two, three])
      expect((await fixture.call('PATCH', `${path}/${id}`, { json: { deal } })).status).toBe(200)
    const bill = async (month: string) => {
      const period = { from: `2026-${month}-01`, to: `2026-${month}-01` }
      const id = await invoices.draftOf(brand_slug, period)
      const { status, body, text } = await invoices.act(id, 'generate')
      expect([status, text]).toEqual([200, expect.any(String)])
      const lines = body.line_items as { campaign_id: string; kind: string; amount: number }[]
      return { id, lines: lines.map((line) => [line.campaign_id, line.kind, line.amount]) }
    }
    const augustLines = [
      [one, 'revshare', -500],
      [one, 'carryover', 500],
      [three, 'revshare', 100],
      [two, 'revshare', -300],
      [two, 'carryover', 300],
    ]
    const august = await bill('08')
    expect(august.lines).toEqual(augustLines)
    // Through one that is merged itself then.
    await merge(one ?? '', two ?? '')
    await merge(two ?? '', three ?? '')
    const september = await bill('09')
    expect(september.lines).toEqual([
      [three, 'revshare', 2_100],
      [three, 'carryover', -800],
    ])
    expect((await invoices.act(september.id, 'void')).status).toBe(200)
    expect((await bill('10')).lines).toEqual([
      [three, 'revshare', 200],
      [three, 'carryover', -800],
      [three, 'carryover', 600],
    ])
    expect((await bill('09')).lines).toEqual([
      [three, 'revshare', 2_100],
      [three, 'carryover', -600],
    ])
    // What it carried has been taken back; billed again, as one campaign, it carries nothing.
    expect((await invoices.act(august.id, 'void')).status).toBe(200)
    expect((await bill('08')).lines).toEqual([
      [three, 'revshare', -700],
      [three, 'carryover', 800],
    ])
  })
})
