import { expect, test } from '@jest/globals'
import { draftOfKey, emptyKeyDraft, fieldsOfKey, maskedKey, newKeyOf, rowFaultsOf } from './api-key-draft.ts'

test('a new key has no scope unless one is chosen, and says when it ends', () => {
  expect(newKeyOf({ ...emptyKeyDraft, name: ' ci ', cidrs: ['', ' 203.0.113.0/24 '] })).toEqual({
    name: 'ci',
    scopes: [],
    cidrs: ['203.0.113.0/24'],
    expires_in_days: 90,
  })
  expect(newKeyOf({ ...emptyKeyDraft, life: 'never' }).expires_in_days).toBeNull()
})

test('a key is read into the form and written back as it was', () => {
  const key = { name: 'ci', scopes: ['stats:read'], cidrs: [] }
  expect(draftOfKey(key).cidrs).toEqual([''])
  expect(fieldsOfKey(draftOfKey(key))).toEqual(key)
})

test('the fault of a range stands at its row, empty rows or not', () => {
  expect(rowFaultsOf(['', 'a', ' ', 'b'], (place) => `fault ${place}`)).toEqual([null, 'fault 0', null, 'fault 1'])
})

test('a key is named by its ends', () => {
  expect(maskedKey({ prefix: 'wdk_live_cFR7', last4: 'OvRa' })).toBe('wdk_live_cFR7…OvRa')
})
