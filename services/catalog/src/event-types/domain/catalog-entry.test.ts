// Proves the words of the catalog and how its list is cut into pages.
import { describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import { catalogEntries, catalogSummaries, findEntry } from './catalog-entry.ts'
import { catalogPage } from './catalog-page.ts'

describe('an entry', () => {
  test('has the members of domain.md 5, complete', () => {
    const entry = findEntry('invoice.paid')
    expect(entry).toMatchObject({
      object: 'event_type',
      type: 'invoice.paid',
      meaning: 'The amount due reached 0.',
      since: '2026-11-01',
      read_scope: ['invoices:read'],
      once_per: 'invoice',
      volume: 'low',
    })
    expect(entry?.schema.required).toEqual(['id', 'type', 'created', 'data'])
    expect(entry?.example.data).toMatchObject({ currency: 'EUR' })
  })

  test('exists for each type and for no other name', () => {
    expect(catalogEntries.map(({ type }) => type)).toEqual(eventTypes.map(({ type }) => type))
    expect(['invoice', '', 'constructor', 'invoice.*'].map(findEntry)).toEqual([null, null, null, null])
  })
})

describe('a page', () => {
  test('pages of any size put together are the whole list', () => {
    for (const size of [1, 7, 60, 100]) {
      const seen: string[] = []
      for (;;) {
        const rows = catalogPage({}, seen.at(-1) ?? null, size)
        if (!rows?.length) break
        seen.push(...rows.map(({ type }) => type))
      }
      expect(seen).toEqual(catalogSummaries.map(({ type }) => type))
    }
  })

  test('shows only what the filter names', () => {
    const stable = catalogPage({ stability: ['stable'] }, null, 100)
    expect(stable?.map(({ type }) => type)).toContain('sync.completed')
    expect(stable?.every(({ stability }) => stability === 'stable')).toBe(true)
    expect(catalogPage({ stability: ['stable', 'beta', 'deprecated'] }, null, 100)).toEqual(catalogSummaries)
  })

  test('does not exist after an unknown type', () => {
    expect(catalogPage({}, 'order.paid', 10)).toBeNull()
  })
})
