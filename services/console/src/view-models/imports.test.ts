import { expect, test } from '@jest/globals'
import { scopesOfRole } from '@wds/contracts/roles'
import { importStatuses, readRejects, titleOf } from './imports.ts'
import { importQuery, importTypes, isUnderWay, typesWith, type UploadDraft } from './upload.ts'

test('what can be canceled goes on by itself', () => {
  expect(importStatuses.filter((status) => isUnderWay({ status }))).toEqual(['queued', 'running'])
})

test('regression: who may take in files of a type goes by the scope of that type', () => {
  expect(typesWith(['campaigns:write', 'integrations:read'])).toEqual(['campaigns'])
  expect(typesWith(['integrations:write'])).toEqual(['stats', 'fx_rates'])
  expect(typesWith(scopesOfRole('member'))).toEqual(importTypes)
  expect(typesWith(scopesOfRole('viewer'))).toEqual([])
})

test('what is in a file, and whose it is', () => {
  expect(titleOf({ type: 'stats', source: null }, 'Acme feed')).toBe('Stats of Acme feed')
  expect(titleOf({ type: 'stats', source: null }, null)).toBe('Stats of an integration')
  expect(titleOf({ type: 'fx_rates', source: 'my-bank' }, null)).toBe('Exchange rates of my-bank')
  expect(titleOf({ type: 'fx_rates', source: null }, null)).toBe('Exchange rates')
  expect(titleOf({ type: 'campaigns', source: null }, 'Acme')).toBe('Campaigns of Acme')
  expect(titleOf({ type: 'invoice_payments', source: null }, null)).toBe('Payments of invoices')
})

test('an upload sends what belongs to its type, and nothing that was typed for another one', () => {
  const all: UploadDraft = {
    type: 'stats',
    integration: 'int_1',
    source: ' bank ',
    from: '2026-11-01',
    to: '2026-11-02',
  }
  const covers = { covers_from: '2026-11-01', covers_to: '2026-11-02' }
  expect(importQuery(all)).toEqual({ type: 'stats', integration_id: 'int_1', ...covers })
  expect(importQuery({ ...all, from: '', to: '' })).toEqual({ type: 'stats', integration_id: 'int_1' })
  expect(importQuery({ ...all, type: 'fx_rates' })).toEqual({ type: 'fx_rates', source: 'bank' })
  expect(importQuery({ ...all, type: 'campaigns' })).toEqual({ type: 'campaigns', integration_id: all.integration })
  expect(importQuery({ ...all, type: 'invoice_payments' })).toEqual({ type: 'invoice_payments' })
  expect(importQuery({ ...all, type: 'fx_rates', source: ' ' })).toEqual({ type: 'fx_rates' })
})

test('the first lines of an errors file', () => {
  const line = (at: number) => `{"line":${at},"code":"not_a_number","pointer":null,"detail":"Found: \\"x\\\\n\\"."}\n`
  const text = line(2) + line(3) + line(4)
  expect(readRejects(text, 2).map(({ line: at }) => at)).toEqual([2, 3])
  expect(readRejects(text, 9)[2]).toMatchObject({ line: 4, detail: 'Found: "x\\n".' })
  expect(readRejects('', 9)).toEqual([])
})
