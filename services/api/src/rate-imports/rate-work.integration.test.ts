// Who reads which file of rates when, and what a fault leaves behind, with the real database.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { importFileOnce } from '../file-imports/file-loop.ts'
import { readReferenceRates } from '../fx/reference-rates.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())
afterEach(() => fixture.adminPool.query('truncate api.fx_rates, api.fx_rate_sets, api.import_work'))

const csvOf = (line: string) => `date,base,quote,rate\n${line}\n`
const send = (csv: string, by: { as?: 'b' } = {}) => fixture.call('POST', '/v1/imports?type=fx_rates', { csv, ...by })

describe('the work', () => {
  const once = () => importFileOnce({ ...fixture.worker, referenceRates: readReferenceRates(), turns: { last: '' } })

  test('of a canceled file is not done', async () => {
    const { body } = await send(csvOf('2026-11-20,EUR,USD,2'))
    const canceled = await fixture.call('POST', `/v1/imports/${body.id}/cancel`)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    expect(await once()).toBe(false)
    const { rows } = await fixture.adminPool.query('select from api.import_chunks where import_id = $1', [body.id])
    expect(rows).toEqual([])
  })

  test('of one workspace is done in the order of the files, whoever does it', async () => {
    const ids: string[] = []
    for (const rate of [2, 3, 4, 5]) ids.push(String((await send(csvOf(`2026-11-20,EUR,USD,${rate}`))).body.id))
    while ((await Promise.all([once(), once(), once()])).some(Boolean));
    const sets = await Promise.all(
      ids.map(async (id) => (await fixture.call('GET', `/v1/imports/${id}`)).body.rate_set),
    )
    expect(sets).toEqual([1, 2, 3, 4].map((number) => `2026-10-30.1.${number}`))
  })

  test('of workspaces is done in turns', async () => {
    for (const rate of [2, 3, 4]) await send(csvOf(`2026-11-20,EUR,USD,${rate}`))
    await send(csvOf('2026-11-20,EUR,USD,2'), { as: 'b' })
    const turns = { last: '' }
    const o = { ...fixture.worker, referenceRates: readReferenceRates(), turns }
    await importFileOnce(o)
    await importFileOnce(o)
    const { rows } = await fixture.adminPool.query('select workspace_id from api.import_work')
    expect(rows).toEqual([{ workspace_id: fixture.workspaces.a }, { workspace_id: fixture.workspaces.a }])
    while (await importFileOnce(o));
  })

  test('of a workspace whose file somebody reads already holds up no other workspace', async () => {
    const first = String((await send(csvOf('2026-11-20,EUR,USD,2'))).body.id)
    await send(csvOf('2026-11-20,EUR,USD,2'), { as: 'b' })
    const reader = await fixture.adminPool.connect()
    try {
      await reader.query('begin')
      await reader.query("select pg_advisory_xact_lock(hashtextextended('file imports:' || $1, 0))", [
        fixture.workspaces.a,
      ])
      expect([await once(), await once()]).toEqual([true, false])
      expect((await fixture.call('GET', `/v1/imports/${first}`)).body.status).toBe('queued')
    } finally {
      await reader.query('rollback')
      reader.release()
    }
    expect(await once()).toBe(true)
    expect((await fixture.call('GET', `/v1/imports/${first}`)).body.status).toBe('completed')
  })

  test('that a fault of the service ends is done again, and given up after its attempts', async () => {
    const fail = `create function api.fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger fail before insert on api.fx_rates for each row execute function api.fail()`
    const id = String((await send(csvOf('2026-11-20,EUR,USD,2'))).body.id)
    const doomed = String((await send(csvOf('2026-11-20,EUR,USD,3'))).body.id)
    const statusOf = async (of: string) => (await fixture.call('GET', `/v1/imports/${of}`)).body
    const makeDue = () => fixture.adminPool.query('update api.import_work set due = now()')
    await fixture.adminPool.query(fail)
    try {
      expect(await once()).toBe(true)
      // It waits, and the file after it waits for it.
      expect(await once()).toBe(false)
      expect((await statusOf(id)).status).toBe('queued')
    } finally {
      await fixture.adminPool.query('drop function api.fail cascade')
    }
    await makeDue()
    expect(await once()).toBe(true)
    expect(await statusOf(id)).toMatchObject({ status: 'completed', rate_set: '2026-10-30.1.1' })
    await fixture.adminPool.query(fail)
    try {
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        expect((await statusOf(doomed)).status).toBe('queued')
        await makeDue()
        await once()
      }
    } finally {
      await fixture.adminPool.query('drop function api.fail cascade')
    }
    expect(await statusOf(doomed)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } })
    expect(await once()).toBe(false)
  })

  test('regression: that a full disk ends waits for as long as that lasts, where it failed after four attempts', async () => {
    const id = String((await send(csvOf('2026-11-20,EUR,USD,4'))).body.id)
    const statusOf = async () => (await fixture.call('GET', `/v1/imports/${id}`)).body.status
    const full = `create function api.full_disk() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
      create trigger fails before insert on api.fx_rates for each row execute function api.full_disk()`
    await fixture.adminPool.query(full)
    try {
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        await fixture.adminPool.query('update api.import_work set due = now()')
        await once()
        expect(await statusOf()).toBe('queued')
      }
    } finally {
      await fixture.adminPool.query('drop function api.full_disk cascade')
    }
    await fixture.adminPool.query('update api.import_work set due = now()')
    await once()
    expect(await statusOf()).toBe('completed')
  })
})
