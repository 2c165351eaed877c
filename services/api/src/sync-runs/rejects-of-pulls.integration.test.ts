// What a run that pulled shows of the rows that it rejected, and for how long.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type FakeSource, startFakeSource } from '@wds/fake-source/fake-source'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { sweepRejects } from '../imports/store-rejects.ts'
import { jsonSettings } from '../sources/feed.fixture.ts'

let fixture: Fixture
let source: FakeSource
beforeAll(async () => {
  fixture = await startFixture()
  source = await startFakeSource({ asOfMs: Date.parse('2026-01-25'), seed: 10 })
})
afterAll(async () => {
  await source?.close()
  await fixture?.stop()
})

type Run = { id: string; status: string; attempt: number; rows_rejected: number; rejects_sample: object[] }

async function run(integrationId: string): Promise<Run> {
  const path = `/v1/integrations/${integrationId}/sync-runs`
  const json = { window: { from: '2026-01-05', to: '2026-01-11' } }
  const { body } = await fixture.call('POST', path, { json })
  const read = async () => (await fixture.call('GET', `/v1/sync-runs/${body.id}`)).body as unknown as Run
  await fixture.workUntil(async () => ['succeeded', 'failed'].includes((await read()).status))
  const found = await read()
  expect((await fixture.call('GET', `${path}?limit=1`)).body.data).toEqual([found])
  return found
}

test('regression: the first 20 rows that a pull rejected are shown with their place in it; after 30 days none, whatever the ETag', async () => {
  const settings = jsonSettings(source)
  const fields = { name: 'Feed', provider: 'http_json', schedule: null, settings }
  const id = await fixture.createIntegration(fields)
  expect(await run(id)).toMatchObject({ status: 'succeeded', rejects_sample: [] })

  source.setFault({ mode: 'wrong_rows' })
  const found = await run(id)
  expect(found).toMatchObject({ status: 'succeeded', attempt: 1 })
  expect(found.rejects_sample).toHaveLength(Math.min(20, found.rows_rejected))
  expect(found.rejects_sample[0]).toEqual({
    line: expect.any(Number),
    code: 'negative_value',
    detail: 'The value must not be negative. Found: "-5".',
  })
  const lines = found.rejects_sample.map((one) => (one as { line: number }).line)
  expect(lines).toEqual(lines.toSorted((one, other) => one - other))

  source.setFault({ mode: 'mostly_wrong_rows' })
  const failed = await run(id)
  expect([failed.status, failed.rejects_sample.length]).toEqual(['failed', 20])

  const etag = (await fixture.call('GET', `/v1/sync-runs/${found.id}`)).headers.get('etag') ?? ''
  await fixture.adminPool.query('alter table api.run_rejects disable trigger run_rejects_never_changed')
  const age = "update api.run_rejects set stored_at = now() - interval '31 days' where run_id = $1"
  await fixture.adminPool.query(age, [found.id])
  await sweepRejects(fixture.workerPool)
  const headers = { 'if-none-match': etag }
  const left = await Promise.all(
    [found, failed].map((one) => fixture.call('GET', `/v1/sync-runs/${one.id}`, { headers })),
  )
  expect(left.map(({ body }) => (body.rejects_sample as object[] | undefined)?.length)).toEqual([0, 20])
})
