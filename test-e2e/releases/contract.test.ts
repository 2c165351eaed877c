/** C82: the contract of now against that of the last release: who was made for that one is served as then. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { catalogEntries } from '../../services/catalog/src/event-types/domain/catalog-entry.ts'
import { acceptedBreaks } from './accepted-breaks.ts'
import { breakingChanges, type CatalogEntry, catalogChanges, type OpenApi, wrongDates } from './contract.ts'
import { kept, lastRelease, readKept, root } from './releases.ts'

const { version, date } = lastRelease()
const then = JSON.parse(readKept(version, kept.openApi)) as OpenApi
const now = JSON.parse(readFileSync(join(root, 'services/api/openapi.generated.json'), 'utf8')) as OpenApi
const catalogThen = JSON.parse(readKept(version, kept.eventTypes)) as CatalogEntry[]
const catalogNow = JSON.parse(JSON.stringify(catalogEntries)) as CatalogEntry[]

test(`C82: nothing breaks clients and subscribers of ${version} but what a decision accepts`, () => {
  const found = [...breakingChanges(then, now), ...catalogChanges(catalogThen, catalogNow)]
  const accepted = acceptedBreaks[version] ?? {}
  expect(found.filter((change) => !Object.hasOwn(accepted, change))).toEqual([])
  // What is accepted and does not happen would accept it one day.
  expect(Object.keys(accepted).filter((change) => !found.includes(change))).toEqual([])
  expect(Object.values(accepted).filter((why) => !/\bdecision \d+\b/.test(why))).toEqual([])
})

test('regression: the catalog says of a type since when it is there: as the release said, or a day after it', () => {
  expect(wrongDates(catalogNow, { entries: catalogThen, date })).toEqual([])
  const [first, ...others] = catalogThen as [CatalogEntry, ...CatalogEntry[]]
  const entries = [{ ...first, since: '2026-10-01' }, { ...first, type: 'sync.paused' }, ...others]
  const told = [`${first.type}: since 2026-10-01`, `sync.paused: since ${first.since}`]
  expect(wrongDates(entries, { entries: catalogThen, date })).toEqual(told)
  expect(wrongDates([{ ...first, type: 'sync.paused', since: '2026-11-25' }], { entries: [], date })).toEqual([])
})

// biome-ignore lint/suspicious/noExplicitAny: a document is planted with faults at any depth
type Any = any

/** What is found once the document of the release is changed so. */
function planted(change: (document: Any) => void): string[] {
  const changed = structuredClone(then)
  change(changed)
  return breakingChanges(then, changed)
}
const schemas = (document: Any) => document.components.schemas
const invoicePaid = (document: Any) =>
  document.webhooks['invoice.paid'].post.requestBody.content['application/json'].schema.properties.data

describe('C82: a planted break is found:', () => {
  const breaks: [what: string, change: (document: Any) => void, found: RegExp][] = [
    ['a route', (d) => delete d.paths['/v1/brands'], /^GET \/v1\/brands: api path removed/],
    ['a method', (d) => delete d.paths['/v1/campaigns/{id}'].patch, /^PATCH \/v1\/campaigns\/\{id\}: api removed/],
    ['a query parameter', (d) => d.paths['/v1/campaigns'].get.parameters.shift(), /GET \/v1\/campaigns: .*`status`/],
    ['a member of answers', (d) => delete schemas(d).Brand.properties.vertical, /\/v1\/brands.*`.*vertical`/],
    [
      'a member of answers that was always there',
      (d) => schemas(d).Brand.required.splice(schemas(d).Brand.required.indexOf('name'), 1),
      /\/v1\/brands.*`.*name`.*optional/,
    ],
    [
      'another type of a member',
      (d) => {
        schemas(d).Brand.properties.name = { type: 'integer' }
      },
      /\/v1\/brands.*`.*name`/,
    ],
    [
      'a new required input',
      (d) => schemas(d).NewIntegration.required.push('currency'),
      /^POST \/v1\/integrations: .*currency/,
    ],
    [
      'a member of requests',
      (d) => delete schemas(d).NewIntegration.properties.schedule,
      /^POST \/v1\/integrations: .*schedule/,
    ],
    [
      'a narrowed enum of inputs',
      (d) => schemas(d).NewIntegration.properties.granularity.enum.shift(),
      /^POST \/v1\/integrations: .*hour/,
    ],
    [
      'a lower bound of inputs',
      (d) => {
        schemas(d).NewIntegration.properties.name.maxLength = 50
      },
      /^POST \/v1\/integrations: .*name/,
    ],
    ['an event type', (d) => delete d.webhooks['invoice.paid'], /\/events\/invoice\.paid: api path removed/],
    ['a member of an event', (d) => delete invoicePaid(d).properties.number, /\/events\/invoice\.paid: .*number/],
    [
      'another type of a member of an event',
      (d) => {
        invoicePaid(d).properties.amount = { type: 'string' }
      },
      /\/events\/invoice\.paid: .*amount/,
    ],
  ]
  test.each(breaks)('%s', (_, change, found) => {
    expect(planted(change)).toContainEqual(expect.stringMatching(found))
  })

  test('of the catalog: a type, a type that may change again, a scope more to read it', () => {
    const [first, second, third, ...others] = structuredClone(catalogThen) as [CatalogEntry, CatalogEntry, CatalogEntry]
    const changed = [{ ...second, stability: 'beta' }, { ...third, read_scope: ['webhooks:manage'] }, ...others]
    expect(catalogChanges(catalogThen, changed)).toEqual([
      `${first.type}: the type is gone`,
      `${second.type}: was ${second.stability}, is beta`,
      `${third.type}: needs webhooks:manage to be read`,
    ])
  })
})

test('C82: what is compatible is passed over: a route, an optional input, a member, a value of an answer’s enum, an event type', () => {
  const found = planted((d) => {
    d.paths['/v1/brands-more'] = structuredClone(d.paths['/v1/brands'])
    d.paths['/v1/brands-more'].get.operationId = 'listMoreBrands'
    schemas(d).NewIntegration.properties.nickname = { type: 'string' }
    schemas(d).Brand.properties.color = { type: 'string' }
    schemas(d).Brand.required.push('color')
    schemas(d).Campaign.properties.status.enum?.push('resting')
    invoicePaid(d).properties.paid_by = { type: 'string' }
    d.webhooks['invoice.remembered'] = structuredClone(d.webhooks['invoice.paid'])
  })
  expect(found).toEqual([])
})
