// Feeds of a network that behaves as networks do, through the public door: what is read of each provider that pulls, and what becomes of it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { FakeSource } from '@wds/fake-source/fake-source'
import { networkRows } from '@wds/fake-source/network'
import type { Fixture } from '../api-service.fixture.ts'
import type { FeedProvider } from './domain/feed-settings.ts'
import { jsonMapping } from './feed.fixture.ts'
import { asOfMs, day, dayMs, type FeedRig, startFeedRig, window } from './feed-rig.fixture.ts'

let rig: FeedRig
let fixture: Fixture
let source: FakeSource
beforeAll(async () => {
  rig = await startFeedRig()
  ;({ fixture, source } = rig)
})
afterEach(() => rig.restore())
afterAll(() => rig?.stop())

describe('a feed', () => {
  test.each<[string, FeedProvider, () => object]>([
    ['CSV', 'http_csv', () => rig.csvSettings()],
    ['CSV in pages', 'http_csv', () => rig.csvSettings({ url: rig.at('linked.csv'), pagination: 'link_header' })],
    ['JSON in pages, each encoded in its own way', 'http_json', () => rig.jsonSettings()],
    [
      'JSON in pages that are linked in headers',
      'http_json',
      () => ({ url: rig.at('linked.json'), mapping: jsonMapping, pagination: 'link_header' }),
    ],
    ['NDJSON', 'http_json', () => ({ url: rig.at('daily.ndjson'), mapping: jsonMapping })],
  ])('in %s becomes rows that sum up to what the network says', async (_name, provider, settings) => {
    const id = await rig.feed(provider, settings())
    const found = await rig.run(id)
    expect(found).toMatchObject({ status: 'succeeded', rows_inserted: rig.rowsOf().length, rows_rejected: 0 })
    expect(await rig.totals(id)).toEqual(rig.expected())
    expect(await rig.status(id)).toEqual(['active', null])
  })

  test('of the last century: another encoding, delimiter, decimal comma and form of dates', async () => {
    const mapping = [
      { to: 'date', from: 'Datum', format: 'DD/MM/YYYY' },
      { to: 'campaign', from: 'Kampagne' },
      { to: 'country', from: 'Land' },
      { to: 'clicks', from: 'Klicks' },
      { to: 'ngr', from: 'Nettoumsatz' },
      { to: 'other_commission', from: 'Vergütung' },
    ]
    const csv = { delimiter: ';', encoding: 'windows-1252', decimal_comma: true }
    const id = await rig.feed('http_csv', { url: rig.at('legacy.csv'), date_param_format: 'DD/MM/YYYY', csv, mapping })
    expect(await rig.run(id)).toMatchObject({ status: 'succeeded', rows_rejected: 0 })
    const { clicks, ngr, commission } = rig.expected()
    expect(await rig.totals(id)).toMatchObject({ clicks, ngr, commission })
    const { rows } = await fixture.adminPool.query(
      'select distinct campaign_external_id as name from api.stats_rows where integration_id = $1 order by 1',
      [id],
    )
    expect(rows.map(({ name }) => name)).toContain('Sommer €10')
  })

  test('of several brands is read for the one that is meant', async () => {
    for (const [provider, settings] of [
      ['http_csv', rig.csvSettings({ only: [{ from: 'Brand', equals: 'Acme Casino' }] })],
      ['http_json', rig.jsonSettings({ only: [{ from: 'brand', equals: 'Acme Casino' }] })],
    ] as const) {
      const id = await rig.feed(provider, settings)
      const meant = rig.rowsOf('Acme Casino').length
      expect(await rig.run(id)).toMatchObject({ rows_inserted: meant, rows_skipped: rig.rowsOf().length - meant })
      expect(await rig.totals(id)).toEqual(rig.expected({ brand: 'Acme Casino' }))
    }
  })

  test('that says the same again writes nothing; later corrections are taken over, and what is gone goes', async () => {
    const early = Date.parse(day(13)) - dayMs / 2
    source.setAsOf(early)
    const id = await rig.feed('http_csv', rig.csvSettings())
    await rig.run(id)
    expect(await rig.totals(id)).toEqual(rig.expected({ at: early }))
    const before = await rig.versions(id)
    expect(await rig.run(id)).toMatchObject({
      rows_unchanged: before.length,
      rows_inserted: 0,
      rows_updated: 0,
      rows_deleted: 0,
    })
    expect(await rig.versions(id)).toEqual(before)
    source.setAsOf(asOfMs)
    const corrected = await rig.run(id)
    expect(corrected.rows_updated).toBeGreaterThan(0)
    expect(corrected.rows_deleted).toBeGreaterThan(0)
    expect(await rig.totals(id)).toEqual(rig.expected())
    // No cell that is not mapped is anywhere (domain.md 4.4).
    const { rows } = await fixture.adminPool.query("select 1 from api.stats_rows r where r::text like '%player.test%'")
    expect(rows).toEqual([])
  })

  test('without days in its address covers those of its answer: only they are cleared', async () => {
    const id = await rig.feed('http_csv', rig.csvSettings())
    await rig.run(id)
    const stored = (await rig.versions(id)).length
    const last = [...networkRows({ ...source.size, from: day(14), to: day(14), asOfMs })].length
    await fixture.call('PATCH', `/v1/integrations/${id}`, {
      json: {
        settings: {
          url: `${source.url}/open/daily.csv?from=${day(14)}&to=${day(14)}`,
          only: [{ from: 'Country', equals: 'DE' }],
        },
      },
    })
    const found = await rig.run(id)
    expect(found.rows_deleted).toBe(last - Number(found.rows_unchanged))
    expect(found.rows_deleted).toBeGreaterThan(0)
    const { rows } = await fixture.adminPool.query(
      'select count(*)::int as n from api.stats_rows where integration_id = $1 and not deleted',
      [id],
    )
    expect(rows[0].n).toBe(stored - Number(found.rows_deleted))
  })

  test('is asked for the days of the window, in the form that it wants; rows of other days are skipped', async () => {
    const url = `${source.url}/open/daily.csv?from=${day(30)}&to=${day(10)}&a={from}&b={to}`
    const id = await rig.feed('http_csv', rig.csvSettings({ url, date_param_format: 'unix' }), {
      source_time_zone: 'Asia/Kathmandu',
    })
    const found = await rig.run(id)
    const asked = new URL(`http://x${source.requests.at(-1)?.target}`).searchParams
    const startMs = Date.parse(`${window.from}T00:00:00+05:45`)
    const endMs = Date.parse(`${window.to}T23:59:59+05:45`)
    expect([asked.get('a'), asked.get('b')]).toEqual([String(startMs / 1000), String(endMs / 1000)])
    const all = [...networkRows({ ...source.size, from: day(30), to: day(10), asOfMs })].length
    expect(found).toMatchObject({ rows_inserted: rig.rowsOf().length, rows_skipped: all - rig.rowsOf().length })
  })

  test('XT12: rows with hostile values are rejected with a code, the run goes on, and nothing is deleted by it', async () => {
    const id = await rig.feed('http_json', rig.jsonSettings())
    await rig.run(id)
    const before = (await rig.versions(id)).length
    source.setFault({ mode: 'wrong_rows' })
    const found = await rig.run(id)
    const wrong = Math.floor(rig.rowsOf().length / 10)
    expect(found).toMatchObject({ status: 'succeeded', rows_rejected: wrong, rows_deleted: 0, deletes_skipped: true })
    expect((await rig.versions(id)).length).toBe(before)
    source.setFault({ mode: 'mostly_wrong_rows' })
    expect(await rig.run(id)).toMatchObject({ status: 'failed', error: { code: 'too_many_rejects' } })
    expect(await rig.totals(id)).toEqual(rig.expected())
  })
})
