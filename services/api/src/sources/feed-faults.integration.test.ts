// Feeds that fail or mean harm, through the public door: what is tried again, what is not believed, what ends within bounds.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { networkRows } from '@wds/fake-source/network'
import { holdsLoopAtMost } from '@wds/telemetry/event-loop'
import type { Fixture } from '../api-service.fixture.ts'
import { batchRecords } from '../sync-work/stage-records.ts'
import { jsonMapping, jsonSettings } from './feed.fixture.ts'
import { asOfMs, type FeedRig, startFeedRig, window } from './feed-rig.fixture.ts'

let rig: FeedRig
let fixture: Fixture
let source: FakeSource
beforeAll(async () => {
  rig = await startFeedRig()
  ;({ fixture, source } = rig)
})
afterEach(() => rig.restore())
afterAll(() => rig?.stop())

describe('a source that fails', () => {
  test.each([
    ['unauthorized', 'invalid_credentials', 'invalid_credentials'],
    ['forbidden', 'access_denied', 'access_denied'],
    ['gone', 'source_gone', 'source_gone'],
    ['redirect', 'redirect_refused', 'source_gone'],
    ['schema', 'schema_changed', 'schema_changed'],
    ['loop', 'pagination_loop', 'source_gone'],
    ['foreign_next', 'next_link_refused', 'source_gone'],
    ['mostly_wrong_rows', 'too_many_rejects', 'schema_changed'],
  ] as const)(
    'for good (%s) breaks the integration at once; it is restored by a run that succeeds',
    async (mode, code, reason) => {
      const id = await rig.feed('http_json', rig.jsonSettings())
      source.setFault({ mode })
      expect(await rig.run(id)).toMatchObject({ status: 'failed', attempt: 1, error: { code, retryable: false } })
      expect(await rig.status(id)).toEqual(['broken', reason])
      source.setFault(null)
      expect(await rig.run(id)).toMatchObject({ status: 'succeeded' })
      expect(await rig.status(id)).toEqual(['active', null])
      expect(await rig.totals(id)).toEqual(rig.expected())
    },
  )

  test.each([
    ['error', 'source_error'],
    ['limited', 'rate_limited'],
    ['cut', 'connection_failed'],
    ['html', 'invalid_body'],
    ['garbage', 'invalid_body'],
  ] as const)('for a moment (%s) is tried again within the run, and nothing is counted twice', async (mode, code) => {
    const id = await rig.feed('http_json', rig.jsonSettings())
    source.setFault({ mode, times: 1, retryAfterSeconds: 0 })
    const found = await rig.run(id)
    expect(found).toMatchObject({ status: 'succeeded', attempt: 2, rows_inserted: rig.rowsOf().length })
    expect(await rig.totals(id)).toEqual(rig.expected())
    const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
    const events = rows.map(({ payload }) => JSON.parse(payload.toString()))
    const failed = events.find(({ type, data }) => type === 'sync.attempt_failed' && data.sync_run_id === found.id)
    expect(failed.data).toMatchObject({ attempt: 1, error_code: code })
  })

  test('in the middle of its pages is read anew from the first: a page that was staged counts once', async () => {
    const pageRows = 0.6 * batchRecords
    const large = await startFakeSource({ asOfMs, campaigns: 40, countries: 8, pageRows })
    try {
      const rows = [...networkRows({ ...large.size, ...window, asOfMs })]
      expect(rows.length).toBeGreaterThan(2 * pageRows)
      const id = await rig.feed('http_json', jsonSettings(large))
      // The third page is cut: of the two before it a batch is staged by then.
      large.setFault({ mode: 'cut', after: 2, times: 1 })
      expect(await rig.run(id)).toMatchObject({ status: 'succeeded', attempt: 2, rows_inserted: rows.length })
      expect(await rig.totals(id)).toMatchObject({ clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0) })
    } finally {
      await large.close()
    }
  })

  test('with Retry-After is not asked before; three failed runs in a row break the integration', async () => {
    const id = await rig.feed('http_csv', rig.csvSettings())
    source.setFault({ mode: 'limited', retryAfterSeconds: 1_800 })
    const asked = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    await rig.work()
    const { body } = await fixture.call('GET', `/v1/sync-runs/${asked.body.id}`)
    expect(body).toMatchObject({ status: 'retry_wait', error: { code: 'rate_limited', retryable: true } })
    // The delay of the schedule is a millisecond here.
    const started = Date.parse(String(body.started))
    expect(Date.parse(String(body.next_attempt)) - started).toBeGreaterThanOrEqual(1_800_000)
    await fixture.call('POST', `/v1/sync-runs/${asked.body.id}/cancel`)
    source.setFault({ mode: 'error' })
    for (let nth = 1; nth <= 3; nth++) {
      expect(await rig.run(id)).toMatchObject({ status: 'failed', attempt: 4, error: { code: 'source_error' } })
      expect((await rig.status(id))[0]).toBe(nth < 3 ? 'pending' : 'broken')
    }
  })

  test('with an empty answer for days that have rows is not believed, unless asked for', async () => {
    const id = await rig.feed('http_csv', rig.csvSettings())
    await rig.run(id)
    source.setFault({ mode: 'empty' })
    expect(await rig.run(id)).toMatchObject({ status: 'failed', error: { code: 'empty_window' } })
    expect(await rig.totals(id)).toEqual(rig.expected())
    expect(await rig.run(id, { body: { allow_empty: true } })).toMatchObject({
      status: 'succeeded',
      rows_deleted: rig.rowsOf().length,
    })
    expect(await rig.totals(id)).toBeNull()
  })
})

describe('a hostile feed ends within its bounds, in memory, time and turns of the event loop:', () => {
  const tight = { firstByteMs: 500, pageMs: 1_500, pageBytesMax: 300_000, pagesMax: 20 }
  test.each([
    ['endless', 'http_csv', 'feed_too_large'],
    ['endless_pages', 'http_json', 'feed_too_large'],
    ['bomb', 'http_csv', 'feed_too_large'],
    ['long_line', 'http_csv', 'feed_too_large'],
    ['long_line', 'http_json', 'feed_too_large'],
    ['hang', 'http_csv', 'timeout'],
    ['stall', 'http_json', 'timeout'],
  ] as const)('%s (%s)', async (mode, provider, code) => {
    const id = await rig.feed(provider, provider === 'http_csv' ? rig.csvSettings() : rig.jsonSettings())
    source.setFault({ mode })
    const before = source.bodyBytes
    const found = await holdsLoopAtMost(100, () => rig.run(id, { limits: tight, body: { allow_empty: false } }))
    expect(found).toMatchObject({ status: 'failed', error: { code } })
    expect(await rig.versions(id)).toEqual([])
    // What was sent is what the sockets between hold, not what the source would have liked to send.
    expect(source.bodyBytes - before).toBeLessThan(60_000_000)
  })

  test('pages that change while they are read: the rows are those of the next quiet run', async () => {
    const settings = { url: rig.at('linked.json'), mapping: jsonMapping, pagination: 'link_header', combine: 'last' }
    const id = await rig.feed('http_json', settings)
    source.setFault({ mode: 'drift' })
    expect(await rig.run(id)).toMatchObject({ status: 'succeeded' })
    source.setFault(null)
    await rig.run(id)
    expect(await rig.totals(id)).toEqual(rig.expected())
  })
})
