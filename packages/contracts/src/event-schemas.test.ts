// Proves that schemas, examples and the producers' check are made from one declaration and agree.
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { serializeEnvelope } from './envelope.ts'
import { exampleOf, publishedSchemaOf, strictSchemaOf } from './event-schemas.ts'
import { eventTypes } from './event-types.ts'
import { faultsOfEventData } from './event-validation.ts'
import { eventDeclarations } from './events/declarations.ts'

const types = eventTypes.map(({ type }) => type)
const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }))

describe.each(types)('%s', (type) => {
  const strict = ajv.compile(strictSchemaOf(type))
  const published = ajv.compile(publishedSchemaOf(type))
  const example = exampleOf(type)

  test('its example is a valid event', () => {
    expect([strict(example), strict.errors]).toEqual([true, null])
    expect([published(example), published.errors]).toEqual([true, null])
    expect(faultsOfEventData(type, example.data)).toEqual([])
  })

  test('an additional property in data is refused by producers, and accepted by consumers unless the type is closed', () => {
    const grown = { ...example, data: { ...example.data, later: 1 } }
    expect(strict(grown)).toBe(false)
    expect(published(grown)).toBe(type !== 'sync.completed')
    expect(faultsOfEventData(type, grown.data)).toEqual(['later is not declared'])
  })

  test('the envelope has exactly four members', () => {
    expect(strict({ ...example, workspace: 'wsp' })).toBe(false)
    expect(published({ ...example, workspace: 'wsp' })).toBe(false)
  })

  test('C04: every field of data is always present', () => {
    for (const name of Object.keys(example.data)) {
      const { [name]: _left, ...rest } = example.data as unknown as Record<string, unknown>
      expect(strict({ ...example, data: rest })).toBe(false)
      expect(published({ ...example, data: rest })).toBe(false)
      expect(faultsOfEventData(type, rest)).toEqual([`${name} is missing`])
    }
  })

  test('the check of producers agrees with the strict schema on any value of any field', () => {
    const names = Object.keys(eventDeclarations[type].data)
    fc.assert(
      fc.property(fc.constantFrom(...names), values, (name, value) => {
        const data = { ...example.data, [name]: value }
        expect(faultsOfEventData(type, data).length === 0).toBe(strict({ ...example, data }))
      }),
      { numRuns: 60 },
    )
  })
})

const texts = [
  '',
  'success',
  'failed',
  'acme',
  '-acme',
  'a'.repeat(63),
  'a'.repeat(64),
  'é'.repeat(255),
  '😀'.repeat(255),
  '😀'.repeat(256),
  '2026-02-28',
  '2026-02-29',
  '2026-13-01',
  '2026-11',
  '2026-00',
  '2026-11-18T09:30:00.000Z',
  '2026-11-18T09:30:00Z',
  '2026-02-30T09:30:00.000Z',
  '2026-11-18T24:00:00.000Z',
  'Europe/Malta',
  'UTC',
  'Etc/GMT+2',
  '/UTC',
  'EUR',
  'eur',
  ...['int', 'syn', 'evt', 'inv', 'cmp', 'rul'].map((prefix) => `${prefix}_01JD3Q8ZK5M7N9P2R4T6V8W0XY`),
  'int_01JD3',
  'int_',
]
const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, {}, ...texts),
  fc.string(),
  fc.integer(),
)
const values = fc.oneof(scalars, fc.array(scalars, { maxLength: 3 }), fc.constant(new Array(1001).fill('a')))

describe('sync.completed', () => {
  test('has exactly the five fields of the specification', () => {
    const five = ['integration_id', 'brand_slug', 'status', 'rows_ingested', 'duration_ms']
    expect(Object.keys(exampleOf('sync.completed').data)).toEqual(five)
    expect(publishedSchemaOf('sync.completed').properties.data).toMatchObject({
      required: five,
      additionalProperties: false,
    })
  })

  test('its status is success or failed, in both forms of the schema', () => {
    const example = exampleOf('sync.completed')
    for (const schema of [strictSchemaOf('sync.completed'), publishedSchemaOf('sync.completed')]) {
      const validate = ajv.compile({ ...schema, title: 'closed' })
      const statuses = ['success', 'failed', 'partial', '', null]
      expect(statuses.filter((status) => validate({ ...example, data: { ...example.data, status } }))).toEqual([
        'success',
        'failed',
      ])
    }
  })
})

describe('codes', () => {
  test('are open: a value that is not known yet is valid', () => {
    const example = exampleOf('sync.canceled')
    expect(
      ajv.compile(publishedSchemaOf('sync.canceled'))({ ...example, data: { ...example.data, reason: 'later' } }),
    ).toBe(true)
  })
})

describe('serializeEnvelope', () => {
  test('gives the members in the order of the envelope, as UTF-8', () => {
    const { id, type, created, data } = exampleOf('workspace.updated')
    const bytes = serializeEnvelope({ data, created, type, id })
    expect(new TextDecoder().decode(bytes)).toBe(JSON.stringify({ id, type, created, data }))
  })
})
