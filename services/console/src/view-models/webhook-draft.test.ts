import { expect, test } from '@jest/globals'
import { mergePatchOf } from './merge-patch.ts'
import { draftOfWebhook, emptyDraft, fieldsOfWebhook, urlFault } from './webhook-draft.ts'

const webhook = {
  url: 'https://a.test/hooks',
  events: ['invoice.*'],
  description: null,
  headers: { 'x-one': '1', 'x-two': '2' },
  filter: { all: [{ pointer: '/data/n', op: 'in', value: [1, 'a', '1', true] }] },
  rate_limit: 5,
}

test('a subscription comes out of its form as it went in', () => {
  const { url, events, description, headers, filter, rate_limit } = webhook
  expect(fieldsOfWebhook(draftOfWebhook(webhook))).toEqual({ url, events, description, headers, filter, rate_limit })
})

test('a patch holds what differs, and a header that is gone is null', () => {
  const before = draftOfWebhook(webhook)
  const patchOf = (draft: typeof before) => mergePatchOf({ ...fieldsOfWebhook(before) }, { ...fieldsOfWebhook(draft) })
  expect(patchOf(before)).toEqual({})
  const draft = { ...before, description: 'Bookkeeping', rateLimit: '', headers: [{ name: 'x-one', value: '1' }] }
  expect(patchOf(draft)).toEqual({
    description: 'Bookkeeping',
    rate_limit: null,
    headers: { 'x-two': null },
  })
})

test('empty rows are no fields', () => {
  const draft = { ...emptyDraft, headers: [{ name: ' ', value: '' }], filter: [{ pointer: '', op: 'eq', value: '' }] }
  expect(fieldsOfWebhook(draft)).toMatchObject({ headers: {}, filter: null, rate_limit: null })
})

test.each([
  ['https://example.com/hooks', null],
  ['http://127.0.0.1:8085/hooks', null],
  ['http://example.com', 'Must begin with https.'],
  ['example.com', 'Must be an absolute URL such as https://example.com/hooks.'],
  ['https://a:b@example.com', 'Must not hold a user name or password; send them in a custom header.'],
  ['https://example.com/#a', 'Must not have a fragment (#…).'],
])('an address as typed: %s', (text, fault) => expect(urlFault(text)).toBe(fault))
