// The directory of brands, through the public door and the real database.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newId } from '@wds/aggregate/new-id'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { insertBrand } from './store-brands.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

let seen = 0
/** A slug that is new, with an integration that names it. */
async function newBrand(brand?: object): Promise<string> {
  seen += 1
  const slug = `brand-${seen}`
  await fixture.createIntegration(withoutUndefined({ name: 'Source', brand_slug: slug, brand }))
  return slug
}
const read = (slug: string) => fixture.call('GET', `/v1/brands/${slug}`)
const patch = (slug: string, json: object, headers: Record<string, string> = {}) =>
  fixture.call('PATCH', `/v1/brands/${slug}`, {
    json,
    headers: { 'content-type': 'application/merge-patch+json', ...headers },
  })

describe('a brand', () => {
  test('comes into being with the first integration that names it, and is named by its slug unless told', async () => {
    const plain = await read(await newBrand())
    expect(plain.body).toEqual({
      object: 'brand',
      created: expect.any(String),
      updated: plain.body.created,
      version: 1,
      slug: 'brand-1',
      name: 'brand-1',
      vertical: 'other',
      default_currency: null,
      legal: null,
    })
    const told = { name: 'Acme Casino', vertical: 'casino', default_currency: 'SEK' }
    const slug = await newBrand(told)
    expect((await read(slug)).body).toMatchObject({ slug, ...told })
    const again = { name: 'Second', provider: 'csv_upload', brand_slug: slug }
    const differs = await fixture.call('POST', '/v1/integrations', { json: { ...again, brand: { name: 'Acme' } } })
    expect([differs.status, differs.body.code]).toEqual([422, 'brand_exists'])
    expect((await fixture.call('POST', '/v1/integrations', { json: { ...again, brand: told } })).status).toBe(201)
  })

  test('is changed with a new version; what changes nothing keeps it', async () => {
    const slug = await newBrand()
    const changed = await patch(slug, { name: 'Acme', vertical: 'poker', default_currency: 'EUR' })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v2"'])
    expect(changed.body).toMatchObject({ slug, name: 'Acme', vertical: 'poker', default_currency: 'EUR', version: 2 })
    expect((await patch(slug, { name: 'Acme' })).body).toEqual(changed.body)
    const removed = await patch(slug, { vertical: null, default_currency: null })
    expect(removed.body).toMatchObject({ name: 'Acme', vertical: 'other', default_currency: null, version: 3 })
    expect((await read(slug)).body).toEqual(removed.body)
    expect(String(removed.body.updated) > String(removed.body.created)).toBe(true)
  })

  // The clock had been asked for each of the two, and a millisecond could pass between.
  test('regression: that nobody has changed was changed when it was created', async () => {
    const workspaceId = newId('wsp', Date.now())
    const differ = await withTransaction(fixture.pool, { workspaceId }, async (tx) => {
      for (let nth = 0; nth < 2_000; nth += 1)
        await insertBrand(tx, workspaceId, {
          slug: `told-${nth}`,
          name: 'T',
          vertical: 'other',
          default_currency: null,
        })
      const { rows } = await tx.query('select count(*)::int from brands where created <> updated')
      return rows[0]
    })
    expect(differ).toEqual({ count: 0 })
  })

  test.each([
    [{ name: '' }, 422, 'out_of_range'],
    [{ name: 'x'.repeat(101) }, 422, 'out_of_range'],
    [{ name: null }, 422, 'invalid_type'],
    [{ slug: 'other' }, 422, 'unknown_field'],
    [{ vertical: 'Casino' }, 422, 'invalid_format'],
    [{ default_currency: 'XXQ' }, 422, 'unknown_currency'],
  ])('C23: %j is refused by %i and changes nothing', async (json, status, code) => {
    const slug = await newBrand()
    const refused = await patch(slug, json)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect((await read(slug)).body).toMatchObject({ name: slug, version: 1 })
  })

  test('C41: is changed by who has seen its version', async () => {
    const slug = await newBrand()
    expect((await patch(slug, { name: 'One' }, { 'if-match': '"v1"' })).status).toBe(200)
    const late = await patch(slug, { name: 'Two' }, { 'if-match': '"v1"' })
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    const all = await Promise.all([1, 2, 3].map((n) => patch(slug, { name: `At once ${n}` }, { 'if-match': '"v2"' })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  test('is of its workspace alone, and one that is not there is not found', async () => {
    const slug = await newBrand({ name: 'Mine' })
    const foreign = await fixture.call('GET', `/v1/brands/${slug}`, { as: 'b' })
    expect([foreign.status, (await read('nowhere')).status, (await patch('nowhere', {})).status]).toEqual([
      404, 404, 404,
    ])
    const theirs = { name: 'B', provider: 'csv_upload', brand_slug: slug, brand: { name: 'Theirs' } }
    expect((await fixture.call('POST', '/v1/integrations', { as: 'b', json: theirs })).status).toBe(201)
    expect((await read(slug)).body.name).toBe('Mine')
    expect((await fixture.call('GET', '/v1/brands', { as: 'b' })).body.data).toMatchObject([{ slug, name: 'Theirs' }])
  })
})

test('the list goes page by page, newest first, each brand once', async () => {
  const made = [await newBrand(), await newBrand(), await newBrand()]
  const slugs: unknown[] = []
  for (let path = '/v1/brands?limit=2'; ; ) {
    const { body } = await fixture.call('GET', path)
    slugs.push(...(body.data as { slug: string }[]).map(({ slug }) => slug))
    if (body.has_more !== true) break
    path = `/v1/brands?limit=2&cursor=${String(body.next_cursor)}`
  }
  expect(slugs.slice(0, 3)).toEqual(made.toReversed())
  expect([slugs.length, new Set(slugs).size]).toEqual([seen, seen])
})
