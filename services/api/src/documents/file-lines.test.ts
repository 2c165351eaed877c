// Lines of files of campaigns and payments take texts as long as the published document says of the same by hand.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { campaignColumns, checkCampaignLine } from '../campaign-imports/domain/campaign-line.ts'
import { namesOf } from '../files/domain/named-columns.ts'
import { checkPaymentLine, paymentColumns } from '../payment-imports/domain/payment-line.ts'

interface Schema {
  properties: Record<string, { maxLength?: number }>
  items: { maxLength: number }
  maxItems: number
  pattern: string
}
const document = JSON.parse(readFileSync(new URL('../../openapi.generated.json', import.meta.url), 'utf8'))
const schemas = document.components.schemas as Record<'NewCampaign' | 'NewPayment' | 'Tags' | 'Name', Schema>

const campaignOf = (cells: object) => {
  const empty = Object.fromEntries(namesOf(campaignColumns).map((column) => [column, '']))
  return checkCampaignLine({ ...empty, external_id: 'a', name: 'A', ...cells } as never)
}
const paymentOf = (cells: object) => {
  const empty = Object.fromEntries(namesOf(paymentColumns).map((column) => [column, '']))
  const whole = { invoice: 'i', reference: 'r', amount: '1', received: '2026-01-01', method: 'm' }
  return checkPaymentLine({ ...empty, ...whole, ...cells } as never)
}
const address = (length: number) => 'https://go.example/'.padEnd(length, 'x')
const text = (length: number) => 'x'.repeat(length)

test.each([
  ['NewCampaign', 'external_id', campaignOf, text],
  ['NewCampaign', 'name', campaignOf, text],
  ['NewCampaign', 'tracking_url', campaignOf, address],
  ['NewCampaign', 'landing_url', campaignOf, address],
  ['NewPayment', 'reference', paymentOf, text],
  ['NewPayment', 'method', paymentOf, text],
] as const)('%s, %s: a line takes as many characters as the form', (schema, column, judge, textOf) => {
  const most = schemas[schema].properties[column]?.maxLength ?? 0
  expect(most).toBeGreaterThan(0)
  expect(judge({ [column]: textOf(most) })).toMatchObject({ ok: true })
  expect(judge({ [column]: textOf(most + 1) })).toMatchObject({ ok: false, code: 'text_too_long' })
})

test('NewCampaign, tags: a line takes as many as the form, and each as long', () => {
  const { items, maxItems } = schemas.Tags
  const tags = (count: number, length: number) =>
    Array.from({ length: count }, (_, nth) => `${nth}`.padEnd(length, 'x')).join('|')
  expect(campaignOf({ tags: tags(maxItems, items.maxLength) })).toMatchObject({ ok: true })
  expect(campaignOf({ tags: tags(maxItems + 1, 3) })).toMatchObject({ ok: false, code: 'bad_value' })
  expect(campaignOf({ tags: tags(1, items.maxLength + 1) })).toMatchObject({ ok: false, code: 'text_too_long' })
})

test.each([
  [' ', false],
  ['\u00a0\u200b', false],
  ['a\u0007b', false],
  ['a\nb', false],
  ['.', true],
  [' a\u200db ', true],
])('Name: regression: a form and a line alike take %j as a name: %s', (name, isTaken) => {
  expect(new RegExp(schemas.Name.pattern, 'u').test(name)).toBe(isTaken)
  expect(campaignOf({ name })).toMatchObject(isTaken ? { ok: true } : { ok: false, code: 'bad_value' })
})
